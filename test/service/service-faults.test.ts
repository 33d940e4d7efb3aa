import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { realClock } from '../../src-main/bench/harness/clock.ts'
import { RP_OPERATIONS } from '../../src-main/core/contract/rp/routes.ts'
import {
  type FaultParameter,
  MAX_ARMED,
  SERVICE_FAULT_NAMES,
  serviceFaultOf,
} from '../../src-main/core/contract/service-faults.ts'
import { eventSummary } from '../../src-main/core/messages/event-sentences.ts'
import { dataResponse } from '../../src-main/http/envelope-response.ts'
import type { RawResponse } from '../../src-main/http/message.ts'
import { type Body, type ControlClient, ControlError } from '../../src-main/sdk/client.ts'
import { createRpClient, type RpClient } from '../../src-main/sdk/rp-client.ts'
import { FALSE_ANSWERS, type FaultContext } from '../../src-main/service/faults/false-answers.ts'
import { applyFaults } from '../../src-main/service/faults/trigger-faults.ts'
import { ALICE, cast, codeOf, register, startTestBench, type TestBench } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'

const bench = benchOfFile()
let client: ControlClient
let rp: RpClient
let ids: Awaited<ReturnType<typeof cast>>
beforeAll(async () => {
  client = bench.client
  ids = await cast(client)
  rp = rpOf(bench)
  await client.call('profile.patch', { body: { unknown_user: 'accept' } })
  await register(client, ids)
})
afterAll(() => rp.close())

const rpOf = ({ bench: { baseUrl, rp } }: TestBench, timeoutMs = 10_000) => {
  if (rp === undefined) throw new Error('there is no RP')
  return createRpClient({ baseUrl, ...rp, now: Date.now, timeoutMs })
}

const arm = (body: Body<'service.arm'>) => client.call('service.arm', { body })
const armed = async () => (await client.call('service.faults')).faults
const signIn = async (user = ALICE) => {
  const begun = await rp.authenticate({ ...user, method: 'qrcode' })
  return begun.ok ? begun.value.msg_id : ''
}
const statusOf = async (msg_id: string): Promise<unknown> => {
  const result = await rp.authenticationResult(msg_id)
  return result.ok ? result.value.status : result.error.code
}
const fieldOf = async (body: object): Promise<unknown> => {
  try {
    await arm(body as Body<'service.arm'>)
    return undefined
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    return (error.data as { readonly parameter?: unknown }).parameter
  }
}

it('an armed fault of the service strikes as many answers as it was armed for, and no other', async () => {
  const msg_id = await signIn()
  await arm({ fault: 'status-unknown', times: 2 })
  const told = [await statusOf(msg_id), await statusOf(msg_id), await statusOf(msg_id)]
  expect(told).toEqual(['verified', 'verified', 'init'])
  expect(await armed()).toEqual([])
})

it('an armed fault of the service takes its parameters from the call that arms it', async () => {
  await arm({ fault: 'status-unknown', parameters: { status: 'paused' } })
  expect(await statusOf(await signIn())).toBe('paused')
})

it('an armed fault of the service waits for an answer that says what it strikes', async () => {
  const msg_id = await signIn()
  const { id } = await arm({ fault: 'user-of-another' })
  expect(await statusOf(msg_id)).toBe('init')
  expect((await armed()).map(({ left }) => left)).toEqual([1])
  await client.call('service.disarm', { params: { id } })
})

it('an armed fault of the service is named where it is armed and disarmed, and with whom it is for', async () => {
  await arm({ fault: 'html-page', scope: { user_id: 'u-2' } })
  await client.call('service.disarm-all')
  const { events } = await client.call('events.list', { query: { kind: 'setting', limit: 2, latest: true } })
  const [armed, disarmed] = events.map(eventSummary)
  expect(armed).toMatch(/html-page.*u-2/)
  expect(disarmed).toMatch(/html-page/)
  expect(events.at(-1)).toMatchObject({ subject: 'fault', change: 'disarmed', detail: { faults: ['html-page'] } })
})

