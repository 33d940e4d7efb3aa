import { afterEach, beforeEach, expect, it } from 'vitest'
import { FAULT_NAMES, type FaultName } from '../../../src-main/core/contract/faults.ts'
import { affects, type Ceremony, type FaultDefinition } from '../../../src-main/phones/authenticator/faults/fault.ts'
import {
  PHONE_ACTIONS,
  type PhoneActionName,
} from '../../../src-main/phones/authenticator/faults/phone-action-names.ts'
import { expectedOutcome, FAULTS } from '../../../src-main/phones/authenticator/faults.ts'
import { isLong, isNightly } from '../../support/parts.ts'
import { modelFor, type PhoneBench, refusedAs, shows, startPhoneBench } from '../../support/phone-bench.ts'
import { replacePhones } from '../../support/replace-phones.ts'

/** One request of a phone about a message, as the service got it. The port and the token differ from run to run. */
type Sent = {
  readonly path: string
  readonly device: string | undefined
  readonly type: string | undefined
  readonly body: string
}

/** What phones have asked of the service since this event, in the order in which it answered. */
const sentSince = (bench: PhoneBench, seq: number): readonly Sent[] =>
  bench.running
    .events('exchange')
    .filter((event) => event.seq > seq && event.request.target.startsWith('/app/messages/'))
    .map(({ request, device_id }) => ({
      path: request.target,
      device: device_id,
      type: request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1],
      body: request.body,
    }))

const answersAmong = (all: readonly Sent[]): readonly Sent[] =>
  all.filter(({ path }) => /\/(attestation|assertion)$/.test(path))

type Told = {
  /** What the phone sends about the message when nothing is wrong: it binds, and it answers. */
  readonly bind: Sent
  readonly answer: Sent
  /** What it sent with the fault. */
  readonly struck: readonly Sent[]
  /** What it had sent about earlier messages. */
  readonly before: readonly Sent[]
  readonly outcome: string | number
}

type SentUnder = Readonly<Record<PhoneActionName, (told: Told) => readonly Sent[]>>

const honest = ({ bind, answer }: Told) => [bind, answer]
const twice = ({ bind, answer }: Told) => [bind, answer, answer]
const bindOnly = ({ bind }: Told) => [bind]
const nothing = () => []
const withBody =
  (change: (body: string) => string) =>
  ({ bind, answer }: Told) => [bind, { ...answer, body: change(answer.body) }]

/** The last thing that the phone sent, if it is an answer of its own and not the honest one. */
const otherAnswer = ({ answer, struck }: Told): Sent => {
  const last = struck.at(-1)
  if (last === undefined || last.body === answer.body || !('response' in JSON.parse(last.body)))
    throw new Error('no other answer')
  return { ...answer, body: last.body }
}

const otherDevice = ({ struck }: Told, from: Sent): Sent => {
  const device = struck.map((sent) => sent.device).find((each) => each !== undefined && each !== from.device)
  if (device === undefined) throw new Error('nothing came from another phone')
  return { ...from, device }
}

const otherCeremony = (path: string): string =>
  path.endsWith('/attestation') ? path.replace(/attestation$/, 'assertion') : path.replace(/assertion$/, 'attestation')

const otherMessage = ({ answer, before }: Told): Sent => {
  const bound = before.findLast(({ path }) => path.endsWith('/bind'))
  if (bound === undefined) throw new Error('no other message was bound')
  return { ...answer, path: bound.path.replace(/bind$/, answer.path.split('/').at(-1) ?? '') }
}

const earlierAnswer = ({ answer, before }: Told): Sent => {
  const earlier = answersAmong(before).at(-1)
  if (earlier === undefined) throw new Error('there was no earlier answer')
  return { ...answer, body: earlier.body }
}

