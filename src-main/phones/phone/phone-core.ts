import type { Reason } from '../../core/contract/errors.ts'
import type { PhoneFact } from '../../core/contract/events.ts'
import { toHex } from '../../core/protocol/bytes.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { type MessageKind, parseMessageAddress } from '../../core/protocol/message-address.ts'
import { type RandomSource, randomBelow } from '../../core/protocol/random.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { type CancelAlarm, type Clock, formatRfc3339, type Millis } from '../../core/protocol/time.ts'
import { createKeyedQueue } from '../../core/protocol/turns.ts'
import {
  type AttestationAuthority,
  addMakers,
  addU2fMakers,
  beginAttestationAuthority,
} from '../authenticator/attestation/attestation-authority.ts'
import { affects, type Fault } from '../authenticator/faults/fault.ts'
import {
  PHONE_ACTIONS,
  type PhoneActionName,
  type PhoneActionParameters,
} from '../authenticator/faults/phone-action-names.ts'
import type { CertifiedFormat } from '../authenticator/models.ts'
import type { Credential } from '../authenticator/seams.ts'
import { vaultKey } from './account-secret.ts'
import { type AppAnswer, type AppClient, type PathCall, serviceRefusal } from './app-client.ts'
import type { EditedAnswer } from './edited-answer.ts'
import { effectiveModel } from './model.ts'
import { type PhoneSaver, tryWrite, waitForDisk } from './phone-saver.ts'
import {
  type ArmedFault,
  type CredentialStorage,
  type NewFault,
  type NewlyArmedFault,
  type PhoneRefusal,
  type PhoneResult,
  type PhoneState,
  type Prompt,
  problemScreen,
  refusePhone,
  type Screen,
  type ShownCredential,
} from './phone-state.ts'
import type { ChipOwner, PhoneStorage } from './storage/open-storage.ts'
import {
  checkFault,
  encodeRecord,
  faultNamed,
  type PhoneRecord,
  type PreparedAnswer,
  type TriggeredFault,
  toPhoneState,
} from './stored-form.ts'
import { createVault, decodeKept, type KeptCredential, type Vault } from './vault.ts'

/** Shared by all phones of a workspace. */
export type PhonePorts = {
  readonly workspace: string
  readonly appUrl: () => string
  readonly baseUrl: () => string | undefined
  readonly clock: Clock
  readonly wall: Clock
  readonly client: AppClient
  readonly storage: PhoneStorage
  readonly saver: PhoneSaver
  readonly makers: MakerStore
  /** The workspace's phones, in the order in which they were made. */
  siblings(): readonly { record(): PhoneRecord }[]
  random(phoneId: string, purpose: string): RandomSource
  observe(fact: PhoneFact): void
  /** Called before the phone uses its new token. */
  signedIn(phone: string, device: string): Promise<void>
  /** Keeps idle() waiting until this is over. */
  track<T>(work: Promise<T>): Promise<T>
}

/** Alarms by name: a new one replaces that of the same name. */
export const createAlarms = (clock: Clock) => {
  const alarms = new Map<string, CancelAlarm>()
  const clear = (key: string): void => {
    alarms.get(key)?.()
    alarms.delete(key)
  }
  return {
    clear,
    set: (key: string, time: Millis, ring: () => void): void => {
      clear(key)
      const cancel = clock.at(time, () => {
        alarms.delete(key)
        ring()
      })
      alarms.set(key, cancel)
    },
    clearAll: (): void => {
      for (const key of [...alarms.keys()]) clear(key)
    },
  }
}

type ReportDetail = Pick<PhoneFact, 'act' | 'struck' | 'word' | 'signal'>
type FailureDetail = { readonly prompt?: Prompt; readonly act?: PhoneFact['act'] }

export type PhoneCore = ReturnType<typeof createPhoneCore>

type Hooks = {
  readonly inbox: () => PhoneState['inbox']
  /** Called when the service no longer knows the phone's token. */
  readonly tokenDied: () => void
}

