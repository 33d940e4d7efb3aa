import { errors } from '../contract/errors.ts'
import type { BenchEvent } from '../contract/events.ts'
import { eventSummary } from '../messages/event-summary.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { ControlError } from '../sdk/client.ts'
import type { ScenarioState } from './scenario-state.ts'

type Wanted = {
  readonly match: Readonly<Record<string, unknown>>
  /** What a pattern cannot say. */
  readonly fits?: (event: BenchEvent) => boolean
  readonly left: () => number
}

/** The first event after the cursor that matches, or what came instead. The cursor moves to what was found. */
export const waitForEvent = async (
  state: ScenarioState,
  { match, fits = () => true, left }: Wanted,
): Promise<Result<BenchEvent, string>> => {
  let after = state.cursor
  for (;;) {
    const event = await nextEvent(state, { match, after, timeout_ms: left() })
    if (event === undefined) return err(await whatCame(state))
    if (fits(event)) {
      state.cursor = event.seq
      return ok(event)
    }
    after = event.seq
  }
}

type Wait = { readonly match: Readonly<Record<string, unknown>>; readonly after: number; readonly timeout_ms: number }

const nextEvent = async ({ client }: ScenarioState, body: Wait): Promise<BenchEvent | undefined> => {
  try {
    return await client.call('events.wait', { body })
  } catch (error) {
    if (error instanceof ControlError && error.code === errors.wait_ended.code) return undefined
    throw error
  }
}

const MOST_SHOWN = 5

const whatCame = async ({ client, cursor }: ScenarioState): Promise<string> => {
  const { events } = await client.call('events.list', { query: { after: cursor, brief: true } })
  if (events.length === 0) return 'no event at all'
  const shown = events.slice(-MOST_SHOWN).map((event) => eventSummary(event))
  return `${events.length} other event${events.length === 1 ? '' : 's'}: ${shown.join('; ')}`
}
