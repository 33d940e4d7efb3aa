import { type Conditions, normalConditions, withConditions } from '../../contract/conditions.ts'
import { ok } from '../../protocol/result.ts'
import type { Admin, Outcome } from '../admin/admin.ts'
import { inWorkspace, type Parts, recordSetting } from '../admin/parts.ts'

export const conditionsAdmin = (parts: Parts): Admin['conditions'] => {
  const { settings } = parts.services
  const set = (workspace: string, change: string, next: (before: Conditions) => Conditions): Outcome<Conditions> =>
    inWorkspace(parts, workspace, async () => {
      const conditions = await settings.changeConditions(workspace, next)
      recordSetting(parts, workspace, { subject: 'conditions', change, detail: conditions })
      return ok(conditions)
    })
  return {
    get: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.conditions(workspace))),
    patch: (workspace, part) => set(workspace, 'changed', (before) => withConditions(before, part)),
    replace: (workspace, part) => set(workspace, 'changed', () => withConditions(normalConditions, part)),
    reset: (workspace) => set(workspace, 'reset', () => normalConditions),
  }
}
