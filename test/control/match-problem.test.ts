import { expect, test } from 'vitest'
import type { EVENT_HEAD, eventKinds } from '../../src-main/contract/event-kinds.ts'
import type { BenchEvent, EventKind } from '../../src-main/contract/events.ts'
import { matchProblem } from '../../src-main/control/handlers/match-problem.ts'

test.each([
  [{ kind: 'mesage' }, 'match.kind'],
  [{ kind: 7 }, 'match.kind'],
  [{ kind: 'message', too: 'success' }, 'match.too'],
  [{ kind: 'message', change: 'pushed' }, 'match.change'],
  [{ kind: 'phone', change: 'pushd' }, 'match.change'],
  [{ too: 'success' }, 'match.too'],
  [{ kind: 'message', constructor: 'x' }, 'match.constructor'],
])('%j matches no event that there can be', (match, parameter) => {
  expect(matchProblem(match)).toMatchObject({ name: 'invalid_parameter', data: { parameter } })
})

test.each([
  {},
  { to: 'success' },
  { kind: 'message', to: 'success', actor: { kind: 'phone' } },
  { kind: 'phone', change: 'pushed' },
  { kind: 'setting', change: 'anything' },
  { change: 'pushed' },
])('%j can match', (match) => {
  expect(matchProblem(match)).toBeUndefined()
})

type EventOf<K extends EventKind> = Extract<BenchEvent, { readonly kind: K }>
type Forgotten = {
  [K in EventKind]: Exclude<keyof EventOf<K>, (typeof EVENT_HEAD)[number] | (typeof eventKinds)[K]['fields'][number]>
}[EventKind]

test('no field of an event is forgotten', () => {
  // The type is the test: it has no value as long as a field is missing from the table.
  const none: [Forgotten] extends [never] ? true : Forgotten = true
  expect(none).toBe(true)
})
