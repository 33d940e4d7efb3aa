import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { monotonicMicros } from '../../../src-main/bench/harness/clock.ts'
import type { ControlPhone } from '../../../src-main/core/contract/control/states.ts'
import { FAULT_NAMES, type FaultName } from '../../../src-main/core/contract/faults.ts'
import type { MessageState } from '../../../src-main/core/protocol/message-state.ts'
import { affects, type Ceremony } from '../../../src-main/phones/authenticator/faults/fault.ts'
import { PHONE_ACTIONS } from '../../../src-main/phones/authenticator/faults/phone-action-names.ts'
import { expectedOutcome, FAULTS } from '../../../src-main/phones/authenticator/faults.ts'
import { MODELS } from '../../../src-main/phones/authenticator/models.ts'
import { type Body, ControlError } from '../../../src-main/sdk/client.ts'
import { runScenario } from '../../../src-main/testing/scenario/run-scenario.ts'
import type { StepReport } from '../../../src-main/testing/scenario/scenario-setting.ts'
import { ALICE, cast, START } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { parseOne } from '../../support/parse-one.ts'
import { isLong, isNightly } from '../../support/parts.ts'
import { modelFor } from '../../support/phone-bench.ts'

const bench = benchOfFile()

type Way = 'registration' | 'qrcode' | 'push'

/** A page on a workspace of its own: what a person does there. */
const openPage = async (
  setting: { profile?: Record<string, unknown>; phone?: Partial<Body<'phones.create'>> } = {},
) => {
  const { profile = {}, phone = {} } = setting
  const { id: workspace } = await bench.client.call('workspaces.create', { body: { profile } })
  const client = bench.client.workspace(workspace)
  await client.call('clock.put', { body: { now: START, frozen: true } })
  const players = await cast(client, phone)
  const params = { id: players.phone }
  const lastSeq = async () => (await client.call('events.list', { query: { limit: 1, latest: true } })).last_seq
  const ask = (way: Way) =>
    way === 'registration'
      ? client.call('simulator.register', { params: { rp: players.rp }, body: { ...ALICE, poll: false } })
      : client.call('simulator.sign-in', { params: { rp: players.rp }, body: { ...ALICE, method: way, poll: false } })
  let asked = ''
  const page = {
    client,
    phone: params,
    /** Of the attempt that was begun last. */
    url: () => asked,
    lastSeq,
    ask,
    scan: (url: string) => unlessRefused(client.call('phones.scan', { params, body: { url } })),
    approve: (body: Body<'phones.approve'> = {}) => unlessRefused(client.call('phones.approve', { params, body })),
    reject: (body: Body<'phones.reject'> = {}) => unlessRefused(client.call('phones.reject', { params, body })),
    arm: (fault: string, parameters: Record<string, number> = {}) =>
      client.call('phones.arm', { params, body: { fault, parameters } }),
    advance: (ms: number) => client.call('clock.advance', { body: { ms } }),
    /** Scans or opens what the RP asks, as far as the phone can; a push that is late is waited for. */
    begin: async (way: Way) => {
      const after = await lastSeq()
      const { faults } = await client.call('phones.get', { params })
      const attempt = await ask(way)
      asked = attempt.url
      if (way !== 'push') {
        await page.scan(attempt.url)
        return attempt
      }
      const match = { kind: 'phone', phone_id: players.phone }
      const push = faults.some(({ fault }) => fault.startsWith('push-'))
        ? { ...match, struck: { msg_id: attempt.msg_id } }
        : { ...match, change: 'pushed' }
      await client.call('events.wait', { body: { match: push, after } })
      if (faults.some(({ fault }) => fault === 'push-late')) await page.advance(60_000)
      await unlessRefused(client.call('phones.open', { params, body: { msg_id: attempt.msg_id } }))
      return attempt
    },
    /** From beginning to end, as a person does it who notices nothing. */
    through: async (way: Way) => {
      const attempt = await page.begin(way)
      await page.approve()
      return attempt
    },
    /** The message as a scenario; the latest where none is named. */
    copy: async (msgId?: string): Promise<{ readonly text: string; readonly state: string }> => {
      const { messages } = await client.call('messages.list', { query: { limit: 1 } })
      const msg_id = msgId ?? messages[0]?.id ?? ''
      const { state } = await client.call('messages.get', { params: { id: msg_id } })
      const { scenario } = await client.call('events.scenario', { query: { msg_id } })
      return { text: scenario, state }
    },
    close: () => bench.client.call('workspaces.close', { params: { id: workspace } }),
  }
  return page
}

type Page = Awaited<ReturnType<typeof openPage>>