/** An undefined member is removed. */
type RecordChange = { readonly [K in keyof PhoneRecord]?: PhoneRecord[K] | undefined }

export const createPhoneCore = (ports: PhonePorts, initial: PhoneRecord, hooks: Hooks) => {
  let record = initial
  let retired = false
  const { inTurn } = createKeyedQueue()
  const { id } = initial
  const random = (purpose: string): RandomSource => ports.random(id, purpose)

  /** Calls the service as the signed-in device. Any code except 0 is a refusal. */
  const call = async ({ path, ...rest }: PathCall): PhoneResult<AppAnswer> => {
    if (record.network === 'offline') return err(refusePhone('offline'))
    const { device } = record
    if (device === undefined) return err(refusePhone('signed_out'))
    const answer = await ports.client.exchange({ token: device.token, ...rest, url: ports.appUrl() + path })
    if (!answer.ok || answer.value.code === 0) return answer
    const refusal = serviceRefusal(answer.value)
    if (refusal.word === 'signed_out' && rest.token === undefined && record.device?.token === device.token)
      hooks.tokenDied()
    return err(refusal)
  }

  const vault = createVault({
    call,
    key: () => {
      const { name, phone, secret } = record.account
      return secret === undefined ? undefined : vaultKey({ name, phone, secret })
    },
    random: () => random('vault'),
  })
  const keyring = createKeyring(createChip(ports.storage, { workspace: ports.workspace, phoneId: id }), vault)

  const save = (): void => {
    if (!retired) ports.saver.save(ports.workspace, encodeRecord(record))
  }

  const core = {
    ports,
    keyring,
    /** The last accepted answer of each credential, for a fault that sends it again. Lost with the process. */
    lastAnswers: new Map<string, PreparedAnswer>(),
    /** Keyed by message ID; lost with the process. */
    editedAnswers: new Map<string, EditedAnswer>(),
    record: (): PhoneRecord => record,
    /** Stores the change without reporting it. */
    set(change: RecordChange): void {
      record = withoutUndefined({ ...record, ...change }) as PhoneRecord
      save()
    },
    show: (screen: Screen): void => core.set({ screen }),
    view: (): PhoneState => toPhoneState(record, { inbox: hooks.inbox(), credentials: keyring.list() }),
    report(change: PhoneFact['change'], text?: string, more: ReportDetail = {}): void {
      if (retired) return
      ports.observe({ kind: 'phone', change, phone_id: id, ...withoutUndefined({ text }), ...more, phone: core.view() })
    },
    /** Shows a problem on the screen, and reports it. */
    fail(refusal: PhoneRefusal, { prompt, act }: FailureDetail = {}): PhoneRefusal {
      const { word, code } = refusal
      core.show(problemScreen(refusal, prompt))
      const refused = { word, ...(code === undefined ? {} : { code }) }
      core.report('problem', undefined, { word, ...(act === undefined ? {} : { act: { ...act, refused } }) })
      return refusal
    },
    random,
    call,
    /** Refuses while the phone is lost, offline or signed out. */
    ready(): Result<void, PhoneRefusal> {
      if (record.lost) return err(refusePhone('lost'))
      if (record.network === 'offline') return err(refusePhone('offline'))
      return record.device === undefined ? err(refusePhone('signed_out')) : ok(undefined)
    },
    /** Runs work with the phone's keys, one at a time. */
    exclusive: <T>(work: () => Promise<T>): Promise<T> => inTurn('keys', work),
    /** Marks the phone as no longer awake: later results are neither kept nor reported. */
    retire(): void {
      retired = true
    },
  }
  return core
}

export type Keyring = ReturnType<typeof createKeyring>

