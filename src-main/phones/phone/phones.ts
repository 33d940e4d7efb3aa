import type { AgentOptions } from 'node:https'
import { stripSeparators } from '../../core/contract/app/fields.ts'
import type { Body } from '../../core/contract/control/routes.ts'
import type { FieldProblem } from '../../core/contract/errors.ts'
import type { Observe } from '../../core/contract/events.ts'
import { makeId } from '../../core/protocol/ids.ts'
import type { RandomSource, RandomStreams } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { runAtOnce } from '../../core/protocol/slices.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { CertifiedFormat } from '../authenticator/models.ts'
import { makePhoneNumber } from './account-secret.ts'
import { createAppClient } from './app-client.ts'
import type { EditedAnswer } from './edited-answer.ts'
import { checkAlgorithm, checkModel, DEFAULT_MODEL, modelNamed } from './model.ts'
import { createPhone, type Phone, type PhonePatch, type ScanInput } from './phone.ts'
import { armFault, disarmFault, openAttestationAuthority, type PhonePorts } from './phone-core.ts'
import { createPhoneSaver, tryWrite, waitForDisk } from './phone-saver.ts'
import {
  type NewFault,
  type PhoneRefusal,
  type PhoneResult,
  type PhoneState,
  type ReportTrouble,
  refusePhone,
  type Traceparent,
} from './phone-state.ts'
import type { ApproveChoice } from './prompts.ts'
import { signIn } from './sign-in.ts'
import { type PhoneStorage, type SnapshotRef, type StoredWorkspace, withRowKeys } from './storage/open-storage.ts'
import { decodeRecord, encodeRecord, loadFaults, type PhoneRecord, parseStoredWorkspace } from './stored-form.ts'

export type PhonesOptions = {
  /** Address of the service's app interface: `http://localhost:7420/app`. */
  readonly appUrl: (workspace: string) => string
  /** The service's address in message addresses; with it, codes of other services are refused. */
  readonly baseUrl?: (workspace: string) => string
  readonly tls?: AgentOptions | undefined
  readonly traceparent?: Traceparent
  /** The workspace's clock: expiry, delays, stored times. */
  readonly clock: (workspace: string) => Clock
  /** Real time, for retries, timeouts and pauses. */
  readonly wall: Clock
  readonly random: RandomStreams
  readonly observe: Observe
  readonly storage: PhoneStorage
  /** The workspace's id when absent. */
  readonly rowKey?: (workspace: string) => string
  /** Called when a workspace's makers have changed. Its phones wait for the promise. */
  readonly trustMakers?: (workspace: string) => Promise<unknown>
  /** Called with the devices of signed-in phones, before the phones use the devices. */
  readonly signedIn?: SignedIn
  /** Called when a workspace's phones cannot be saved, but not again until all phones are saved. */
  readonly trouble?: ReportTrouble
}

export type SignedIn = (
  workspace: string,
  devices: readonly { readonly phone: string; readonly device: string }[],
) => Promise<void>

export type NewPhone = Omit<Body<'phones.create'>, 'lease'>

export type PhoneRef = { readonly workspace: string; readonly phone: string }
export type MessageRef = PhoneRef & { readonly msg_id: string }
export type PromptRef = PhoneRef & { readonly prompt: string }

/** A workspace's phones, stored under a key that is not read until the workspace is switched to it. */
export type PhoneRows = { keep(key: string): Promise<void>; switched(): void; drop(key: string): void }

const MAX_PHONES = 10_000

type Workspace = { readonly ports: PhonePorts; readonly phones: Map<string, Phone> }

export type Phones = ReturnType<typeof createPhones>