it('an armed fault of the service strikes only the calls that it was armed for', async () => {
  await arm({ fault: 'html-page', only: ['assertion.result'] })
  const msg_id = await signIn()
  expect([await statusOf(msg_id), await statusOf(msg_id)]).toEqual([0, 'init'])
})

it.each(['user', 'message', 'phone'] as const)('a service fault strikes only the %s in its scope', async (what) => {
  const [hers, his] = [await signIn(), await signIn({ user_id: 'u-2', username: 'bob' })]
  const { url } = await client.call('messages.get', { params: { id: hers } })
  await client.call('phones.scan', { params: { id: ids.phone }, body: { url } })
  const scope = { user: { user_id: ALICE.user_id }, message: { msg_id: hers }, phone: { phone: ids.phone } }[what]
  await arm({ fault: 'status-null', scope, times: 9 })
  const told = [await rp.authenticationResult(hers), await rp.authenticationResult(his)]
  await client.call('service.disarm-all')
  expect(told.map(({ ok }) => ok)).toEqual([false, true])
})

it('an armed fault of the service is told in the event of the exchange, with the honest answer', async () => {
  const msg_id = await signIn()
  const { id } = await arm({ fault: 'status-unknown' })
  await statusOf(msg_id)
  const { events } = await client.call('events.list', { query: { kind: 'exchange', msg_id } })
  const struck = events.flatMap((event) => (event.kind === 'exchange' && event.faults !== undefined ? [event] : []))
  expect(struck.map(({ faults }) => faults)).toEqual([[{ id, fault: 'status-unknown' }]])
  expect(struck.map(({ honest }) => JSON.parse(honest?.body ?? '').data.status)).toEqual(['init'])
})

it('an armed fault of the service says that it deleted what is still there', async () => {
  const held = await rp.credentials(ALICE.user_id)
  const credential_ids = held.ok ? held.value.list.map(({ credential_id }) => credential_id) : []
  await arm({ fault: 'deletion-not-done' })
  const deleted = await rp.deleteCredentials({ user_id: ALICE.user_id, credential_ids })
  expect(deleted).toEqual({ ok: true, value: { total: 1 } })
  expect(await rp.credentials(ALICE.user_id)).toEqual(held)
})

it('an armed fault of the service repeats under a seed when it strikes by chance', async () => {
  const play = async () => {
    const seeded = await startTestBench({ seed: 7 })
    const { rp: own } = await cast(seeded.client)
    const call = seeded.client.call
    const { msg_id } = await call('simulator.register', { params: { rp: own }, body: { ...ALICE, poll: false } })
    await call('service.arm', { body: { fault: 'status-unknown', probability: 0.5 } })
    for (let i = 0; i < 12; i++) await call('simulator.poll', { params: { rp: own, msg_id } }).catch(() => undefined)
    const { events } = await call('events.list', { query: { kind: 'exchange', msg_id } })
    await seeded.close()
    return events.map((event) => event.kind === 'exchange' && event.faults !== undefined)
  }
  const [first, second] = [await play(), await play()]
  expect(first).toEqual(second)
  expect(new Set(first)).toEqual(new Set([true, false]))
})

it.each([
  ['fault', { fault: 'user-of-nobody' }],
  ['times', { fault: 'html-page', times: 0 }],
  ['probability', { fault: 'html-page', probability: 0 }],
  ['probability', { fault: 'html-page', times: 1, probability: 0.5 }],
  ['parameters.pause_ms', { fault: 'html-page', parameters: { pause_ms: 1 } }],
  ['parameters.pause_ms', { fault: 'slow-drip', parameters: { pause_ms: 0 } }],
  ['parameters.pause_ms', { fault: 'slow-drip', parameters: { pause_ms: '1' } }],
  ['parameters.toString', { fault: 'slow-drip', parameters: { toString: 1 } }],
  ['parameters.status', { fault: 'status-unknown', parameters: { status: 'x'.repeat(65) } }],
  ['only[0]', { fault: 'user-of-another', only: ['credentials.list'] }],
  ['scope', { fault: 'html-page', scope: {} }],
  ['scope.account', { fault: 'html-page', scope: { account: 'a' } }],
])('what cannot be armed is refused by its field %s', async (field, body) => {
  expect(await fieldOf(body)).toBe(field)
  expect(await armed()).toEqual([])
})

