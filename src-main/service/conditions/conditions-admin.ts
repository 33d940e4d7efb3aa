import {
  type Conditions,
  normalConditions,
  replaceConditions,
  withConditions,
  withScoped,
} from '../../core/contract/conditions.ts'
import { refuse } from '../../core/contract/errors.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { type Admin, inWorkspace, type Outcome, type Parts, recordSetting } from '../admin/admin.ts'
import type { Reach } from '../settings/settings.ts'

export const conditionsAdmin = (parts: Parts): Admin['conditions'] => {
  const { settings } = parts.services
  const set = (
    workspace: string,
    change: string,
    next: (before: Conditions) => Conditions | undefined,
    reach?: Reach,
  ): Outcome<Conditions> =>
    inWorkspace(parts, workspace, async () => {
      let tooMany = false
      const changed = (before: Conditions): Conditions => {
        const after = next(before)
        tooMany = after === undefined
        return after ?? before
      }
      const conditions = await settings.changeConditions(workspace, changed, reach)
      if (tooMany) return err(refuse('wrong_state', { code: 'scopes_at_most' }))
      recordSetting(parts, workspace, { subject: 'conditions', change, detail: conditions })
      return ok(conditions)
    })
  return {
    get: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.conditions(workspace))),
    patch: (workspace, part) => set(workspace, 'changed', (before) => withConditions(before, part)),
    replace: (workspace, part) => set(workspace, 'changed', (before) => replaceConditions(before, part)),
    reset: (workspace, scope) =>
      scope === undefined
        ? set(workspace, 'reset', () => normalConditions, 'all')
        : set(workspace, 'reset', (before) => withScoped(before, scope, normalConditions)),
  }
}
