import { errors } from '../../core/contract/errors.ts'
import type { BenchEvent } from '../../core/contract/events.ts'
import { eventSummary } from '../../core/messages/event-sentences.ts'
import { ControlError } from '../../sdk/client.ts'
import { findMismatch, hasPattern } from './patterns/mismatch.ts'
import type { ScenarioState } from './scenario-state.ts'

export type EventPattern = Readonly<Record<string, unknown>>

type Wanted = {
  readonly match: EventPattern
  /** A condition that a pattern cannot express. */
  readonly fits?: (event: BenchEvent) => boolean
  readonly left: () => number
}

export const findEvent = async (
  state: ScenarioState,
  { match, fits = () => true, left }: Wanted,
  from: number,
): Promise<BenchEvent | undefined> => {
  let after = from
  for (;;) {
    const event = await nextEvent(state, { match: exactPart(match), after, timeout_ms: left() })
    if (event === undefined) return undefined
    if (fits(event) && (!hasPattern(match) || findMismatch(match, event) === undefined)) return event
    after = event.seq
  }
}

/** Moves the cursor to the event. */
export const waitForEvent = async (state: ScenarioState, wanted: Wanted): Promise<BenchEvent | undefined> => {
  const event = await findEvent(state, wanted, state.cursor)
  if (event !== undefined) state.cursor = event.seq
  return event
}

const exactPart = (match: EventPattern): EventPattern =>
  Object.fromEntries(Object.entries(match).filter(([, value]) => !hasPattern(value)))

type Wait = { readonly match: EventPattern; readonly after: number; readonly timeout_ms: number }

const nextEvent = async ({ client }: ScenarioState, body: Wait): Promise<BenchEvent | undefined> => {
  try {
    return await client.call('events.wait', { body })
  } catch (error) {
    if (error instanceof ControlError && error.code === errors.wait_ended.code) return undefined
    throw error
  }
}

const MAX_SHOWN = 5

export const listReceived = async (
  { client }: ScenarioState,
  after: number,
): Promise<{ readonly came: readonly string[]; readonly more: number }> => {
  const { events } = await client.call('events.list', { query: { after, brief: true } })
  const came = events.slice(-MAX_SHOWN).map((event) => eventSummary(event))
  return { came, more: events.length - came.length }
}
