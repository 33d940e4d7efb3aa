import { errors } from '../../src-main/contract/errors.ts'
import { isFinal } from '../../src-main/protocol/message-state.ts'
import { type ControlClient, ControlError } from '../../src-main/sdk/client.ts'
import { texts } from '../ui/texts.ts'
import { DEEDS, type Deed, LAST, standingOf } from './story.ts'

/** The presentation has a workspace of its own, so that the bench stays as it is. */
export const DEMO = 'presenter'

const { bank, person } = texts.presenter.cast

/** Opens the demo. One that is in the middle of the story goes on there; any other starts anew. */
export const openDemo = async (client: ControlClient): Promise<void> => {
  const bench = client.workspace('main')
  const { workspaces } = await bench.call('workspaces.list')
  if (!workspaces.some(({ id }) => id === DEMO)) {
    await bench.call('workspaces.create', { body: { id: DEMO } }).catch((error: unknown) => {
      // Another page may have opened it in the same moment.
      if (!(error instanceof ControlError && error.code === errors.already_exists.code)) throw error
    })
  }
  if (!(await canGoOn(client.workspace(DEMO)))) await resetDemo(client, { settings: true })
}

const canGoOn = async (demo: ControlClient): Promise<boolean> => {
  const [{ rps }, { phones }, { messages }, { profile, changed }, clock] = await Promise.all([
    demo.call('rps.list'),
    demo.call('phones.list'),
    demo.call('messages.list', { query: { limit: 1 } }),
    demo.call('profile.get'),
    demo.call('clock.get'),
  ])
  const [rp, ...otherRps] = rps
  const [phone, ...otherPhones] = phones
  if (rp?.name !== bank || phone === undefined || otherRps.length + otherPhones.length > 0) return false
  if (!phone.signed_in || phone.lost || phone.network === 'offline' || phone.faults.length > 0) return false
  if (profile.message_ttl_s !== TTL_S || changed.length > 1 || clock.speed !== 1) return false
  const [message] = messages
  if (message === undefined) return true
  const { step, trouble } = standingOf({ ceremony: message.kind, state: message.state })
  if (trouble !== undefined || step === LAST) return false
  if (isFinal(message.state)) return true
  // A bench that was started anew remembers the message, but nobody asks for its result any more.
  const { attempts } = await demo.call('simulator.attempts', { params: { rp: rp.id } })
  return attempts.some(({ msg_id, polling }) => msg_id === message.id && polling)
}

/** No code expires before an audience, and none is asked for without end when nobody looks any more. */
const TTL_S = 3600

/** Everything as at the start of the story. */
export const resetDemo = async (client: ControlClient, { settings }: { readonly settings: boolean }): Promise<Cast> => {
  const demo = client.workspace(DEMO)
  const { last_seq } = await demo.call('workspace.reset', { body: { settings } })
  await demo.call('profile.patch', { body: { message_ttl_s: TTL_S } })
  const [rp] = (await demo.call('rps.list')).rps
  if (rp === undefined) throw new Error('the demo has no RP')
  if (rp.name !== bank) await demo.call('rps.patch', { params: { rp: rp.id }, body: { name: bank } })
  const phone = await demo.call('phones.create', {
    body: { name: person, account: { name: person, phone: '13812345678' }, storage: 'chip' },
  })
  return { demo, rp: rp.id, phone: phone.id, after: last_seq }
}

export type Cast = {
  readonly demo: ControlClient
  readonly rp: string
  readonly phone: string
  /** The last event before the story. */
  readonly after: number
}

const USER = { user_id: 'alice', username: person, display_name: person }

export const register = ({ demo, rp }: Pick<Cast, 'demo' | 'rp'>) =>
  demo.call('simulator.register', { params: { rp }, body: USER })

export const signIn = async ({ demo, rp, phone }: Pick<Cast, 'demo' | 'rp' | 'phone'>) => {
  await demo.call('phones.home', { params: { id: phone }, body: {} })
  const { user_id, username } = USER
  return demo.call('simulator.sign-in', { params: { rp }, body: { user_id, username, method: 'push' } })
}

/** Back to a step: the story from its start up to there, really and quickly. */
export const rewindDemo = async (client: ControlClient, step: number): Promise<void> => {
  const cast = await resetDemo(client, { settings: false })
  let url = ''
  let msgId = ''
  for (const deed of DEEDS.slice(0, step)) {
    const begun = await REPLAYS[deed](cast, { url, msgId })
    if (begun !== undefined) ({ url, msg_id: msgId } = begun)
  }
}

type Asked = { readonly url: string; readonly msgId: string }

const REPLAYS: Readonly<
  Record<Deed, (cast: Cast, asked: Asked) => Promise<{ readonly url: string; readonly msg_id: string } | undefined>>
> = {
  register,
  scan: async ({ demo, phone }, { url }) => {
    await demo.call('phones.scan', { params: { id: phone }, body: { url } })
    return undefined
  },
  touch: async ({ demo, phone }) => {
    await demo.call('phones.approve', { params: { id: phone }, body: {} })
    return undefined
  },
  'sign-in': async (cast) => {
    const begun = await signIn(cast)
    await cast.demo.call('events.wait', { body: { match: { kind: 'phone', change: 'pushed' }, after: cast.after } })
    return begun
  },
  open: async ({ demo, phone }, { msgId }) => {
    await demo.call('phones.open', { params: { id: phone }, body: { msg_id: msgId } })
    return undefined
  },
}