/** The phones call the service over HTTP, as any phone would. */
export const createPhones = (options: PhonesOptions) => {
  const { random, rowKey = (workspace) => workspace, wall, trouble = () => {} } = options
  const storage = withRowKeys(options.storage, rowKey)
  const saver = createPhoneSaver(storage, wall, trouble)
  const client = createAppClient(options.wall, options.tls, { traceparent: options.traceparent })
  const workspaces = new Map<string, Promise<Workspace>>()
  const loaded = new Map<string, Workspace>()
  const underWay = new Map<string, Set<Promise<unknown>>>()
  let closed = false

  const track = <T>(workspace: string, work: Promise<T>): Promise<T> => {
    const set = underWay.get(workspace) ?? new Set()
    underWay.set(workspace, set)
    set.add(work)
    const over = (): void => void set.delete(work)
    work.then(over, over)
    return work
  }

  const load = async (workspace: string): Promise<Workspace> => {
    const makers = openAttestationAuthority({
      workspace,
      storage,
      random: (purpose) => random.stream(workspace, 'makers', purpose),
      now: () => options.clock(workspace).now(),
      announce: async () => options.trustMakers?.(workspace),
    })
    const ports: PhonePorts = {
      workspace,
      appUrl: () => options.appUrl(workspace),
      baseUrl: () => options.baseUrl?.(workspace),
      clock: options.clock(workspace),
      wall: options.wall,
      client,
      storage,
      saver,
      makers,
      siblings: () => [...(loaded.get(workspace)?.phones.values() ?? [])].map(({ core }) => core),
      random: (phoneId, purpose) => random.stream(workspace, phoneId, purpose),
      observe: (fact) => options.observe(workspace, { actor: { kind: 'phone', id: fact.phone_id }, ...fact }),
      signedIn: async (phone, device) => options.signedIn?.(workspace, [{ phone, device }]),
      track: (work) => track(workspace, work),
    }
    const records = storage.phones(workspace).map(({ json }) => decodeRecord(json))
    const hasFault = ({ faults, prompts }: PhoneRecord) =>
      faults.length > 0 || prompts.some((one) => one.struck.length > 0)
    if (records.some(hasFault)) await loadFaults()
    const phones = new Map(records.map((record) => [record.id, createPhone(ports, record)]))
    const made = { ports, phones }
    loaded.set(workspace, made)
    return made
  }

  const open = (workspace: string): Promise<Workspace> => {
    const known = workspaces.get(workspace)
    if (known !== undefined) return known
    const opening = load(workspace)
    workspaces.set(workspace, opening)
    // A failed opening may be tried again.
    opening.catch(() => workspaces.delete(workspace))
    return opening
  }

  const find = ({ workspace, phone }: PhoneRef): Phone | undefined => loaded.get(workspace)?.phones.get(phone)

  /** A change is reported only once it is safe from a power loss. */
  const kept = async (workspace: string, phone: string): PhoneResult<void> =>
    saver.isUnsaved(workspace, phone) ? err(refusePhone('not_saved')) : waitForDisk(storage)

  const act = async <T>(ref: PhoneRef, command: (phone: Phone) => PhoneResult<T>): PhoneResult<T> => {
    if (closed) return err(refusePhone('closed'))
    await open(ref.workspace)
    const phone = find(ref)
    if (phone === undefined) return err(refusePhone('no_such_phone'))
    const done = await track(ref.workspace, command(phone))
    if (!done.ok) return done
    const saved = await kept(ref.workspace, ref.phone)
    return saved.ok ? done : saved
  }

  const create = async (workspace: string, wanted: NewPhone): PhoneResult => {
    const fine = checkModel(wanted.model)
    if (!fine.ok) return fine
    const { ports, phones } = await open(workspace)
    if (phones.size >= MAX_PHONES) return err(refusePhone('too_many_phones'))
    const id = makeId('phone', random.stream(workspace, 'phones', 'id'))
    const { same_account_as: other } = wanted
    const account =
      other === undefined ? ok(newAccount(wanted, () => ports.random(id, 'number'))) : accountOf(phones.get(other))
    if (!account.ok) return account
    const model = wanted.model ?? DEFAULT_MODEL
    const algorithm = wanted.algorithm === undefined ? ok(undefined) : checkAlgorithm(model, wanted.algorithm)
    if (!algorithm.ok) return algorithm
    const record: PhoneRecord = {
      id,
      name: wanted.name,
      model,
      ...(algorithm.value === undefined ? {} : { algorithm: algorithm.value }),
      account: account.value,
      network: 'online',
      lost: false,
      storage: wanted.storage ?? modelNamed(model).storage,
      behaviour: wanted.behaviour ?? { answer: 'ask' },
      screen: { kind: 'home' },
      prompts: [],
      notifications: [],
      faults: [],
    }
    const phone = createPhone(ports, record)
    const signed = await signIn(phone.core)
    const saved = signed.ok ? await kept(workspace, id) : signed
    if (!saved.ok) {
      phone.core.retire()
      saver.forget(workspace, id)
      tryWrite(() => storage.removePhone(workspace, id))
      return saved
    }
    phones.set(id, phone)
    phone.core.report('created')
    await phone.wake()
    return ok(phone.core.view())
  }

  /** Resolves when the workspace's phones wait only for its clock or their user. */
  const idle = async (workspace: string): Promise<void> => {
    for (let set = underWay.get(workspace); set !== undefined && set.size > 0; ) await Promise.allSettled([...set])
  }

  const putToSleep = (workspace: string): void => {
    for (const phone of loaded.get(workspace)?.phones.values() ?? []) phone.sleep()
  }

  const unload = (workspace: string): void => {
    putToSleep(workspace)
    loaded.delete(workspace)
    workspaces.delete(workspace)
  }

  /** Loads the workspace's stored phones and opens their inboxes. Called once the service listens. */
  const start = async (workspace: string): Promise<void> => {
    const { phones } = await open(workspace)
    await Promise.all([...phones.values()].map((phone) => phone.wake()))
    // Phones from a backup may have devices that the store does not know.
    const devices = [...phones].flatMap(([phone, { core }]) => {
      const { device } = core.record()
      return device === undefined ? [] : [{ phone, device: device.id }]
    })
    if (devices.length > 0) await options.signedIn?.(workspace, devices)
  }

  /**
   * Ends inboxes and alarms silently, until `start`. For a caller that restores the service to another state:
   * a phone awake in between would find that its token is unknown.
   */
  const sleep = async (workspace: string): Promise<void> => {
    await idle(workspace)
    unload(workspace)
  }

  return {
    /** A problem that shows that stored phones are not valid; checked before they are started. */
    problem(workspace: string): FieldProblem | undefined {
      const stored = runAtOnce(parseStoredWorkspace(storage.snapshot(workspace)))
      return stored.ok ? undefined : stored.error
    },
    /** Deletes data under keys of no workspace: left by a crash while phones were replaced. */
    tidy(all: readonly string[]): void {
      const used = new Set(all.map(rowKey))
      for (const key of options.storage.keys()) if (!used.has(key)) tryWrite(() => options.storage.forget(key))
    },
    start,
    sleep,
    /** Creates a phone and signs it in. If the service refuses, no phone is created. */
    create: async (workspace: string, wanted: NewPhone): PhoneResult =>
      closed ? err(refusePhone('closed')) : track(workspace, create(workspace, wanted)),
    list: (workspace: string): readonly PhoneState[] =>
      [...(loaded.get(workspace)?.phones.values() ?? [])].map((phone) => phone.core.view()),
    get: (ref: PhoneRef): PhoneState | undefined => find(ref)?.core.view(),
    patch: (ref: PhoneRef, patch: PhonePatch): PhoneResult => act(ref, (phone) => phone.patch(patch)),
    /** A wiped phone gets the account's secret from the phone in `same_account_as`, or tries without it. */
    signIn: (ref: PhoneRef & { readonly same_account_as?: string }): PhoneResult =>
      act(ref, async (phone) => {
        if (ref.same_account_as === undefined) return phone.signIn()
        const { phones } = await open(ref.workspace)
        const account = accountOf(phones.get(ref.same_account_as))
        return account.ok ? phone.signIn(account.value) : account
      }),
    /** The account's secret and the chip stay on the phone. */
    signOut: (ref: PhoneRef): PhoneResult => act(ref, (phone) => phone.signOut()),
    /** Back to the factory state: signs out and forgets the chip and the account's secret. The phone stays on the bench. */
    wipe: (ref: PhoneRef): PhoneResult => act(ref, (phone) => phone.wipe()),
    /** Marks the phone as lost: its account wipes it remotely, so it never answers again. The phone stays visible. */
    lose: (ref: PhoneRef): PhoneResult => act(ref, (phone) => phone.lose()),
    remove: (ref: PhoneRef): PhoneResult<void> =>
      act(ref, async (phone) => {
        await phone.takeAway()
        const removed = tryWrite(() => storage.removePhone(ref.workspace, ref.phone))
        if (!removed.ok) return removed
        loaded.get(ref.workspace)?.phones.delete(ref.phone)
        saver.forget(ref.workspace, ref.phone)
        phone.core.report('removed')
        phone.sleep()
        return ok(undefined)
      }),
    scan: (ref: PhoneRef, input: ScanInput): PhoneResult => act(ref, (phone) => phone.scan(input)),
    open: (ref: MessageRef): PhoneResult => act(ref, (phone) => phone.openPush(ref.msg_id)),
    /** Swipes a push away; the service is not notified. */
    dismiss: (ref: MessageRef): PhoneResult => act(ref, (phone) => phone.dismiss(ref.msg_id)),
    goHome: (ref: PhoneRef): PhoneResult => act(ref, (phone) => phone.goHome()),
    /** Resolves once the answer was sent, or once a delayed answer is set (`prompt.answers_at`). */
    approve: (ref: PromptRef, choice?: ApproveChoice): PhoneResult =>
      act(ref, (phone) => phone.prompts.approve(ref.prompt, choice)),
    reject: (ref: PromptRef, choice?: { readonly reason?: string }): PhoneResult =>
      act(ref, (phone) => phone.prompts.reject(ref.prompt, choice)),
    /** The finger is not recognised; the prompt stays. */
    failFingerprint: (ref: PromptRef): PhoneResult => act(ref, (phone) => phone.prompts.failFingerprint(ref.prompt)),
    /** Edits the phone's answer to this message when the phone sends it. Returns a function that undoes this. */
    editAnswer: (ref: MessageRef, edited: EditedAnswer): (() => void) | undefined => {
      const answers = find(ref)?.core.editedAnswers
      if (answers === undefined) return undefined
      answers.set(ref.msg_id, edited)
      return () => void answers.delete(ref.msg_id)
    },
    sync: (ref: PhoneRef): PhoneResult => act(ref, (phone) => phone.sync()),
    forgetCredential: (ref: PhoneRef & { readonly credential_id: string }): PhoneResult =>
      act(ref, (phone) => phone.forgetCredential(ref.credential_id)),
    arm: (ref: PhoneRef, fault: NewFault) =>
      act(ref, async (phone) => {
        await loadFaults()
        return armFault(phone.core, fault)
      }),
    /** Disarms one fault, or all of the phone's. */
    disarm: (ref: PhoneRef & { readonly fault_id?: string }): PhoneResult =>
      act(ref, async ({ core }) =>
        disarmFault(core, ref.fault_id) ? ok(core.view()) : err(refusePhone('no_such_fault')),
      ),
    /** The makers that exist so far: a workspace that trusts its own phones trusts their roots. */
    makers: async (workspace: string) => (await open(workspace)).ports.makers.known(),
    /** Makes this format's makers if missing, or for `fido-u2f` all that are missing; returns all that exist. */
    makersOf: async (workspace: string, format: CertifiedFormat) => (await open(workspace)).ports.makers.for(format),
    idle,
    /** Plain JSON with secrets in it. Waits for running work. */
    async snapshot(workspace: string): Promise<StoredWorkspace> {
      await idle(workspace)
      const { phones } = await open(workspace)
      for (const phone of phones.values()) storage.savePhone(workspace, encodeRecord(phone.core.record()))
      return storage.snapshot(workspace)
    },
    /**
     * Replaces the phones in one step with the service's rows, which `put` replaces. All phones sleep meanwhile; then the
     * new phones wake, or after a refusal the old ones.
     */
    async replace<T, E>(
      workspace: string,
      stored: StoredWorkspace,
      put: (others: PhoneRows) => Promise<Result<T, E>>,
    ): Promise<Result<T, E>> {
      const before = await open(workspace)
      await sleep(workspace)
      try {
        const done = await put({
          keep: (key) => options.storage.keep(key, stored),
          // A phone that woke in between would save itself among the new ones.
          switched: () => {
            unload(workspace)
            saver.forget(workspace)
          },
          drop: (key) => void tryWrite(() => options.storage.forget(key)),
        })
        if (!done.ok) return done
        const { phones } = await open(workspace)
        for (const id of before.phones.keys()) {
          if (!phones.has(id)) before.ports.observe({ kind: 'phone', change: 'removed', phone_id: id })
        }
        for (const phone of phones.values()) phone.core.report('changed')
        return done
      } finally {
        await start(workspace)
      }
    },
    /** The phones' parts are in their own storage: the service, which keeps the rest, must not have their secrets. */
    snapshots: createSnapshotParts(storage),
    /** Deletes the phones of a closed workspace without a call to the service. */
    async forget(workspace: string): Promise<void> {
      unload(workspace)
      await idle(workspace)
      saver.forget(workspace)
      storage.forget(workspace)
      underWay.delete(workspace)
    },
    /** Cuts off running work. The storage is closed by its opener. */
    async close(): Promise<void> {
      closed = true
      for (const workspace of loaded.keys()) putToSleep(workspace)
      client.close()
      await Promise.all([...underWay.keys()].map(idle))
      saver.close()
    },
  }
}

