import type { ControlClient } from '../../src-main/sdk/client.ts'
import { texts } from '../ui/texts.ts'

/** The caller of the bank, as named in the events. The audience does not see the calls of `stage`. */
export type Player = 'presenter' | 'thief' | 'finder' | 'stage'

export type Cast = { readonly demo: ControlClient; readonly rp: string; readonly phone: string }

const { person, newPhone } = texts.presenter.cast

/** Host names in a reserved top-level domain, so that no one can register them. */
export const BANK_HOST = 'meridian.example'
export const THIEF_HOST = 'meridian-login.example'

export const USER = { user_id: 'alice', username: person, display_name: person } as const

/** The phone's signature covers this origin. */
export const THIEF_ORIGIN = `https://${THIEF_HOST}`

/** Shorter than the usual second, because an audience waits for each answer. */
const INTERVAL_MS = 250

export const makePhone = (demo: ControlClient, name: string) =>
  demo.call('phones.create', { body: { name, account: { name: person, phone: freshNumber() }, storage: 'chip' } })

/** A new number each time, because an account outlives its phone and no other phone can use it. */
const freshNumber = (): string =>
  `138${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte % 10).join('')}`

/** `seenOn`: origin of the page that shows the code, if it is not the bank's. */
export type AskedMessage = { readonly url: string; readonly msgId: string; readonly seenOn?: string | undefined }
type Begun = { readonly url: string; readonly msg_id: string } | undefined

/** On the stage, the presenter does `scan`, `open` and `touch` by hand. */
export const DEEDS = {
  register: (cast) => register(cast),
  'ask-code': (cast) => signIn(cast, 'presenter', 'qrcode'),
  'ask-push': async (cast) => {
    const begun = await signIn(cast, 'presenter', 'push')
    const match = { kind: 'phone', change: 'pushed', phone_id: cast.phone }
    await cast.demo.call('events.wait', { body: { match, after: 0 } })
    return begun
  },
  relay: (cast) => signIn(cast, 'thief', 'qrcode'),
  'try-old': (cast) => signIn(cast, 'finder', 'qrcode'),
  replace: async (cast) => {
    const { phones } = await cast.demo.call('phones.list')
    if (!phones.some(({ name }) => name === newPhone)) await makePhone(cast.demo, newPhone)
    return register(cast)
  },
  revoke: async ({ demo, rp }) => {
    const { user_id } = USER
    const { credentials } = await demo.call('simulator.credentials', { params: { rp }, query: { user_id } })
    for (const { credential_id: id } of credentials) {
      await demo.call('simulator.delete-credential', { params: { rp, id }, query: { user_id } })
    }
    return undefined
  },
  scan: async ({ demo, phone }, { url, seenOn }) => {
    const relay = seenOn === undefined ? {} : { seen_on: seenOn }
    await demo.call('phones.scan', { params: { id: phone }, body: { url, ...relay } })
    return undefined
  },
  open: async ({ demo, phone }, { msgId }) => {
    await demo.call('phones.open', { params: { id: phone }, body: { msg_id: msgId } })
    return undefined
  },
  touch: async ({ demo, phone }) => {
    await demo.call('phones.approve', { params: { id: phone }, body: {} })
    return undefined
  },
} satisfies Readonly<Record<string, (cast: Cast, asked: AskedMessage) => Promise<Begun>>>

export type Deed = keyof typeof DEEDS

const register = ({ demo, rp }: Cast) =>
  demo.call('simulator.register', {
    params: { rp },
    body: { ...USER, interval_ms: INTERVAL_MS, asked_by: 'presenter' satisfies Player },
  })

const signIn = async ({ demo, rp, phone }: Cast, asked_by: Player, method: 'qrcode' | 'push') => {
  await demo.call('phones.home', { params: { id: phone }, body: {} })
  const { user_id, username } = USER
  const body = { user_id, username, method, interval_ms: INTERVAL_MS, asked_by }
  return demo.call('simulator.sign-in', { params: { rp }, body })
}
