import { errors } from '../contract/errors.ts'
import type { StepInput, StepWord } from '../contract/scenario.ts'
import { expectResult } from './expect-result.ts'
import { openPush } from './open-push.ts'
import { qrPicture } from './qr-picture.ts'
import {
  type BegunMessage,
  failure,
  idOf,
  messageOf,
  nameOf,
  type ScenarioState,
  type StepOutcome,
  said,
  shows,
} from './scenario-state.ts'
import { limitText, startLimit } from './time-limit.ts'
import { waitForEvent } from './wait-for-event.ts'

type Word<W extends StepWord> = {
  title(input: StepInput<W>, state: ScenarioState): string
  run(input: StepInput<W>, state: ScenarioState): Promise<StepOutcome>
}

export const scenarioWords: { readonly [W in StepWord]: Word<W> } = {
  register: {
    title: ({ username }) => `RP asks to register ${username}`,
    run: async ({ as, ...request }, state) => {
      const body = { ...request, ...BY_STEPS }
      return begun(state, await state.client.call('simulator.register', { params: { rp: state.rp }, body }), as)
    },
  },
  sign_in: {
    title: ({ username, method }) => `RP asks ${username} to sign in by ${method === 'push' ? 'push' : 'QR code'}`,
    run: async ({ as, ...request }, state) => {
      const body = { ...request, ...BY_STEPS }
      return begun(state, await state.client.call('simulator.sign-in', { params: { rp: state.rp }, body }), as)
    },
  },
  scan: {
    title: (input, state) => `${nameOf(state, input)} scans the code`,
    run: async (input, state) => {
      const { width, height, rgba } = qrPicture(messageOf(state, input.message).url)
      const picture = { width, height, data: Buffer.from(rgba).toString('base64') }
      const phone = await state.client.call('phones.scan', { params: idOf(state, input), body: { rgba: picture } })
      return shows(phone.screen)
    },
  },
  open: {
    title: (input, state) => `${nameOf(state, input)} opens the push`,
    run: openPush,
  },
  approve: {
    title: (input, state) =>
      `${nameOf(state, input)} approves${input.storage === undefined ? '' : `, ${STORES[input.storage]}`}`,
    run: async ({ phone, ...body }, state) =>
      shows((await state.client.call('phones.approve', { params: idOf(state, { phone }), body })).screen),
  },
  reject: {
    title: (input, state) => `${nameOf(state, input)} says no`,
    run: async ({ phone, ...body }, state) =>
      shows((await state.client.call('phones.reject', { params: idOf(state, { phone }), body })).screen),
  },
  set_phone: {
    title: (input, state) => `${nameOf(state, input)} changes`,
    run: async ({ phone, ...body }, state) => {
      const { network, behaviour } = await state.client.call('phones.patch', { params: idOf(state, { phone }), body })
      return said(`${network}, ${behaviour.answer}`)
    },
  },
  arm: {
    title: (input, state) => `${nameOf(state, input)} will commit ${input.fault}`,
    run: async ({ phone, ...body }, state) => {
      const { left, probability } = await state.client.call('phones.arm', { params: idOf(state, { phone }), body })
      return said(left === undefined ? `with probability ${probability}` : `${left} time${left === 1 ? '' : 's'}`)
    },
  },
  expect: {
    title: ({ status }) => `RP reads the result: ${status}`,
    run: expectResult,
  },
  expect_credentials: {
    title: ({ user_id, count }) =>
      `${user_id} has ${count === 0 ? 'no credential' : count === 1 ? 'one credential' : `${count} credentials`}`,
    run: async ({ user_id, count }, state) => {
      const { total, credentials } = await state.client.call('simulator.credentials', {
        params: { rp: state.rp },
        query: { user_id },
      })
      if (total !== count) return failure(JSON.stringify({ count }), JSON.stringify({ count: total }))
      return said(credentials.map(({ credential_name }) => credential_name).join(', '))
    },
  },
  clock: {
    title: ({ frozen }) => (frozen === true ? 'Time stands still' : 'The clock is set'),
    run: async (body, state) => said(timeOf(await state.client.call('clock.put', { body }))),
  },
  advance: {
    title: (input) =>
      'to' in input
        ? 'Time moves on to the next expiry'
        : `Time moves on by ${'s' in input ? `${input.s} s` : `${input.ms} ms`}`,
    run: async (input, state) => {
      const body = 's' in input ? { ms: Math.round(input.s * 1000) } : input
      return said(timeOf(await state.client.call('clock.advance', { body })))
    },
  },
  profile: {
    title: (input) => `The profile changes: ${Object.keys(input).join(', ')}`,
    run: async (body, state) => said((await state.client.call('profile.patch', { body })).changed.join(', ')),
  },
  conditions: {
    title: () => 'The conditions change',
    run: async (body, state) => {
      await state.client.call('conditions.put', { body })
      return said(JSON.stringify(body))
    },
  },
  wait: {
    title: ({ until: _, ...match }) => `Something happens: ${Object.values(match).map(plain).join(' ')}`,
    run: async ({ until, ...match }, state) => {
      const found = await waitForEvent(state, { match, left: startLimit(state, until) })
      if (found.ok) return said(`event ${found.value.seq}`)
      return {
        code: errors.wait_ended.code,
        ...failure(`an event with ${JSON.stringify(match)} within ${limitText(until)}`, found.error),
      }
    },
  },
}

/** With these something new begins. */
export const BEGINNINGS: ReadonlySet<string> = new Set<StepWord>(['register', 'sign_in'])

/** They look back from where the step before began. A wait that follows a wait looks on from what the first one found. */
export const WAITS: ReadonlySet<string> = new Set<StepWord>(['wait'])

/** Polls are steps of the scenario: an RP that polls by itself would make every run another one. */
const BY_STEPS = { poll: false } as const

const STORES = { cloud: 'kept in the cloud', chip: 'kept in the chip' } as const

const plain = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const timeOf = ({ now }: { readonly now: number }): string => new Date(now).toISOString()

const begun = (state: ScenarioState, message: BegunMessage, as = ''): StepOutcome => {
  state.messages.set('', message)
  state.messages.set(as, message)
  return said(message.url.slice(message.url.indexOf('#')))
}
