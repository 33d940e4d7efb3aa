import type { BenchEvent } from '../../../core/contract/events.ts'
import type { EventExpectation, eventSteps, rpSteps } from '../../../core/contract/scenario/bench-steps.ts'
import type { benchSteps, StepInput } from '../../../core/contract/scenario.ts'
import { eventSummary } from '../../../core/messages/event-sentences.ts'
import { withoutUndefined } from '../../../core/protocol/json.ts'
import { failureWord, isFinal } from '../../../core/protocol/message-state.ts'
import type { Data } from '../../../sdk/client.ts'
import { findMismatch } from '../patterns/mismatch.ts'
import {
  type BegunMessage,
  findMark,
  findMessage,
  findRp,
  findSnapshot,
  type ScenarioState,
} from '../scenario-state.ts'
import { failure, refusal, type StepOutcome, success, withText } from '../step-outcome.ts'
import { limitInMs, startLimit } from '../time-limit.ts'
import { type EventPattern, findEvent, listReceived, waitForEvent } from '../wait-for-event.ts'
import { armedOutcome, oneCredential, type StepHandlers } from './word.ts'

const timeOf = (clock: { readonly now: number }): StepOutcome => withText(new Date(clock.now).toISOString(), clock)

export const benchWords: StepHandlers<typeof benchSteps> = {
  clock: async (body, state) => timeOf(await state.client.call('clock.put', { body })),
  advance: async (input, state) => {
    const body = 's' in input ? { ms: Math.round(input.s * 1000) } : input
    return timeOf(await state.client.call('clock.advance', { body }))
  },
  expire: async ({ message }, state) => {
    const { msg_id: id } = findMessage(state, message)
    const expired = await state.client.call('messages.expire', { params: { id }, body: {} })
    return withText(expired.state, expired)
  },
  profile: async (body, state) => {
    const answer = await state.client.call('profile.patch', { body })
    return withText(answer.changed.join(', '), answer)
  },
  conditions: async (body, state) =>
    withText(JSON.stringify(body), await state.client.call('conditions.put', { body })),
  arm_service: async (body, state) => armedOutcome(await state.client.call('service.arm', { body })),
  snapshot: async ({ as }, state) => {
    const made = await state.client.call('snapshots.create', { body: { name: as } })
    state.snapshots.set(as, made.id)
    return withText(as, made)
  },
  restore: async ({ snapshot }, state) => {
    const id = findSnapshot(state, snapshot)
    return withText(snapshot, await state.client.call('snapshots.restore', { params: { id }, body: {} }))
  },
  control: async ({ call, params, query, body }, state) => {
    // The input was checked against the route when the file was read, and the control interface checks it again.
    const inputs = { params, query, body } as never
    const answer = await state.client.call(call, inputs)
    return withText(JSON.stringify(answer).slice(0, 80), answer)
  },
}

const USUAL_NOTHING = { ms: 500 } as const

export const eventWords: StepHandlers<typeof eventSteps> = {
  wait: async ({ until, ...match }, state) => {
    const began = state.cursor
    const found = await waitForEvent(state, { match, left: startLimit(state, until) })
    if (found !== undefined) return success({ code: 'event', params: { seq: found.seq } }, found)
    const came = await listReceived(state, began)
    return failure({ code: 'no_event', params: { match, within_ms: limitInMs(until), ...came } })
  },
  no_event: async ({ within = USUAL_NOTHING, ...match }, state) => {
    const found = await findEvent(state, { match, left: startLimit(state, within) }, state.cursor)
    if (found === undefined) return success({ code: 'no_event' })
    const params = { match, event: eventSummary(found), seq: found.seq, within_ms: limitInMs(within) }
    return failure({ code: 'event_came', params })
  },
  mark: async ({ as }, state) => {
    const { last_seq } = await state.client.call('events.list', { query: { limit: 1, latest: true, brief: true } })
    state.marks.set(as, last_seq)
    return success({ code: 'marked', params: { seq: last_seq } })
  },
  expect_events: async (input, state) => {
    const after = input.since === undefined ? state.cursor : findMark(state, input.since)
    const events = await eventsAfter(state, after)
    const wrong = countProblem(input, events) ?? orderProblem(input, events)
    if (wrong === undefined) return success({ code: 'events', params: { count: events.length } })
    return wrong(await listReceived(state, after))
  },
}

type Came = Awaited<ReturnType<typeof listReceived>>
/** Makes the failure, once it is known which events came instead. */
type Wrong = (came: Came) => StepOutcome

