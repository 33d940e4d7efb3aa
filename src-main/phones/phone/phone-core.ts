import type { PhoneFact } from '../../core/contract/events.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { vaultKey } from './account.ts'
import type { AppAnswer, AppCall, AppClient } from './app-client.ts'
import type { EditedAnswer } from './edited-answer.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import type { Makers } from './makers.ts'
import { encodeRecord, type PhoneRecord, type PreparedAnswer, viewOf } from './phone-record.ts'
import { type PhoneRefusal, problemOf, refusePhone } from './phone-refusal.ts'
import type { PhoneSaver } from './phone-saver.ts'
import type { PhoneState, Screen } from './phone-state.ts'
import { refusalOfService } from './service-refusal.ts'
import type { PhoneStorage } from './storage/phone-storage.ts'
import { createVault } from './vault.ts'

/** What every phone of a workspace shares. */
export type PhonePorts = {
  readonly workspace: string
  readonly appUrl: () => string
  readonly baseUrl: () => string | undefined
  readonly clock: Clock
  readonly wall: Clock
  readonly client: AppClient
  readonly storage: PhoneStorage
  readonly saver: PhoneSaver
  readonly makers: Makers
  /** The workspace's phones, in the order in which they were made. */
  siblings(): readonly PhoneCore[]
  random(phoneId: string, purpose: string): RandomSource
  tell(fact: PhoneFact): void
  /** Before the phone uses what it was given. */
  signedIn(phone: string, device: string): Promise<void>
  /** Keeps idle() waiting until this is over. */
  track<T>(work: Promise<T>): Promise<T>
}

/** `token` only for another device than the phone's own. */
export type PathCall = Omit<AppCall, 'url'> & { readonly path: string }

/** One phone's memory and voice: what it is, what it shows, how it speaks to the service. */
export type PhoneCore = {
  readonly ports: PhonePorts
  readonly keyring: Keyring
  record(): PhoneRecord
  /** Remembers, without a word. */
  set(change: Partial<PhoneRecord>): void
  drop(...keys: readonly ('device' | 'last_event_id' | 'algorithm')[]): void
  show(screen: Screen): void
  view(): PhoneState
  tell(change: PhoneFact['change'], text?: string, more?: Pick<PhoneFact, 'act' | 'struck' | 'word'>): void
  /** Problem on the screen, and told. */
  fail(refusal: PhoneRefusal, about?: { readonly screen?: Screen; readonly act?: PhoneFact['act'] }): PhoneRefusal
  random(purpose: string): RandomSource
  /** By credential: what was last accepted, for a fault that sends it a second time. Forgotten with the process. */
  readonly lastAnswers: Map<string, PreparedAnswer>
  /** By message: how the answer to it is edited. Forgotten with the process. */
  readonly editedAnswers: Map<string, EditedAnswer>
  /** As the device that is signed in. Anything but code 0 is a refusal. */
  call(call: PathCall): Promise<Result<AppAnswer, PhoneRefusal>>
  /** Whether the phone can do anything at all. */
  ready(): Result<void, PhoneRefusal>
  /** One at a time: what uses the phone's keys. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** The phone is no longer awake: later results are neither kept nor reported. */
  retire(): void
  onTokenDead(handler: () => void): void
  onInbox(state: () => PhoneState['inbox']): void
}

export const createPhoneCore = (ports: PhonePorts, initial: PhoneRecord): PhoneCore => {
  let record = initial
  let retired = false
  let inbox: () => PhoneState['inbox'] = () => 'closed'
  let tokenDead = (): void => {}
  let queue: Promise<unknown> = Promise.resolve()
  const { id } = initial
  const random = (purpose: string): RandomSource => ports.random(id, purpose)

  const call: PhoneCore['call'] = async ({ path, ...rest }) => {
    if (record.network === 'offline') return err(refusePhone('offline'))
    const { device } = record
    if (device === undefined) return err(refusePhone('signed_out'))
    const answer = await ports.client.exchange({ token: device.token, ...rest, url: ports.appUrl() + path })
    if (!answer.ok) return answer
    if (answer.value.code === 0) return answer
    const refusal = refusalOfService(answer.value)
    if (refusal.word === 'signed_out' && rest.token === undefined && record.device?.token === device.token) tokenDead()
    return err(refusal)
  }

  const keyring = createKeyring({
    storage: ports.storage,
    owner: { workspace: ports.workspace, phoneId: id },
    random: () => random('vault'),
    vault: createVault({
      call,
      key: () => {
        const { name, phone, secret } = record.account
        return secret === undefined ? undefined : vaultKey({ name, phone, secret })
      },
    }),
  })

  const save = (): void => {
    if (!retired) ports.saver.save(ports.workspace, encodeRecord(record))
  }

  const core: PhoneCore = {
    ports,
    keyring,
    lastAnswers: new Map(),
    editedAnswers: new Map(),
    record: () => record,
    set(change) {
      record = { ...record, ...change }
      save()
    },
    drop(...keys) {
      record = Object.fromEntries(
        Object.entries(record).filter(([key]) => !keys.some((dropped) => dropped === key)),
      ) as PhoneRecord
      save()
    },
    show: (screen) => core.set({ screen }),
    view: () => viewOf(record, { inbox: inbox(), credentials: keyring.list() }),
    tell(change, text, more = {}) {
      if (retired) return
      ports.tell({
        kind: 'phone',
        change,
        phone_id: id,
        ...(text === undefined ? {} : { text }),
        ...more,
        phone: core.view(),
      })
    },
    fail(refusal, { screen, act } = {}) {
      const { word, code } = refusal
      core.show(screen ?? problemOf(refusal))
      const refused = { word, ...(code === undefined ? {} : { code }) }
      core.tell('problem', undefined, { word, ...(act === undefined ? {} : { act: { ...act, refused } }) })
      return refusal
    },
    random,
    call,
    ready() {
      if (record.lost) return err(refusePhone('lost'))
      if (record.network === 'offline') return err(refusePhone('offline'))
      return record.device === undefined ? err(refusePhone('signed_out')) : ok(undefined)
    },
    exclusive(work) {
      const turn = queue.then(work)
      queue = turn.catch(() => {})
      return turn
    },
    retire() {
      retired = true
    },
    onTokenDead(handler) {
      tokenDead = handler
    },
    onInbox(state) {
      inbox = state
    },
  }
  return core
}
