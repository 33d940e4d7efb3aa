import type { Refusal } from '../../contract/errors.ts'
import { refuseSetting } from '../../contract/setting-problem.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Admin } from '../admin/admin.ts'
import { inWorkspace, type Parts, recordSetting } from '../admin/parts.ts'
import { type Conditions, normalConditions, parseConditions } from './conditions.ts'

export const conditionsAdmin = (parts: Parts): Admin['conditions'] => {
  const { settings } = parts.services
  const set = async (
    workspace: string,
    change: string,
    next: (before: Conditions) => Result<Conditions, Refusal>,
  ): Promise<Result<Conditions, Refusal>> => {
    const conditions = await settings.changeConditions(workspace, next)
    if (conditions.ok) recordSetting(parts, workspace, { subject: 'conditions', change, detail: conditions.value })
    return conditions
  }
  const laidOver = (base: Conditions, part: unknown): Result<Conditions, Refusal> => {
    const conditions = parseConditions(part, base)
    return conditions.ok ? conditions : err(refuseSetting(conditions.error))
  }
  return {
    get: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.conditions(workspace))),
    patch: (workspace, part) =>
      inWorkspace(parts, workspace, () => set(workspace, 'changed', (before) => laidOver(before, part))),
    replace: (workspace, part) =>
      inWorkspace(parts, workspace, () => set(workspace, 'changed', () => laidOver(normalConditions, part))),
    reset: (workspace) => inWorkspace(parts, workspace, () => set(workspace, 'reset', () => ok(normalConditions))),
  }
}