/** What phones send under each of their faults: honest bytes, at the wrong time, in the wrong place or too often. */
const SENT_UNDER: SentUnder = {
  'lose-push': nothing,
  'delay-push': (told) => (told.outcome === 'success' ? honest(told) : []),
  'repeat-push': (told) => [...honest(told), told.bind],

  'stop-after-scan': bindOnly,
  'bind-twice': (told) => [told.bind, ...honest(told)],
  'bind-from-other-phone': (told) => [told.bind, otherDevice(told, told.bind), told.answer],
  'bind-after-expiry': bindOnly,
  'skip-bind': (told) => [otherAnswer(told)],

  'answer-twice': twice,
  'answer-differently': (told) => [...honest(told), otherAnswer(told)],
  'answer-from-other-phone': (told) => [told.bind, otherDevice(told, told.answer)],
  'answer-other-message': (told) => [told.bind, otherMessage(told)],
  'answer-at-other-endpoint': ({ bind, answer }) => [bind, { ...answer, path: otherCeremony(answer.path) }],
  'replay-answer': (told) => [told.bind, earlierAnswer(told)],
  'reject-after-answer': (told) => [...honest(told), { ...told.bind, path: told.bind.path.replace(/bind$/, 'reject') }],
  'answer-after-expiry': honest,
  'answer-at-last-moment': honest,
  'answer-later': honest,
  // Refused by its head; a body as small as this is read all the same.
  'drop-token': ({ bind, answer }) => [bind, { ...answer, device: undefined }],

  'upload-slowly': honest,
  'upload-twice-at-once': twice,
  'lose-response': twice,
  'lose-response-for-good': honest,
  // What was cut off never became a request.
  'cut-upload': bindOnly,
  'cut-upload-and-retry': honest,
  'upload-not-json': withBody((body) => body.slice(0, -1)),
  'upload-array': withBody((body) => `[${body}]`),
  'upload-as-text': ({ bind, answer }) => [bind, { ...answer, type: 'text/plain' }],
  // Refused by its length, before anybody reads it or asks who sends it.
  'upload-too-large': ({ bind, answer }) => [bind, { ...answer, body: '', device: undefined }],
  'upload-empty': withBody(() => ''),
  // test/phones/phone/signals.test.ts has what becomes of the signal.
  'ignore-signal': honest,
  'misattribute-signal': honest,
}

let bench: PhoneBench
beforeEach(async () => {
  bench = await startPhoneBench({ direct: true })
})
afterEach(() => bench.close())

type Attempt = {
  /** What came of it, in the words of the table. */
  readonly outcome: string | number
  readonly sent: readonly Sent[]
  /** What was sent before it. */
  readonly before: readonly Sent[]
  /** The steps at which the judge refused it. */
  readonly failed: readonly string[]
}

/** Everything up to the attempt that the fault strikes, and then that one: with the fault armed or, all else the same, without. */
const attempt = async (bench: PhoneBench, name: FaultName, ceremony: Ceremony, armed: boolean): Promise<Attempt> => {
  const fault = FAULTS[name]
  const { needs = {} } = fault
  if (needs.profile !== undefined) await bench.setProfile(needs.profile)
  if (needs.profile?.attestation === 'require-trusted') await bench.trustOwnRoots()
  const phone = await bench.make({ model: modelFor(fault), behaviour: { answer: 'approve' } })
  const ref = bench.ref(phone)
  if (needs.phones === 2) await bench.phones.create('main', { name: 'Phone B' })
  const method = needs.method === 'push' ? 'push' : 'qrcode'
  const ask = () => (ceremony === 'registration' ? bench.service.registration() : bench.service.authentication(method))
  if (ceremony === 'authentication') {
    await bench.scan(phone, await bench.service.registration())
    if (needs.signedInBefore) await bench.scan(phone, await bench.service.authentication())
  }
  let other: string | undefined
  if (name === 'answered-to-another-message') {
    await bench.phones.patch(ref, { behaviour: { answer: 'ignore' } })
    const message = await ask()
    await bench.scan(phone, message)
    other = message.id
    await bench.phones.patch(ref, { behaviour: { answer: 'approve' } })
  }
  const before = sentSince(bench, 0)
  const from = bench.running.events('exchange').at(-1)?.seq ?? 0
  if (armed) {
    const made = await bench.phones.arm(ref, { fault: name, parameters: quick(fault) })
    expect(made).toMatchObject(shows({ left: 1 }))
  }
  const { id, url } = await ask()
  if (ceremony === 'registration' || method !== 'push') await bench.scan(phone, { url })
  else if (armed) await bench.until(phone, ({ faults }) => faults.length === 0)
  else await bench.until(phone, ({ notifications }) => notifications.some(({ msg_id }) => msg_id === id))
  await bench.phones.idle('main')
  // Everything that takes time, and at last the expiry.
  await bench.clock.advance(300_000)
  expect(bench.stateOf(phone.id).faults).toEqual([])
  const expected = expectedOutcome(fault, ceremony)
  const judged = armed ? (other ?? id) : id
  return {
    outcome: armed && typeof expected === 'number' ? refusalIn(bench, expected) : endOf(bench, judged),
    sent: sentSince(bench, from),
    before,
    failed: failedSteps(bench, judged),
  }
}