const fits = (match: EventPattern, event: BenchEvent): boolean => findMismatch(match, event) === undefined

const countProblem = ({ of, count }: EventExpectation, events: readonly BenchEvent[]): Wrong | undefined => {
  if (of === undefined || count === undefined) return undefined
  const received = events.filter((event) => fits(of, event)).length
  if (findMismatch(count, received) === undefined) return undefined
  return (came) => ({
    ...failure({ code: 'event_count', params: { match: of, expected: count, received, ...came } }),
    ...(typeof count === 'number' && received > count ? { final: true } : {}),
  })
}

/** The events of `in_order` must come in this order; other events may come between them. */
const orderProblem = ({ in_order = [] }: EventExpectation, events: readonly BenchEvent[]): Wrong | undefined => {
  let found = 0
  for (const event of events) {
    const match = in_order[found]
    if (match !== undefined && fits(match, event)) found += 1
  }
  const match = in_order[found]
  return match && ((came) => failure({ code: 'event_order', params: { match, found, ...came } }))
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

type Beginning = { readonly as?: string; readonly rp?: string }

const begins =
  (call: 'simulator.register' | 'simulator.sign-in') =>
  async ({ as = '', rp, ...request }: Beginning, state: ScenarioState): Promise<StepOutcome> => {
    // Polls are steps of the scenario: an RP that polls on a timer would make every run different.
    const inputs = { params: { rp: findRp(state, rp).id }, body: { ...request, poll: false } }
    const message: BegunMessage = await state.client.call(call, inputs as never)
    state.messages.set('', message)
    state.messages.set(as, message)
    return withText(message.url.slice(message.url.indexOf('#')), message)
  }

const expectResult = async (
  { message, until: _, ...wanted }: StepInput<'expect'>,
  state: ScenarioState,
): Promise<StepOutcome> => {
  const { msg_id, rp } = findMessage(state, message)
  const attempt = await state.client.call('simulator.poll', { params: { rp, msg_id } })
  // A refusal ends the wait, except with code 0: then the call did not arrive.
  if (attempt.refusal !== null) {
    const { code } = attempt.refusal
    return { ...refusal(attempt.refusal), ...(code === 0 ? {} : { final: true }) }
  }
  const got: Readonly<Record<string, unknown>> = readingOf(attempt)
  const wrong = Object.entries(wanted).filter(([key, value]) => findMismatch(value, got[key]) !== undefined)
  if (wrong.length === 0) return withText(attempt.error === '' ? attempt.svc_user : attempt.error, attempt)
  const expected = Object.fromEntries(wrong)
  const received = Object.fromEntries(wrong.map(([key]) => [key, got[key]]))
  return {
    ...failure({ code: 'differs', params: { at: '', expected, received } }),
    ...(isFinal(attempt.status) ? { final: true } : {}),
  }
}

const readingOf = ({ status, error, verified_user_id, svc_user }: Data<'simulator.poll'>) => ({
  status,
  error: failureWord(error),
  user_id: verified_user_id,
  svc_user,
})

export const rpWords: StepHandlers<typeof rpSteps> = {
  register: begins('simulator.register'),
  sign_in: begins('simulator.sign-in'),
  expect: expectResult,
  expect_credentials: async ({ user_id, count, credentials, rp }, state) => {
    const listed = await credentialsOf(state, { user_id, rp })
    const { total, credentials: received } = listed
    const wrong = findMismatch(withoutUndefined({ count, credentials }), { count: total, credentials: received })
    if (wrong !== undefined) return failure({ code: 'differs', params: wrong })
    return withText(listed.credentials.map(({ credential_name }) => credential_name).join(', '), listed)
  },
  delete_credential: async ({ user_id, credential_name, rp }, state) => {
    const { credentials } = await credentialsOf(state, { user_id, rp })
    const found = oneCredential(credentials, (each) => each.credential_name, credential_name)
    const params = { rp: findRp(state, rp).id, id: found.credential_id }
    const deleted = await state.client.call('simulator.delete-credential', { params, query: { user_id } })
    return success({ code: 'credentials_deleted', params: { count: deleted.total } }, deleted)
  },
}

type OfUser = Pick<StepInput<'delete_credential'>, 'user_id'> & { readonly rp: string | undefined }

const credentialsOf = (state: ScenarioState, { user_id, rp }: OfUser) =>
  state.client.call('simulator.credentials', { params: { rp: findRp(state, rp).id }, query: { user_id } })