it('what cannot be armed is what is not there to be disarmed', async () => {
  expect(await codeOf(client.call('service.disarm', { params: { id: 'flt_none' } }))).toBe(40404)
})

it('what cannot be armed is one more than the most', async () => {
  const { client: other } = await ownWorkspace()
  const wanted = () => other.call('service.arm', { body: { fault: 'html-page', scope: { user_id: 'nobody' } } })
  for (let i = 0; i < MAX_ARMED; i += 100) await Promise.all(Array.from({ length: 100 }, wanted))
  expect(await codeOf(wanted())).toBe(40902)
})

const ownWorkspace = async () => {
  const { id } = await client.call('workspaces.create', { body: {} })
  return { id, client: client.workspace(id) }
}

it.each(['body-gigantic', 'slow-drip', 'no-answer', 'body-stalls'] as const)(
  'an answer that never ends does not outlive its client, nor hold up the end of the bench: %s',
  async (fault) => {
    const own = await startTestBench()
    const [patient, hasty] = [rpOf(own), rpOf(own, 200)]
    const begun = await patient.register(ALICE)
    const msg_id = begun.ok ? begun.value.msg_id : ''
    await own.client.call('service.arm', { body: { fault, times: 2 } })
    expect(await hasty.registrationResult(msg_id)).toMatchObject({ ok: false, error: { code: 0 } })
    const { last_seq } = await own.client.call('overview')
    const asked = patient.registrationResult(msg_id)
    await own.client.call('events.wait', { body: { match: { kind: 'exchange', msg_id }, after: last_seq } })
    await own.close()
    expect(await asked).toMatchObject({ ok: false, error: { code: 0 } })
  },
)

const URL = 'http://localhost:7420/fido/m#aAAAAAAAAAAAAAAAAAAAAAA'
const RESULT = { svc_user: 'Li', status: 'fail', error: 'user_rejected: no', user_id: 'zoë' }
const held = { credential_id: 'a', credential_name: 'A', user_id: 'zoë' }
/** An answer of each call, with all that a fault may change. */
const ANSWERS = {
  'assertion.result': RESULT,
  'attestation.result': RESULT,
  'assertion.options': { url: URL, expires_at: 1_900_000_000 },
  'attestation.options': { url: URL, expires_at: 1_900_000_000 },
  'credentials.list': { total: 1, list: [held] },
  'credentials.delete': { total: 1 },
}

const aboutOf = (name: (typeof SERVICE_FAULT_NAMES)[number], operation: FaultContext['operation']): FaultContext => ({
  operation,
  input: { params: {}, query: {}, body: { credential_ids: ['a', 'b'] } },
  user_id: 'anna',
  baseUrl: 'http://localhost:7420/fido',
  otherUrl: `${URL}B`,
  parameters: Object.fromEntries(
    Object.entries<FaultParameter>(serviceFaultOf(name).parameters ?? {}).map(([key, { preset }]) => [key, preset]),
  ),
  wall: realClock,
})

const shown = ({ status, headers, body, lost, raw }: RawResponse) => ({
  status,
  headers,
  body: Buffer.from(body).toString('latin1'),
  lost,
  raw: raw !== undefined,
})

it.each(SERVICE_FAULT_NAMES)('%s changes every answer that it can strike', (name) => {
  for (const operation of RP_OPERATIONS.filter((each) => serviceFaultOf(name).on.includes(each))) {
    const honest = dataResponse(ANSWERS[operation])
    const told = applyFaults(honest, [[FALSE_ANSWERS[name], aboutOf(name, operation)]])
    expect(shown(told)).not.toEqual(shown(honest))
  }
})