/** The phone's screen says what stood in the way; the person goes on from there. */
const unlessRefused = async (call: Promise<ControlPhone>): Promise<ControlPhone | undefined> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof ControlError) return undefined
    throw error
  }
}

const replay = async (text: string): Promise<readonly StepReport[]> => {
  const reports: StepReport[] = []
  await runScenario(parseOne(text), {
    client: bench.client,
    start: START,
    micros: monotonicMicros,
    pause: (ms) => setTimeout(ms),
    stop: new AbortController().signal,
    onStep: (report) => void reports.push(report),
  })
  return reports.filter(({ ok }) => !ok)
}

/** It ended like this, and so does its copy. */
const replaysAs = async (page: Page, state: MessageState): Promise<string> => {
  const { text, state: ended } = await page.copy()
  expect(ended).toBe(state)
  expect(text).toContain(`to: ${state}`)
  expect(await replay(text), text).toEqual([])
  return text
}

type Act = (page: Page) => Promise<unknown>

const act = {
  ask: (way: Way) => (page: Page) => page.ask(way),
  begin: (way: Way) => (page: Page) => page.begin(way),
  through: (way: Way) => (page: Page) => page.through(way),
  scanAgain: (page: Page) => page.scan(page.url()),
  approve: (body?: Body<'phones.approve'>) => (page: Page) => page.approve(body),
  reject: (body?: Body<'phones.reject'>) => (page: Page) => page.reject(body),
  arm: (fault: string, parameters?: Record<string, number>) => (page: Page) => page.arm(fault, parameters),
  armOften: (fault: string, times: number) => (page: Page) =>
    page.client.call('phones.arm', { params: page.phone, body: { fault, times } }),
  advance: (ms: number) => (page: Page) => page.advance(ms),
  outage: (fail_percent: number) => (page: Page) =>
    page.client.call('conditions.put', { body: { app: { fail_percent } } }),
  forget: async ({ client, phone }: Page) => {
    const { credentials } = await client.call('phones.get', { params: phone })
    for (const { id: credential_id } of credentials)
      await client.call('phones.forget-credential', { params: { ...phone, credential_id } })
  },
}

const REGISTERED = act.through('registration')
const BEGUN = act.begin('registration')
const EXPIRED = act.advance(180_000)
const APPROVED = act.approve()
const ON_CHIP = act.approve({ storage: 'chip' })
const IN_CLOUD = act.approve({ storage: 'cloud' })
const FORGED = act.arm('origin-wrong')
const [OUT, BACK] = [act.outage(100), act.outage(0)]

type Told = readonly [title: string, state: MessageState, acts: readonly Act[]]

const HONEST: readonly Told[] = [
  ['a registration', 'success', [REGISTERED]],
  ['a sign-in by QR code', 'success', [REGISTERED, act.through('qrcode')]],
  ['a sign-in by push', 'success', [REGISTERED, act.through('push')]],
  ['a no', 'fail', [BEGUN, act.reject()]],
  ['a no for a reason', 'fail', [BEGUN, act.reject({ reason: 'stolen_screen' })]],
  ['a phone that has no credential for it', 'fail', [REGISTERED, act.forget, act.begin('qrcode')]],
  ['a phone that is registered already', 'fail', [REGISTERED, REGISTERED]],
  ['no phone scans', 'timeout', [act.ask('registration'), EXPIRED]],
  ['no answer', 'timeout', [BEGUN, EXPIRED]],
  ['an unopened push', 'timeout', [REGISTERED, act.ask('push'), EXPIRED]],
  ['an unanswered push', 'timeout', [REGISTERED, act.begin('push'), EXPIRED]],
  ['a yes after an outage', 'success', [BEGUN, OUT, APPROVED, BACK, REGISTERED]],
  ['an outage to the end', 'timeout', [OUT, BEGUN, EXPIRED]],
]

const DELAYED = [act.arm('answer-late', { delay_ms: 45_000 }), REGISTERED, act.advance(45_000)]
const ONCE_MORE = [act.scanAgain, APPROVED]
const THRICE = act.armOften('upload-empty', 3)
const LOST = act.arm('push-lost')

const STRUCK: readonly Told[] = [
  ['a delay that was chosen', 'success', DELAYED],
  ['a fault that came back three times', 'timeout', [THRICE, REGISTERED, ...ONCE_MORE, ...ONCE_MORE, EXPIRED]],
  ['an upload that broke off and was tried again', 'success', [act.arm('upload-cut-off'), REGISTERED, APPROVED]],
  ['two faults at once', 'fail', [FORGED, act.arm('response-lost-for-good'), REGISTERED]],
  ['a fault whose attempt an outage ended', 'success', [FORGED, BEGUN, OUT, ON_CHIP, BACK, act.scanAgain, ON_CHIP]],
  ['a fault that went on after an outage of the cloud', 'fail', [FORGED, BEGUN, OUT, IN_CLOUD, BACK, IN_CLOUD]],
  ['a fault in an attempt that was declined', 'fail', [FORGED, BEGUN, act.reject()]],
  ['a lost push whose code was scanned', 'success', [REGISTERED, LOST, act.begin('push'), ...ONCE_MORE]],
]

