import { isFinal } from '../../src-main/core/protocol/message-state.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { pageNow } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import { type Chapter, SCRIPTS } from './chapters.ts'
import { type AskedMessage, BANK_HOST, type Cast, DEEDS, makePhone, THIEF_ORIGIN, USER } from './deeds.ts'
import type { Run } from './run.ts'

export const LABEL = 'presentation'

/** After this time without a presenter, the service closes the workspace. */
const LEFT_MS = 300_000

/** Long enough that no code expires during a presentation. */
const TTL_S = 3600

type Opening = {
  /** The workspace that this tab used for its previous presentation. */
  readonly known: string | undefined
  readonly anew: boolean
}

/** The service chooses a unique name for the workspace of each presentation. */
export const openStage = async (client: ControlClient, { known, anew }: Opening): Promise<string> => {
  const bench = client.workspace('main')
  const { workspaces } = await bench.call('workspaces.list', { query: { label: LABEL } })
  const there = workspaces.find(({ id }) => id === known)?.id
  if (there !== undefined && !anew) return there
  if (there !== undefined) await bench.call('workspaces.close', { params: { id: there } })
  const body = { rp: 'none', lease_ms: LEFT_MS, labels: [LABEL] } as const
  return (await bench.call('workspaces.create', { body })).id
}

const { bank, person } = texts.presenter.cast

export const prepareStage = async (demo: ControlClient, chapter: Chapter): Promise<Run> => {
  await clearStage(demo)
  const { id: rp } = await demo.call('rps.create', { body: { name: bank, rp_id: BANK_HOST } })
  await demo.call('keys.create', { params: { rp }, body: {} })
  const { id: phone } = await makePhone(demo, person)
  if (chapter !== 'key') await registerQuietly({ demo, rp, phone })
  const { last_seq: after } = await demo.call('overview')
  return { rp, phone, after, startedAt: pageNow() }
}

const clearStage = async (demo: ControlClient): Promise<void> => {
  await demo.call('profile.reset', { body: {} })
  await demo.call('profile.patch', { body: { message_ttl_s: TTL_S } })
  await demo.call('clock.put', { body: { real: true } })
  await demo.call('service.disarm-all')
  await demo.call('conditions.delete')
  const [{ messages }, { phones }, { rps }] = await Promise.all([
    demo.call('messages.list'),
    demo.call('phones.list'),
    demo.call('rps.list'),
  ])
  // Otherwise the bank would poll for their results until they expire.
  for (const { id, state } of messages) {
    if (!isFinal(state)) await demo.call('messages.expire', { params: { id }, body: {} })
  }
  for (const { id } of phones) await demo.call('phones.delete', { params: { id } })
  for (const { id } of rps) await demo.call('rps.delete', { params: { rp: id } })
}

/** Repeats the registration of earlier chapters, hidden from the audience. */
const registerQuietly = async ({ demo, rp, phone }: Cast): Promise<void> => {
  const body = { ...USER, poll: false, asked_by: 'stage' }
  const { url, msg_id } = await demo.call('simulator.register', { params: { rp }, body })
  await demo.call('phones.scan', { params: { id: phone }, body: { url } })
  await demo.call('phones.approve', { params: { id: phone }, body: {} })
  await demo.call('simulator.poll', { params: { rp, msg_id }, body: {} })
  await demo.call('phones.home', { params: { id: phone }, body: {} })
}

let before: Promise<unknown> = Promise.resolve()

/** Calls run in sequence, because parallel ones would delete each other's phones. */
export const rewindStage = (demo: ControlClient, chapter: Chapter, step: number): Promise<Run> => {
  const run = before.then(() => playTo(demo, chapter, step))
  before = run.catch(() => undefined)
  return run
}

const playTo = async (demo: ControlClient, chapter: Chapter, step: number): Promise<Run> => {
  const run = await prepareStage(demo, chapter)
  const { beats, relayed } = SCRIPTS[chapter]
  const cast: Cast = { ...run, demo }
  let asked: AskedMessage = { url: '', msgId: '' }
  for (const { deed, phone } of beats.slice(1, step + 1)) {
    if (deed === undefined) continue
    const id = phone === 'new' ? await newPhoneOf(cast) : cast.phone
    const begun = await DEEDS[deed]({ ...cast, phone: id }, asked)
    if (begun === undefined) continue
    asked = { url: begun.url, msgId: begun.msg_id, seenOn: relayed === true ? THIEF_ORIGIN : undefined }
  }
  return run
}

/** The phone that the deed `replace` created; the old phone until then. */
const newPhoneOf = async ({ demo, phone }: Cast): Promise<string> =>
  (await demo.call('phones.list')).phones.find(({ id }) => id !== phone)?.id ?? phone

export const stageExists = async (demo: ControlClient, { rp, phone }: Run): Promise<boolean> => {
  const [{ rps }, { phones }] = await Promise.all([demo.call('rps.list'), demo.call('phones.list')])
  return rps.some(({ id }) => id === rp) && phones.some(({ id }) => id === phone)
}