/** Cached: a kept credential never changes, it is replaced. */
const shownFrom = (storage: CredentialStorage) =>
  rememberByObject(
    ({ name, credential }: KeptCredential): ShownCredential => ({
      id: credential.id,
      name,
      rp_id: credential.rpId,
      username: credential.userName,
      storage,
      created_at: formatRfc3339(credential.createdAt),
    }),
  )

const shown = { chip: shownFrom('chip'), cloud: shownFrom('cloud') }

/** The phone's secure chip, with the vault's operations. */
export const createChip = (storage: PhoneStorage, owner: ChipOwner) => {
  const content = new Map(storage.chip(owner).map(({ id, json }) => [id, decodeKept(json)]))
  return {
    known: (): readonly KeptCredential[] => [...content.values()],
    get: (id: string): KeptCredential | undefined => content.get(id),
    /** Saves to disk first: no signature may use a key or counter that the next start would not know. */
    async put(kept: KeptCredential): PhoneResult<void> {
      const { id } = kept.credential
      const saved = tryWrite(() => storage.saveInChip(owner, { id, json: JSON.stringify(kept) }))
      if (!saved.ok) return saved
      if (!saved.value) return err(refusePhone('not_saved'))
      content.set(id, kept)
      return waitForDisk(storage)
    },
    async remove(id: string): PhoneResult<boolean> {
      const removed = tryWrite(() => storage.removeFromChip(owner, id))
      if (!removed.ok) return removed
      content.delete(id)
      const synced = await waitForDisk(storage)
      return synced.ok ? removed : synced
    },
    clear(): Result<void, PhoneRefusal> {
      const cleared = tryWrite(() => storage.clearChip(owner))
      if (cleared.ok) content.clear()
      return cleared
    },
  }
}

export const createKeyring = (chip: ReturnType<typeof createChip>, vault: Vault) => {
  const stores = { chip, cloud: vault }
  // The list is read on each change of the phone, so it is cached.
  let drawn: readonly ShownCredential[] | undefined

  const kept = (): readonly KeptCredential[] => [...chip.known(), ...vault.known()]

  const draw = (): readonly ShownCredential[] =>
    kept()
      .toSorted((a, b) => a.credential.createdAt - b.credential.createdAt)
      .map((one) => shown[storageOf(one.credential.id) ?? 'cloud'](one))

  /** Drops the cached list with each change. */
  const changing = <T>(work: T): T => {
    drawn = undefined
    return work
  }

  const storageOf = (id: string): CredentialStorage | undefined =>
    (['chip', 'cloud'] as const).find((where) => stores[where].get(id) !== undefined)

  return {
    /** Chip and cloud, as of the last refresh, oldest first. */
    list(): readonly ShownCredential[] {
      drawn ??= draw()
      return drawn
    },
    /** The same credentials in their stored form. */
    kept,
    source: {
      forRp: (rpId: string, ids?: ReadonlySet<string>) =>
        (ids === undefined ? kept() : [...ids].flatMap((id) => chip.get(id) ?? vault.get(id) ?? []))
          .map(({ credential }) => credential)
          .filter((credential) => credential.rpId === rpId),
    },
    storageOf,
    refresh: async () => changing(await vault.refresh()),
    keep: async (where: CredentialStorage, kept: KeptCredential): PhoneResult<void> =>
      changing(await stores[where].put(kept)),
    /** After a signature: stores the credential's new state. Without a counter, it seldom changes. */
    async update(credential: Credential): PhoneResult<void> {
      const where = storageOf(credential.id)
      const before = where && stores[where].get(credential.id)
      if (where === undefined || before === undefined) return ok(undefined)
      const isSame = JSON.stringify(before.credential) === JSON.stringify(credential)
      return isSame ? ok(undefined) : changing(await stores[where].put({ ...before, credential }))
    },
    async discard(id: string): PhoneResult<boolean> {
      const where = storageOf(id)
      return where === undefined ? ok(false) : changing(await stores[where].remove(id))
    },
    /** Deletes the chip's content and the copy of the cloud. */
    clear(): Result<void, PhoneRefusal> {
      const cleared = chip.clear()
      return cleared.ok ? ok(changing(vault.forget())) : cleared
    },
    /** Clears the copy of the cloud: the phone signed out. */
    forgetCloud: () => changing(vault.forget()),
  }
}

