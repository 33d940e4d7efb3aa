import { ok } from '../../protocol/result.ts'
import { keepClock } from '../kept-clocks.ts'
import type { Console } from './console.ts'
import { inWorkspace, type Parts } from './parts.ts'

export const clockOf = (parts: Parts): Console['clock'] => ({
  keep: (workspace, clock) =>
    inWorkspace(parts, workspace, async () => {
      await keepClock(parts.services.store, workspace, clock)
      return ok(null)
    }),
})
