import type { BenchEvent } from '../../core/contract/events.ts'
import type { Admin } from '../../service/admin/admin.ts'

/** Verdicts with what the second verifier says of them: it is formed outside of the requests, and is no part of the record. */
export const withOpinions = async (
  { secondOpinions }: Pick<Admin, 'secondOpinions'>,
  workspace: string,
  events: readonly BenchEvent[],
): Promise<readonly BenchEvent[]> => {
  const told = async (event: BenchEvent): Promise<BenchEvent> => {
    const isOpen = event.kind === 'verdict' && event.second_opinion === undefined
    const second_opinion = isOpen ? await secondOpinions.of(workspace, event.msg_id) : undefined
    return second_opinion === undefined ? event : ({ ...event, second_opinion } as BenchEvent)
  }
  // All at once: what another process forms is waited for.
  return Promise.all(events.map(told))
}