/** A signature fault for keys that this phone does not make would have no effect, and its test would pass wrongly. */
const keyProblem = (record: PhoneRecord, name: string): Reason | undefined => {
  const wanted = faultNamed(name)?.needs?.algorithms
  const { algorithms } = effectiveModel(record)
  if (wanted === undefined || algorithms.some((each) => wanted.includes(each))) return undefined
  return { code: 'fault_needs_key', params: { fault: name, wanted, made: algorithms } }
}

export const armFault = (core: PhoneCore, wanted: NewFault): Result<NewlyArmedFault, PhoneRefusal> => {
  const fine = checkFault(wanted)
  if (!fine.ok) return fine
  const definition = faultNamed(wanted.fault)
  const never = keyProblem(core.record(), wanted.fault)
  if (never !== undefined) return err(refusePhone('fault_not_felt', { reason: never }))
  const { fault, times = 1, probability, parameters } = wanted
  const armed: ArmedFault = {
    id: `flt_${toHex(core.random('fault-id').bytes(6))}`,
    fault,
    ...(probability === undefined ? { left: times } : { probability }),
    ...(parameters === undefined ? {} : { parameters }),
  }
  core.set({ faults: [...core.record().faults, armed] })
  core.report('changed')
  return ok({ ...armed, strikes: { ceremony: definition?.ceremony ?? 'both', begun: begunWithout(core, definition) } })
}

/** Attempts under way that began without the fault, although it would apply to them. */
const begunWithout = (core: PhoneCore, fault: Fault | undefined): readonly string[] => {
  if (fault === undefined) return []
  const { prompts, notifications } = core.record()
  const asked = prompts.map(({ prompt }) => prompt)
  const begun =
    stageOf(fault) === 'push' ? [...asked.filter(({ came_by }) => came_by === 'push'), ...notifications] : asked
  const isAffected = ({ url }: { readonly url: string }): boolean => {
    const address = parseMessageAddress(url)
    return address.ok && affects(fault, address.value.kind)
  }
  return begun.filter(isAffected).map(({ msg_id }) => msg_id)
}

/** Disarms one fault, or all without an id. False when no fault has the id. */
export const disarmFault = (core: PhoneCore, id?: string): boolean => {
  const { faults } = core.record()
  const left = id === undefined ? [] : faults.filter((armed) => armed.id !== id)
  if (id !== undefined && left.length === faults.length) return false
  core.set({ faults: left })
  core.report('changed')
  return true
}

/** push: before the app has the push; message: from opening the message to its verdict; signal: without a message. */
const stageOf = ({ apply }: Fault): FaultMoment['stage'] => {
  const moment = 'phone' in apply ? PHONE_ACTIONS[apply.phone.action] : 'answer'
  return moment === 'push' || moment === 'signal' ? moment : 'message'
}

const CHANCES = 1_000_000

/** Where faults trigger. Signals belong to no message. */
type FaultMoment =
  | { readonly stage: 'signal' }
  | { readonly stage: 'push' | 'message'; readonly kind: MessageKind; readonly msgId: string }