const accountOf = (phone: Phone | undefined): Result<PhoneRecord['account'], PhoneRefusal> => {
  const account = phone?.core.record().account
  return account?.secret === undefined ? err(refusePhone('no_such_account')) : ok(account)
}

/** The requested account, or one with the phone's name and a random number. */
const newAccount = ({ account, ...wanted }: NewPhone, random: () => RandomSource): PhoneRecord['account'] => {
  const { name, phone } = account ?? { name: wanted.name, phone: makePhoneNumber(random()) }
  return { name, phone: stripSeparators(phone) }
}

/** Dropped parts that are remembered: as many deletions as the service can undo. */
const MAX_DROPPED_PARTS = 20

/** A dropped part leaves the disk immediately, because it has secrets; memory keeps it while it can be restored. */
const createSnapshotParts = (storage: PhoneStorage) => {
  const dropped = new Map<string, Map<string, StoredWorkspace>>()
  return {
    keep(ref: SnapshotRef, stored: StoredWorkspace): Promise<void> {
      storage.keepSnapshot(ref, stored)
      return storage.synced()
    },
    find: storage.keptSnapshot,
    drop(ref: SnapshotRef): void {
      const stored = storage.keptSnapshot(ref)
      storage.dropSnapshot(ref)
      if (stored === undefined) return
      const parts = dropped.get(ref.workspace) ?? new Map<string, StoredWorkspace>()
      dropped.set(ref.workspace, parts.set(ref.snapshot, stored))
      const [oldest] = parts.keys()
      if (parts.size > MAX_DROPPED_PARTS && oldest !== undefined) parts.delete(oldest)
    },
    /** Restores one of the last dropped parts; false for any other. */
    takeBack(ref: SnapshotRef): boolean {
      const stored = dropped.get(ref.workspace)?.get(ref.snapshot)
      if (stored === undefined) return false
      storage.keepSnapshot(ref, stored)
      dropped.get(ref.workspace)?.delete(ref.snapshot)
      return true
    },
    dropAll(workspace: string): void {
      dropped.delete(workspace)
      storage.dropSnapshots(workspace)
    },
  }
}
