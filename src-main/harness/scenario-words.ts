import { errors } from '../contract/errors.ts'
import type { Body } from '../sdk/client.ts'
import { expectResult, MESSAGE_STATES } from './expect-result.ts'
import { openPush } from './open-push.ts'
import { qrPicture } from './qr-picture.ts'
import {
  failure,
  type Input,
  idOf,
  messageOf,
  nameOf,
  type ScenarioState,
  type StepOutcome,
  said,
  shows,
} from './scenario-state.ts'
import { limitOf, limitText, startLimit, untilProblem } from './time-limit.ts'
import { waitForEvent } from './wait-for-event.ts'

type Word = {
  readonly required: readonly string[]
  /** `*`: any others. */
  readonly optional: readonly string[]
  /** What a value should have been, told before anything runs. */
  readonly problem?: (input: Input) => string | undefined
  title(input: Input, state: ScenarioState): string
  run(input: Input, state: ScenarioState): Promise<StepOutcome>
}

const nothingIn = (changes: Input): string | undefined =>
  Object.keys(changes).length === 0 ? 'it needs something to change' : undefined

export const scenarioWords = {
  register: {
    required: ['user_id', 'username'],
    optional: ['display_name', 'credential_name', 'form', 'as'],
    title: ({ username }) => `RP asks to register ${username}`,
    run: async (input, state) => begun(state, input, 'simulator.register'),
  },
  sign_in: {
    required: ['user_id', 'username', 'method'],
    optional: ['form', 'as'],
    title: ({ username, method }) => `RP asks ${username} to sign in by ${method === 'push' ? 'push' : 'QR code'}`,
    run: async (input, state) => begun(state, input, 'simulator.sign-in'),
  },
  scan: {
    required: ['phone'],
    optional: ['message'],
    title: (input, state) => `${nameOf(state, input)} scans the code`,
    run: async (input, state) => {
      const { width, height, rgba } = qrPicture(messageOf(state, input).url)
      const picture = { width, height, data: Buffer.from(rgba).toString('base64') }
      const phone = await state.client.call('phones.scan', { params: idOf(state, input), body: { rgba: picture } })
      return shows(phone.screen)
    },
  },
  open: {
    required: ['phone'],
    optional: ['message', 'until'],
    problem: ({ until }) => untilProblem(until),
    title: (input, state) => `${nameOf(state, input)} opens the push`,
    run: openPush,
  },
  approve: {
    required: ['phone'],
    optional: ['storage', 'delay_ms'],
    title: (input, state) =>
      `${nameOf(state, input)} approves${input.storage === undefined ? '' : `, ${STORES[String(input.storage)] ?? input.storage}`}`,
    run: async ({ phone: _, ...body }, state) => {
      const phone = await state.client.call('phones.approve', { params: idOf(state, { phone: _ }), body })
      return shows(phone.screen)
    },
  },
  reject: {
    required: ['phone'],
    optional: ['reason'],
    title: (input, state) => `${nameOf(state, input)} says no`,
    run: async ({ phone: _, ...body }, state) => {
      const phone = await state.client.call('phones.reject', { params: idOf(state, { phone: _ }), body })
      return shows(phone.screen)
    },
  },
  set_phone: {
    required: ['phone'],
    optional: ['network', 'storage', 'behaviour', 'name', 'model'],
    problem: ({ phone: _, ...changes }) => nothingIn(changes),
    title: (input, state) => `${nameOf(state, input)} changes`,
    run: async ({ phone: _, ...body }, state) => {
      const phone = await state.client.call('phones.patch', { params: idOf(state, { phone: _ }), body })
      return said(`${phone.network}, ${phone.behaviour.answer}`)
    },
  },
  arm: {
    required: ['phone', 'fault'],
    optional: ['times', 'probability', 'parameters'],
    title: (input, state) => `${nameOf(state, input)} will commit ${input.fault}`,
    run: async (input, state) => {
      const { phone: _, ...body } = input
      const armed = await state.client.call('phones.arm', {
        params: idOf(state, input),
        body: body as Body<'phones.arm'>,
      })
      return said(
        armed.left === undefined
          ? `with probability ${armed.probability}`
          : `${armed.left} time${armed.left === 1 ? '' : 's'}`,
      )
    },
  },
  expect: {
    required: ['status'],
    optional: ['message', 'error', 'user_id', 'svc_user', 'until'],
    problem: ({ status, until }) =>
      MESSAGE_STATES.some((known) => known === status)
        ? untilProblem(until)
        : `"status" must be one of ${MESSAGE_STATES.join(', ')}; got ${JSON.stringify(status)}`,
    title: ({ status }) => `RP reads the result: ${status}`,
    run: expectResult,
  },
  expect_credentials: {
    required: ['user_id', 'count'],
    optional: [],
    problem: ({ count }) =>
      Number.isInteger(count) ? undefined : `"count" must be a whole number; got ${JSON.stringify(count)}`,
    title: ({ user_id, count }) =>
      `${user_id} has ${count === 0 ? 'no credential' : count === 1 ? 'one credential' : `${count} credentials`}`,
    run: async ({ user_id, count }, state) => {
      const query = { user_id: String(user_id) }
      const { total, credentials } = await state.client.call('simulator.credentials', {
        params: { rp: state.rp },
        query,
      })
      if (total !== count) return failure(JSON.stringify({ count }), JSON.stringify({ count: total }))
      return said(credentials.map(({ credential_name }) => credential_name).join(', '))
    },
  },
  clock: {
    required: [],
    optional: ['now', 'frozen', 'speed'],
    problem: nothingIn,
    title: ({ frozen }) => (frozen === true ? 'Time stands still' : 'The clock is set'),
    run: async (input, state) => {
      const clock = await state.client.call('clock.put', { body: input })
      return said(new Date(clock.now).toISOString())
    },
  },
  advance: {
    required: [],
    optional: ['ms', 's', 'to'],
    problem: (input) => {
      const [[unit, value] = [], ...more] = Object.entries(input)
      const fits = unit === 'to' ? value === 'next-expiry' : Number.isFinite(value)
      return more.length === 0 && fits ? undefined : 'it needs {s: SECONDS}, {ms: MILLISECONDS} or {to: next-expiry}'
    },
    title: ({ ms, s, to }) =>
      to === undefined
        ? `Time moves on by ${ms === undefined ? `${s} s` : `${ms} ms`}`
        : 'Time moves on to the next expiry',
    run: async ({ ms, s, to }, state) => {
      const by = ms === undefined ? Math.round(Number(s) * 1000) : Number(ms)
      const body: Body<'clock.advance'> = to === undefined ? { ms: by } : { to: 'next-expiry' }
      const clock = await state.client.call('clock.advance', { body })
      return said(new Date(clock.now).toISOString())
    },
  },
  profile: {
    required: [],
    optional: ['*'],
    problem: nothingIn,
    title: (input) => `The profile changes: ${Object.keys(input).join(', ')}`,
    run: async (input, state) => {
      const { changed } = await state.client.call('profile.patch', { body: input })
      return said(changed.join(', '))
    },
  },
  conditions: {
    required: [],
    optional: ['rp', 'app'],
    problem: nothingIn,
    title: () => 'The conditions change',
    run: async (input, state) => {
      await state.client.call('conditions.put', { body: input as Record<never, never> })
      return said(JSON.stringify(input))
    },
  },
  wait: {
    required: [],
    optional: ['*'],
    problem: ({ until, ...match }) =>
      Object.keys(match).length === 0 ? 'it needs fields of an event, such as kind: message' : untilProblem(until),
    title: ({ until: _, ...match }) => `Something happens: ${Object.values(match).map(plain).join(' ')}`,
    run: async ({ until, ...match }, state) => {
      const found = await waitForEvent(state, { match, left: startLimit(state, { until }) })
      if (found.ok) return said(`event ${found.value.seq}`)
      return {
        code: errors.wait_ended.code,
        ...failure(`an event with ${JSON.stringify(match)} within ${limitText(limitOf(until))}`, found.error),
      }
    },
  },
} as const satisfies Readonly<Record<string, Word>>

/** With these something new begins. */
export const BEGINNINGS: ReadonlySet<string> = new Set(['register', 'sign_in'])

export type ScenarioWord = keyof typeof scenarioWords

/** They look back from where the step before began. A wait that follows a wait looks on from what the first one found. */
export const WAITS: ReadonlySet<string> = new Set(['wait'])

export const wordNamed = (word: ScenarioWord): Word => scenarioWords[word]

const STORES: Readonly<Record<string, string>> = { cloud: 'kept in the cloud', chip: 'kept in the chip' }

const plain = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const begun = async (
  state: ScenarioState,
  { as = '', ...request }: Input,
  id: 'simulator.register' | 'simulator.sign-in',
): Promise<StepOutcome> => {
  // Polls are steps of the scenario: an RP that polls by itself would make every run another one.
  const body = { ...request, poll: false } as never
  const attempt = await state.client.call(id, { params: { rp: state.rp }, body })
  state.messages.set('', attempt)
  state.messages.set(String(as), attempt)
  return said(attempt.url.slice(attempt.url.indexOf('#')))
}