const doAll = async (page: Page, acts: readonly Act[]): Promise<void> => {
  for (const each of acts) await each(page)
}

// `npm test` has played them.
describe.skipIf(isLong)('a copied scenario ends like what was copied', () => {
  it.each([...HONEST, ...STRUCK])('%s: %s', async (_title, state, acts) => {
    const page = await openPage()
    await doAll(page, acts)
    await replaysAs(page, state)
    await page.close()
  })

  it('a phone without a trusted maker under a profile that wants one', async () => {
    const page = await openPage({ profile: { attestation: 'require-trusted' }, phone: { model: 'cloud-pebble' } })
    await page.through('registration')
    const text = await replaysAs(page, 'fail')
    const lenient = text.replace('require-trusted', 'accept-any').replace(/(to: fail,.*) \}/, '$1, until: { ms: 50 } }')
    expect(await replay(lenient)).toMatchObject([{ word: 'wait' }])
    await page.close()
  })

  it('a delay is what makes it so', async () => {
    const page = await openPage()
    await doAll(page, DELAYED)
    const { text } = await page.copy()
    const sooner = text
      .replace('{ ms: 45000 }', '{ ms: 44999 }')
      .replace('to: success }', 'to: success, until: { ms: 50 } }')
    expect(await replay(sooner)).toMatchObject([{ word: 'wait' }])
    await page.close()
  })
})

type Case = readonly [name: FaultName, ceremony: Ceremony]

/** `answered-to-another-message` needs a second request, and the scenario of a message has that message alone. */
const ALL: readonly Case[] = FAULT_NAMES.filter((name) => name !== 'answered-to-another-message').flatMap((name) =>
  (['registration', 'authentication'] as const)
    .filter((ceremony) => affects(FAULTS[name], ceremony))
    .map((ceremony) => [name, ceremony] as const),
)

/** Faults that go alike through a copy: what has to be so for them, who carries them out and how the attempt ends. */
const likeness = ([name, ceremony]: Case): string => {
  const { needs: { attestation, algorithms, ...needs } = {}, apply, ...fault } = FAULTS[name]
  const outcome = expectedOutcome(FAULTS[name], ceremony)
  const known = typeof outcome === 'number' || outcome === 'success' || outcome === 'timeout'
  const byPhone = 'phone' in apply ? [PHONE_ACTIONS[apply.phone.action].at, fault.seam, outcome] : [ceremony]
  return JSON.stringify([needs, byPhone, known ? outcome : 'fail'])
}

/** Registrations where there is a choice: they are shorter. */
const oneOfEach = [...new Map(ALL.toReversed().map((each) => [likeness(each), each])).values()]
const OWN_WAYS: readonly FaultName[] = ['response-lost-for-good', 'replayed-answer']
const some = [
  ...new Set([...oneOfEach.filter((_, i) => i % 4 === 0), ...ALL.filter(([name]) => OWN_WAYS.includes(name))]),
]
/** One of each likeness and what a phone carries out: those that are not among `some`. The nightly part has every fault. */
const others = [...new Set([...oneOfEach, ...ALL.filter(([name]) => 'phone' in FAULTS[name].apply)])].filter(
  (each) => !some.includes(each),
)

const struckStory = async ([name, ceremony]: Case) => {
  const fault = FAULTS[name]
  const { needs = {}, apply } = fault
  const model = modelFor(fault)
  const page = await openPage({ profile: { ...needs.profile }, phone: { model, storage: MODELS[model].storage } })
  const way = ceremony === 'registration' ? 'registration' : needs.method === 'push' ? 'push' : 'qrcode'
  if (ceremony === 'authentication') await page.through('registration')
  if (needs.signedInBefore) await page.through('qrcode')
  await page.arm(name, 'phone' in apply && apply.phone.action === 'upload-slowly' ? { pause_ms: 1 } : {})
  const attempt = await page.through(way)
  await page.advance(300_000)
  return { page, msgId: attempt.msg_id }
}

describe('a copied scenario ends alike under a fault', () => {
  it.each(isNightly ? ALL : isLong ? others : some)('%s at %s', async (...struck) => {
    const { page, msgId } = await struckStory(struck)
    const { text } = await page.copy(msgId)
    expect(await replay(text), text).toEqual([])
    await page.close()
  })
})
