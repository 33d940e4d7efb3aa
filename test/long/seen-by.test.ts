import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RpCare, SeenBy } from '../../src-main/core/contract/rp-care.ts'
import {
  SERVICE_FAULT_NAMES,
  type ServiceFaultName,
  serviceFaultOf,
} from '../../src-main/core/contract/service-faults.ts'
import { ControlError, type Data } from '../../src-main/sdk/client.ts'
import { startTestBench, type TestBench } from '../support/bench.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

/** An RP of its own for each story: a careless one keeps what it was told. */
const makeRp = async (care: RpCare): Promise<string> => {
  const { call } = bench.client
  const { id } = await call('rps.create', { body: { name: care, rp_id: 'localhost' } })
  await call('keys.create', { params: { rp: id }, body: {} })
  await call('simulator.patch', { params: { rp: id }, body: { care } })
  return id
}

/** Longer than a careful RP waits for an answer. */
const STUCK_MS = 7000

/** What a call gives, or why not; an RP that waits for ever is stuck. */
const settled = async <T>(call: Promise<T>): Promise<T | { readonly refused: number } | 'stuck'> => {
  const stuck = new AbortController()
  const late = new Promise<'stuck'>((resolve) => {
    const timer = setTimeout(() => resolve('stuck'), STUCK_MS)
    stuck.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  try {
    return await Promise.race([call, late])
  } catch (error) {
    if (error instanceof ControlError) return { refused: error.code }
    throw error
  } finally {
    stuck.abort()
  }
}

let users = 0

/** The fault's story on an RP of this kind, and what the RP shows at its end: nothing that differs by itself. */
const play = async (care: RpCare, fault: ServiceFaultName, isArmed: boolean): Promise<string> => {
  const rp = await makeRp(care)
  const { call } = bench.client
  const { story, when, on } = serviceFaultOf(fault)
  const user_id = `Zoë-${++users}`
  // It polls when it is asked, not by itself.
  const user = { user_id, username: 'zoe', interval_ms: 60_000 }
  const phone = { id: (await call('phones.create', { body: { name: user_id } })).id }
  const shown: unknown[] = []
  const show = (what: unknown) => void shown.push(what)
  const ending = () => (shown.includes('stuck') ? 'stuck' : JSON.stringify(shown.at(-1)))

  const arm = async (): Promise<void> => {
    if (!isArmed) return
    // What strikes results as well is tried there: elsewhere every RP only says that it cannot begin.
    const only = on.filter((operation) => operation.endsWith('.result'))
    const often = fault.endsWith('-for-good') ? { probability: 1 } : {}
    await call('service.arm', { body: { fault, only, ...often, scope: { user_id } } })
  }
  const poll = async (msg_id: string): Promise<void> => {
    const attempt = await settled(call('simulator.poll', { params: { rp, msg_id } }))
    if (attempt === 'stuck' || 'refused' in attempt) return show(attempt)
    const { made, account, doubt } = attempt
    show([made, account === user_id ? 'the user' : account, doubt])
  }
  const scan = async (msg_id: string) => {
    const { url } = await call('messages.get', { params: { id: msg_id } })
    await call('phones.scan', { params: phone, body: { url } })
  }
  const register = () => call('simulator.register', { params: { rp }, body: user })
  const signIn = (as = user) => call('simulator.sign-in', { params: { rp }, body: { ...as, method: 'qrcode' } })
  const enrol = async (asked: Promise<Data<'simulator.register'>>): Promise<void> => {
    const { msg_id } = await asked
    await scan(msg_id)
    await call('phones.approve', { params: phone, body: {} })
    await poll(msg_id)
  }

  const isRegistration = story.startsWith('registration') && story !== 'registration-by-stranger'
  if (!isRegistration) await enrol(register())
  if (story === 'passkeys-listed' || story === 'registration-by-stranger') {
    await arm()
    const listed = await settled(call('simulator.credentials', { params: { rp }, query: { user_id } }))
    const isList = listed !== 'stuck' && 'credentials' in listed
    show(isList ? listed.credentials.map((each) => [each.user_id === user_id, each.credential_name]) : listed)
    return ending()
  }
  if (story === 'passkeys-removed') {
    const { credentials } = await call('simulator.credentials', { params: { rp }, query: { user_id } })
    await arm()
    const params = { rp, id: credentials[0]?.credential_id ?? '' }
    show(await settled(call('simulator.delete-credential', { params, query: { user_id } })))
    return ending()
  }
  if (story === 'sign-in-crossed') {
    const other = { ...user, user_id: `Bob-${users}` }
    await enrol(call('simulator.register', { params: { rp }, body: other }))
    await signIn(other)
  }
  const isLate = when === 'bind' || when === 'read'
  if (!isLate) await arm()
  const begun = await settled(isRegistration ? register() : signIn())
  if (begun === 'stuck' || 'refused' in begun) return 'refused to begin'
  if (story.endsWith('-begun')) {
    if (!begun.url.startsWith(bench.bench.baseUrl)) return 'an address of another host'
    await poll(begun.msg_id)
    return ending()
  }
  await poll(begun.msg_id)
  if (!story.endsWith('-ignored') || when === 'bind') {
    await scan(begun.msg_id)
    await poll(begun.msg_id)
    if (when === 'bind') await arm()
    await poll(begun.msg_id)
  }
  const answer = story.endsWith('-rejected') ? 'reject' : 'approve'
  if (!/-(ignored|abandoned)$/.test(story)) await call(`phones.${answer}`, { params: phone, body: {} })
  await poll(begun.msg_id)
  if (when === 'read') await arm()
  for (let times = 0; times < 2; times++) await poll(begun.msg_id)
  return ending()
}

/** What an RP shows when nothing is armed depends on the story alone: faults share it. */
const honest = new Map<string, Promise<string>>()
const playHonestly = (care: RpCare, fault: ServiceFaultName): Promise<string> => {
  const { story, when } = serviceFaultOf(fault)
  const key = `${care} ${story} ${when}`
  const played = honest.get(key) ?? play(care, fault, false)
  honest.set(key, played)
  return played
}

const isSeen = async (care: RpCare, fault: ServiceFaultName): Promise<boolean> =>
  (await play(care, fault, true)) !== (await playHonestly(care, fault))

const seenBy = async (fault: ServiceFaultName): Promise<SeenBy> => {
  const [careful, careless] = await Promise.all([isSeen('careful', fault), isSeen('careless', fault)])
  if (careful) return careless ? 'either' : 'careful'
  return careless ? 'careless' : 'neither'
}

it('every fault of the service says which of the two RPs shows it', async () => {
  const left = [...SERVICE_FAULT_NAMES]
  const found: Partial<Record<ServiceFaultName, SeenBy>> = {}
  const next = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) found[fault] = await seenBy(fault)
  }
  await Promise.all([next(), next(), next(), next(), next(), next()])
  const said = Object.fromEntries(SERVICE_FAULT_NAMES.map((fault) => [fault, serviceFaultOf(fault).seen]))
  expect(Object.entries(found).sort()).toEqual(Object.entries(said).sort())
})
