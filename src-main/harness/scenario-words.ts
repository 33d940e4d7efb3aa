import type { Body, ControlClient, ControlPhone } from '../sdk/client.ts'
import { qrPicture } from './qr-picture.ts'

type Input = Readonly<Record<string, unknown>>

/** What steps hand on to each other. */
export type ScenarioState = {
  readonly client: ControlClient
  readonly rp: string
  /** Phone ids by the scenario's short names. */
  readonly phones: Readonly<Record<string, { readonly id: string; readonly name: string }>>
  /** The RP's requests by the names steps gave them; the latest one under ''. */
  readonly messages: Map<string, { readonly msg_id: string; readonly url: string }>
  /** The latest event before the step. */
  readonly seq: number
}

/** A step went as the scenario says, or what was expected and what was received. */
export type StepOutcome =
  | { readonly ok: true; readonly said: string }
  | { readonly ok: false; readonly expected: string; readonly received: string }

type Word = {
  readonly required: readonly string[]
  /** `*`: any others. */
  readonly optional: readonly string[]
  title(input: Input, state: ScenarioState): string
  run(input: Input, state: ScenarioState): Promise<StepOutcome>
}

const said = (text: string): StepOutcome => ({ ok: true, said: text })

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
    optional: ['message'],
    title: (input, state) => `${nameOf(state, input)} opens the push`,
    run: async (input, state) => {
      const params = idOf(state, input)
      const { msg_id } = messageOf(state, input)
      const has = (phone: { readonly notifications: readonly { readonly msg_id: string }[] }): boolean =>
        phone.notifications.some((one) => one.msg_id === msg_id)
      if (!has(await state.client.call('phones.get', { params }))) {
        const match = { kind: 'phone', change: 'pushed', phone_id: params.id }
        await state.client.call('events.wait', { body: { match, after: 0, timeout_ms: 5000 } })
      }
      const phone = await state.client.call('phones.open', { params, body: { msg_id } })
      return shows(phone.screen)
    },
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
    optional: ['message', 'error', 'user_id', 'svc_user'],
    title: ({ status }) => `RP reads the result: ${status}`,
    run: async ({ message, ...wanted }, state) => {
      const { msg_id } = messageOf(state, { message })
      const attempt = await state.client.call('simulator.poll', { params: { rp: state.rp, msg_id } })
      if (attempt.refusal !== null) return differs(wanted, `${attempt.refusal.code} ${attempt.refusal.error}`)
      const got = {
        status: attempt.status,
        // The machine word before the colon is stable; the sentence behind it is for people.
        error: attempt.error.split(':')[0] ?? '',
        user_id: attempt.verified_user_id,
        svc_user: attempt.svc_user,
      }
      const wrong = Object.entries(wanted).filter(([key, value]) => got[key as keyof typeof got] !== value)
      if (wrong.length > 0)
        return differs(
          Object.fromEntries(wrong),
          JSON.stringify(
            pick(
              got,
              wrong.map(([key]) => key),
            ),
          ),
        )
      return said(attempt.error === '' ? attempt.svc_user : attempt.error)
    },
  },
  expect_credentials: {
    required: ['user_id', 'count'],
    optional: [],
    title: ({ user_id, count }) =>
      `${user_id} has ${count === 0 ? 'no credential' : count === 1 ? 'one credential' : `${count} credentials`}`,
    run: async ({ user_id, count }, state) => {
      const query = { rp: state.rp, user_id: String(user_id) }
      const { credentials } = await state.client.call('credentials.list', { query })
      if (credentials.length !== count) return differs({ count }, String(credentials.length))
      return said(credentials.map(({ name, storage }) => `${name} (${storage})`).join(', '))
    },
  },
  clock: {
    required: [],
    optional: ['now', 'frozen', 'speed'],
    title: ({ frozen }) => (frozen === true ? 'Time stands still' : 'The clock is set'),
    run: async (input, state) => {
      const clock = await state.client.call('clock.put', { body: input })
      return said(new Date(clock.now).toISOString())
    },
  },
  advance: {
    required: [],
    optional: ['ms', 's', 'to'],
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
    title: (input) => `The profile changes: ${Object.keys(input).join(', ')}`,
    run: async (input, state) => {
      const { changed } = await state.client.call('profile.patch', { body: input })
      return said(changed.join(', '))
    },
  },
  weather: {
    required: [],
    optional: ['rp', 'app'],
    title: () => 'The weather changes',
    run: async (input, state) => {
      await state.client.call('weather.put', { body: input as Record<never, never> })
      return said(JSON.stringify(input))
    },
  },
  wait: {
    required: [],
    optional: ['*'],
    title: (input) => `Something happens: ${Object.values(input).join(' ')}`,
    run: async (match, state) => {
      const event = await state.client.call('events.wait', { body: { match, after: 0, timeout_ms: 5000 } })
      return said(`event ${event.seq}`)
    },
  },
} as const satisfies Readonly<Record<string, Word>>

/** With these something new begins. */
export const BEGINNINGS: ReadonlySet<string> = new Set(['register', 'sign_in'])

export type ScenarioWord = keyof typeof scenarioWords

export const wordNamed = (word: ScenarioWord): Word => scenarioWords[word]

const STORES: Readonly<Record<string, string>> = { cloud: 'kept in the cloud', chip: 'kept in the chip' }

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

const messageOf = (state: ScenarioState, { message }: Input): { readonly msg_id: string; readonly url: string } => {
  const found = state.messages.get(String(message ?? ''))
  if (found === undefined) throw new ScenarioMistake(`there is no message "${message ?? ''}" yet.`)
  return found
}

/** The scenario asks for something that does not exist: the author's mistake, not the service's. */
export class ScenarioMistake extends Error {}

const phoneOf = (state: ScenarioState, { phone }: Input) => {
  const found = state.phones[String(phone)]
  if (found === undefined) throw new ScenarioMistake(`there is no phone "${phone}".`)
  return found
}

const idOf = (state: ScenarioState, input: Input): { readonly id: string } => ({ id: phoneOf(state, input).id })

const nameOf = (state: ScenarioState, input: Input): string => phoneOf(state, input).name

/** A problem on the screen is a failed step; anything else is what the step did. */
const shows = (screen: ControlPhone['screen']): StepOutcome => {
  if (screen.kind === 'problem') {
    return { ok: false, expected: 'no problem on the screen', received: `${screen.word}: ${screen.text}` }
  }
  if ('text' in screen) return said(screen.text)
  if (!('prompt' in screen)) return said(`shows ${screen.kind}`)
  const { kind, rp } = screen.prompt
  return said(kind === 'registration' ? `asks: register with ${rp.name}?` : `asks: sign in to ${rp.name}?`)
}

const differs = (wanted: Input, received: string): StepOutcome => ({
  ok: false,
  expected: JSON.stringify(wanted),
  received,
})

const pick = (from: Readonly<Record<string, unknown>>, keys: readonly string[]): Input =>
  Object.fromEntries(keys.map((key) => [key, from[key]]))