/** Pauses of real time as short as they can be; those of the workspace's clock cost nothing. */
const quick = ({ apply }: FaultDefinition): Record<string, number> =>
  'phone' in apply && apply.phone.action === 'upload-slowly' ? { pause_ms: 1 } : {}

const refusalIn = (bench: PhoneBench, expected: number): string | number => {
  const codes = bench.running
    .events('exchange')
    .filter((event) => event.interface === 'app' && event.response.code !== 0)
    .map(({ response }) => response.code)
  return codes.find((code) => code === expected) ?? `codes ${codes}`
}

const endOf = ({ running }: PhoneBench, msgId: string): string => {
  const { to = 'gone', error = '' } = running.events('message').findLast(({ msg_id }) => msg_id === msgId) ?? {}
  return to === 'fail' ? (error.split(':')[0] ?? '') : to
}

const failedSteps = ({ running }: PhoneBench, msgId: string): readonly string[] =>
  running
    .events('verdict')
    .filter(({ msg_id }) => msg_id === msgId)
    .flatMap(({ steps }) => steps.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id))

/** The same attempt without any fault: under one seed it is always the same, so that many faults share it. */
const honestAttempt = (() => {
  const known = new Map<string, Promise<Attempt>>()
  const make = async (name: FaultName, ceremony: Ceremony): Promise<Attempt> => {
    const bench = await startPhoneBench({ direct: true })
    try {
      return await attempt(bench, name, ceremony, false)
    } finally {
      await bench.close()
    }
  }
  return (name: FaultName, ceremony: Ceremony): Promise<Attempt> => {
    const fault = FAULTS[name]
    const same = [ceremony, modelFor(fault), fault.needs, name === 'answered-to-another-message']
    const key = JSON.stringify(same)
    const attempted = known.get(key) ?? make(name, ceremony)
    known.set(key, attempted)
    return attempted
  }
})()

/**
 * `npm test` tries what a phone does, and every eighth fault of its authenticator, at one ceremony that it strikes, the next
 * fault at the other; `npm test -- long` tries every other fault so, and the nightly part each at both ceremonies.
 * test/phones/authenticator/faults.test.ts has each one.
 */
const cases = FAULT_NAMES.flatMap((name, nth) => {
  const { apply } = FAULTS[name]
  const struck = (['registration', 'authentication'] as const).filter((ceremony) => affects(FAULTS[name], ceremony))
  const isShort = 'phone' in apply || nth % 8 === 0
  const once = isShort === isLong ? [] : struck.filter((_, i) => i === Math.floor(nth / 2) % struck.length)
  const tried = isNightly ? struck : once
  return tried.map((ceremony) => [name, ceremony, expectedOutcome(FAULTS[name], ceremony)] as const)
})

it('every fault, over real HTTP, is in the table of what phones send under it, when the phone carries it out', () => {
  const used = FAULT_NAMES.flatMap((name) => {
    const { apply } = FAULTS[name]
    return 'phone' in apply ? apply.phone.action : []
  })
  expect(new Set(used)).toEqual(new Set(Object.keys(PHONE_ACTIONS)))
  expect(new Set(Object.keys(SENT_UNDER))).toEqual(new Set(used))
})

it.each(cases)('%s at %s ends as %s, is felt there only, and all is well without', async (name, ceremony, expected) => {
  const honest = await honestAttempt(name, ceremony)
  expect(honest.outcome).toBe('success')

  const struck = await attempt(bench, name, ceremony, true)
  expect(struck.outcome).toBe(expected)

  const { apply } = FAULTS[name]
  if ('phone' in apply) sendsAsTold(apply.phone.action, honest, struck)
  else differsOnlyAtItsSeam(name, honest, struck)
})

const sendsAsTold = (action: PhoneActionName, honest: Attempt, struck: Attempt): void => {
  const [bind, answer, ...more] = honest.sent
  if (bind === undefined || answer === undefined || more.length > 0) throw new Error('not an honest attempt')
  const told = { bind, answer, struck: struck.sent, before: struck.before, outcome: struck.outcome }
  expect(struck.sent).toEqual(SENT_UNDER[action](told))
}

