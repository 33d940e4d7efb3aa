import { ok } from '../../core/protocol/result.ts'
import type { Admin } from '../admin/admin.ts'
import { inWorkspace, type Parts } from '../admin/parts.ts'
import { keepClock } from './kept-clocks.ts'

export const clockOf = (parts: Parts): Admin['clock'] => ({
  prepare: async (workspace) => {
    if (parts.services.shared !== undefined) await parts.services.timers.rearm(workspace)
  },
  keep: (workspace, clock) =>
    inWorkspace(parts, workspace, async () => {
      await keepClock(parts.services.store, workspace, clock)
      return ok(null)
    }),
})