/** Returns the faults that trigger now, and counts down limited ones. Reports them, except for a signal. */
export const triggerFaults = (core: PhoneCore, at: FaultMoment): readonly TriggeredFault[] => {
  const { faults } = core.record()
  const triggered = faults.filter(({ fault, probability }) => {
    const known = faultNamed(fault)
    if (known === undefined || stageOf(known) !== at.stage) return false
    if (at.stage !== 'signal' && !affects(known, at.kind)) return false
    return probability === undefined || randomBelow(core.random('fault'), CHANCES) < probability * CHANCES
  })
  if (triggered.length === 0) return []
  const worn = (armed: ArmedFault): readonly ArmedFault[] => {
    if (armed.left === undefined || !triggered.includes(armed)) return [armed]
    return armed.left > 1 ? [{ ...armed, left: armed.left - 1 }] : []
  }
  core.set({ faults: faults.flatMap(worn) })
  if (at.stage !== 'signal') {
    const struck = { msg_id: at.msgId, stage: at.stage, faults: triggered.map(({ fault }) => fault) }
    core.report('changed', undefined, { struck: { ...struck, ...chosenParameters(triggered) } })
  }
  return triggered.map(({ fault, parameters }) => ({ fault, ...(parameters === undefined ? {} : { parameters }) }))
}

const chosenParameters = (triggered: readonly ArmedFault[]): Pick<NonNullable<PhoneFact['struck']>, 'parameters'> => {
  const chosen = triggered.flatMap(({ fault, parameters }) => (parameters === undefined ? [] : [[fault, parameters]]))
  return chosen.length === 0 ? {} : { parameters: Object.fromEntries(chosen) }
}

export const faultDefinitions = (triggered: readonly TriggeredFault[]): readonly Fault[] =>
  triggered.flatMap(({ fault }) => faultNamed(fault) ?? [])

/** Names of the actions of one moment. Each action is implemented in exactly one place. */
export type ActionAt<Moment extends (typeof PHONE_ACTIONS)[PhoneActionName]> = {
  [Name in PhoneActionName]: (typeof PHONE_ACTIONS)[Name] extends Moment ? Name : never
}[PhoneActionName]

/** The changes of a table that the triggered faults make. Parameters of an armed fault override those of the fault. */
export const changesOf = <Change>(table: Readonly<Record<string, Change>>, triggered: readonly TriggeredFault[]) =>
  triggered.flatMap(({ fault, parameters: chosen }) => {
    const apply = faultNamed(fault)?.apply
    if (apply === undefined || !('phone' in apply)) return []
    const change = Object.hasOwn(table, apply.phone.action) ? table[apply.phone.action] : undefined
    const parameters: PhoneActionParameters = { ...apply.phone.parameters, ...chosen }
    return change === undefined ? [] : [{ change, parameters }]
  })

export type MakerStore = ReturnType<typeof openAttestationAuthority>

export const openAttestationAuthority = (options: {
  readonly workspace: string
  readonly storage: PhoneStorage
  readonly random: (purpose: string) => RandomSource
  readonly now: () => Millis
  /** Announces the makers, so that the service can trust them. */
  readonly announce: () => Promise<unknown>
}) => {
  const { workspace, storage, random, now, announce } = options
  const save = (makers: AttestationAuthority): void => storage.saveMakers(workspace, JSON.stringify(makers))

  const stored = storage.makers(workspace)
  let makers: AttestationAuthority =
    stored === undefined
      ? beginAttestationAuthority({ random: random('attestation'), now: now() })
      : (JSON.parse(stored) as AttestationAuthority)
  if (stored === undefined) save(makers)
  const { inTurn } = createKeyedQueue()

  const add = async (format: CertifiedFormat): PhoneResult<AttestationAuthority> => {
    if (makers.formats[format] !== undefined) return ok(makers)
    const isU2f = format === 'fido-u2f'
    const others = isU2f && makers.formats.packed !== undefined ? makers : addMakers(makers, random('attestation'))
    const whole = isU2f ? await addU2fMakers(others, random('fido-u2f')) : others
    const saved = tryWrite(() => save(whole))
    if (!saved.ok) return saved
    makers = whole
    const synced = await waitForDisk(storage)
    if (!synced.ok) return synced
    await announce()
    return ok(whole)
  }

  return {
    known: (): AttestationAuthority => makers,
    /** Makers of a format are made on first use, and announced before this resolves; the second call finds them. */
    for: (format: CertifiedFormat) => inTurn('makers', () => add(format)),
  }
}
