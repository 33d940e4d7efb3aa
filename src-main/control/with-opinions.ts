import type { ExchangeEvent } from '../protocol/exchange-event.ts'
import type { Console } from '../service/console/console.ts'

/** Verdicts with what the second verifier says of them: it is formed outside of the requests, and is no part of the record. */
export const withOpinions = async (
  { secondOpinions }: Pick<Console, 'secondOpinions'>,
  workspace: string,
  events: readonly ExchangeEvent[],
): Promise<readonly ExchangeEvent[]> => {
  const told: ExchangeEvent[] = []
  for (const event of events) {
    const isOpen = event.kind === 'verdict' && event.second_opinion === undefined
    const second_opinion = isOpen ? await secondOpinions.of(workspace, event.msg_id) : undefined
    told.push(second_opinion === undefined ? event : ({ ...event, second_opinion } as ExchangeEvent))
  }
  return told
}