/** One change breaks two rules that the judge sees. */
const TWO_STEPS: readonly FaultName[] = [
  ...(['client-data-duplicate-member', 'answer-list', 'foreign-credential'] as const),
  ...(['credential-id-too-long', 'credential-id-empty', 'attested-data-changed-after-signing'] as const),
]

/** All that it signs is honest over what it changed: the judge refuses it at one step. */
const differsOnlyAtItsSeam = (name: FaultName, honest: Attempt, struck: Attempt): void => {
  const bodiless = (all: readonly Sent[]) => all.map(({ body: _, ...head }) => head)
  expect(bodiless(struck.sent)).toEqual(bodiless(honest.sent))
  expect(struck.sent).not.toEqual(honest.sent)
  expect(struck.failed.length, struck.failed.join()).toBeLessThanOrEqual(TWO_STEPS.includes(name) ? 2 : 1)
}

const arm = async (fault: Parameters<PhoneBench['phones']['arm']>[1]) => {
  const phone = await bench.make()
  return bench.phones.arm(bench.ref(phone), fault)
}

it.each([
  [{ fault: 'no-such-fault' }, 'no_such_fault'],
  [{ fault: 'push-lost', times: 0 }, 'invalid_fault'],
  [{ fault: 'push-lost', probability: 1.1 }, 'invalid_fault'],
  [{ fault: 'push-lost', probability: 0 }, 'invalid_fault'],
  [{ fault: 'upload-slow', parameters: { piece_bytes: 0 } }, 'invalid_fault'],
  [{ fault: 'push-lost', times: 1, probability: 1 }, 'invalid_fault'],
  [{ fault: 'push-late', parameters: { delay_ms: -1 } }, 'invalid_fault'],
  [{ fault: 'push-late', parameters: { speed: 1 } }, 'invalid_fault'],
])('arming refuses %j as %s', async (fault, word) => {
  expect(await arm(fault)).toMatchObject({ ok: false, error: { word } })
})

it('arming is not armed on a phone that never makes the keys it needs', async () => {
  const phone = await bench.make({ model: 'edwards-two' })
  const armed = await bench.phones.arm(bench.ref(phone), { fault: 'signature-other-half' })
  const params = { wanted: expect.arrayContaining(['ES256']), made: expect.arrayContaining(['Ed25519']) }
  const reason = { code: 'fault_needs_key', params }
  expect(armed).toMatchObject({ ok: false, error: { word: 'fault_not_felt', reason } })
})

it('arming counts attempts of the ceremony that it strikes, and others not', async () => {
  const phone = await bench.make({ behaviour: { answer: 'approve' } })
  const ref = bench.ref(phone)
  await bench.phones.arm(ref, { fault: 'replayed-answer', times: 2 })
  await bench.scan(phone, await bench.service.registration())
  expect(bench.stateOf(phone.id).faults).toMatchObject([{ left: 2 }])
  await bench.scan(phone, await bench.service.authentication())
  expect(bench.stateOf(phone.id).faults).toMatchObject([{ left: 1 }])
})

it('arming ends when it is disarmed', async () => {
  const phone = await bench.make()
  const armed = await bench.phones.arm(bench.ref(phone), { fault: 'push-lost', times: 5 })
  const id = armed.ok ? armed.value.id : ''
  expect(await bench.phones.disarm({ ...bench.ref(phone), fault_id: 'flt_no' })).toMatchObject(
    refusedAs('no_such_fault'),
  )
  expect(await bench.phones.disarm({ ...bench.ref(phone), fault_id: id })).toMatchObject(shows({ faults: [] }))
  expect(await bench.phones.disarm(bench.ref(phone))).toMatchObject(shows({ faults: [] }))
})

it('arming is part of what a snapshot brings back', async () => {
  const phone = await bench.make()
  await bench.phones.arm(bench.ref(phone), { fault: 'push-lost', times: 5 })
  const kept = await bench.phones.snapshot('main')
  await bench.phones.disarm(bench.ref(phone))
  await replacePhones(bench.phones, kept)
  expect(bench.stateOf(phone.id).faults).toMatchObject([{ fault: 'push-lost', left: 5 }])
})