it('any two faults can strike the same answer', () => {
  const operation = 'assertion.result'
  const names = SERVICE_FAULT_NAMES.filter((name) => serviceFaultOf(name).on.some((each) => each === operation))
  const honest = dataResponse(RESULT)
  for (const one of names) {
    for (const other of names) {
      const struck = [one, other].map((name) => [FALSE_ANSWERS[name], aboutOf(name, operation)] as const)
      expect(() => applyFaults(honest, struck)).not.toThrow()
    }
  }
})

afterEach(() => client.call('conditions.delete'))

const BOB = { user_id: 'u-2', username: 'bob' }
const put = (body: Body<'conditions.put'>) => client.call('conditions.put', { body })
const begin = async (user: typeof ALICE) => {
  const body = { ...user, poll: false }
  return client.call('simulator.register', { params: { rp: ids.rp }, body })
}
/** The code with which the service refuses a poll of this message, or 0. */
const polled = async (msg_id: string): Promise<number> =>
  (await client.call('simulator.poll', { params: { rp: ids.rp, msg_id } })).refusal?.code ?? 0
const FAILING = { fail_percent: 100 }

it('conditions with a scope hold for the calls about one user, and for no other', async () => {
  const [hers, his] = [await begin(ALICE), await begin(BOB)]
  await put({ rp: FAILING, scope: { user_id: ALICE.user_id } })
  expect([await polled(hers.msg_id), await polled(his.msg_id)]).toEqual([50301, 0])
  expect([await codeOf(begin(ALICE)), await codeOf(begin(BOB))]).toEqual([50301, 0])
})

it('conditions with a scope count down on their own, and are gone when they are used up', async () => {
  const [hers, his] = [await begin(ALICE), await begin(BOB)]
  await put({ rp: { fail_next: 1 }, scope: { user_id: ALICE.user_id } })
  await put({ rp: { fail_next: 2 }, scope: { user_id: BOB.user_id } })
  const codes = [await polled(hers.msg_id), await polled(hers.msg_id), await polled(his.msg_id)]
  expect(codes).toEqual([50301, 0, 50301])
  const { scoped } = await client.call('conditions.get')
  expect(scoped?.map(({ scope, rp }) => [scope, rp.fail_next])).toEqual([[{ user_id: BOB.user_id }, 1]])
})

it('conditions with a scope refuse a call whose answer is to be lost, and that is lost as well', async () => {
  const { msg_id } = await begin(ALICE)
  await put({ rp: { lose_next: 1 } })
  await put({ rp: { fail_next: 1 }, scope: { user_id: ALICE.user_id } })
  const { refusal } = await client.call('simulator.poll', { params: { rp: ids.rp, msg_id } })
  expect(refusal?.code).toBe(0)
  expect((await client.call('conditions.get')).scoped).toBeUndefined()
})

it('conditions with a scope outlast what others set for everybody and for scopes of their own, and end alone', async () => {
  const [hers, his] = [{ user_id: ALICE.user_id }, { user_id: BOB.user_id }]
  await put({ rp: FAILING, scope: hers })
  await put({ rp: FAILING, scope: his })
  await put({ rp: { latency_ms: 1 } })
  await client.call('conditions.patch', { body: { rp: { fail_code: 42901 }, scope: hers } })
  expect([await codeOf(begin(ALICE)), await codeOf(begin(BOB))]).toEqual([42901, 50301])
  const left = await client.call('conditions.delete', { query: hers })
  expect([left.rp.latency_ms, left.scoped?.map(({ scope }) => scope)]).toEqual([1, [his]])
  expect(await client.call('conditions.delete')).not.toHaveProperty('scoped')
})

it('conditions with a scope are refused for one scope more than the most', async () => {
  const { id } = await client.call('workspaces.create', { body: {} })
  const own = client.workspace(id)
  const put = (n: number) => own.call('conditions.put', { body: { rp: FAILING, scope: { user_id: `u-${n}` } } })
  await Promise.all(Array.from({ length: 100 }, (_, n) => put(n)))
  expect(await codeOf(put(100))).toBe(40902)
  expect(await codeOf(put(1))).toBe(0)
})
