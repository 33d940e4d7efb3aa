import type { FieldProblem } from '../../core/contract/errors.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import type { Services } from '../services.ts'

/** A damaged workspace is closed and named, and touched no more: what is left of it can be looked at or deleted. */
export const setAside = (
  { open, damaged, timers, inboxes, log }: Services,
  workspace: string,
  problem: FieldProblem,
): void => {
  damaged.set(workspace, problem)
  open.delete(workspace)
  timers.forget(workspace)
  inboxes.end(workspace)
  // Without main nothing starts, and the caller reports why.
  if (workspace !== MAIN_WORKSPACE) log({ level: 'error', event: 'workspace damaged', workspace, problem })
}
