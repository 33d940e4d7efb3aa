import type { BenchEvent } from '../../../core/contract/events.ts'
import type { EventExpectation, eventSteps } from '../../../core/contract/scenario/bench-steps.ts'
import { eventSummary } from '../../../core/messages/event-sentences.ts'
import { mismatch } from '../patterns/mismatch.ts'
import { markOf, type ScenarioState } from '../scenario-state.ts'
import { failure, type StepOutcome, success } from '../step-outcome.ts'
import { limitMs, startLimit } from '../time-limit.ts'
import { findEvent, type Match, waitForEvent, whatCame } from '../wait-for-event.ts'
import type { WordsOf } from './word.ts'

const USUAL_NOTHING = { ms: 500 } as const

export const eventWords: WordsOf<typeof eventSteps> = {
  wait: {
    run: async ({ until, ...match }, state) => {
      const began = state.cursor
      const found = await waitForEvent(state, { match, left: startLimit(state, until) })
      if (found !== undefined) return success({ code: 'event', params: { seq: found.seq } }, found)
      const came = await whatCame(state, began)
      return failure({ code: 'no_event', params: { match, within_ms: limitMs(until), ...came } })
    },
  },
  no_event: {
    run: async ({ within = USUAL_NOTHING, ...match }, state) => {
      const found = await findEvent(state, { match, left: startLimit(state, within) }, state.cursor)
      if (found === undefined) return success({ code: 'no_event' })
      const params = { match, event: eventSummary(found), seq: found.seq, within_ms: limitMs(within) }
      return failure({ code: 'event_came', params })
    },
  },
  mark: {
    run: async ({ as }, state) => {
      const { last_seq } = await state.client.call('events.list', { query: { limit: 1, latest: true, brief: true } })
      state.marks.set(as, last_seq)
      return success({ code: 'marked', params: { seq: last_seq } })
    },
  },
  expect_events: {
    repeats: true,
    run: async (input, state) => {
      const after = input.since === undefined ? state.cursor : markOf(state, input.since)
      const events = await eventsAfter(state, after)
      const wrong = countProblem(input, events) ?? orderProblem(input, events)
      if (wrong === undefined) return success({ code: 'events', params: { count: events.length } })
      return failedWith(wrong, await whatCame(state, after))
    },
  },
}

type Wrong =
  | { readonly code: 'event_count'; readonly match: Match; readonly expected: unknown; readonly received: number }
  | { readonly code: 'event_order'; readonly match: Match; readonly found: number }

const failedWith = (wrong: Wrong, came: { readonly came: readonly string[]; readonly more: number }): StepOutcome => {
  if (wrong.code === 'event_order') {
    return failure({ code: wrong.code, params: { match: wrong.match, found: wrong.found, ...came } })
  }
  const { match, expected, received } = wrong
  const passed = typeof expected === 'number' && received > expected
  return {
    ...failure({ code: wrong.code, params: { match, expected, received, ...came } }),
    ...(passed ? { final: true } : {}),
  }
}

const fits = (match: Match, event: BenchEvent): boolean => mismatch(match, event) === undefined

const countProblem = ({ of, count }: EventExpectation, events: readonly BenchEvent[]): Wrong | undefined => {
  if (of === undefined || count === undefined) return undefined
  const received = events.filter((event) => fits(of, event)).length
  return mismatch(count, received) === undefined
    ? undefined
    : { code: 'event_count', match: of, expected: count, received }
}

/** Other events may come between those in order. */
const orderProblem = ({ in_order = [] }: EventExpectation, events: readonly BenchEvent[]): Wrong | undefined => {
  let found = 0
  for (const event of events) {
    const match = in_order[found]
    if (match !== undefined && fits(match, event)) found += 1
  }
  const missing = in_order[found]
  return missing === undefined ? undefined : { code: 'event_order', match: missing, found }
}

const eventsAfter = async ({ client }: ScenarioState, from: number): Promise<readonly BenchEvent[]> => {
  const all: BenchEvent[] = []
  let after = from
  for (;;) {
    const { events, more } = await client.call('events.list', { query: { after } })
    all.push(...events)
    after = events.at(-1)?.seq ?? after
    if (!more) return all
  }
}
