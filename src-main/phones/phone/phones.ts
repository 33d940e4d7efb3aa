import { stripSeparators } from '../../core/contract/app/fields.ts'
import type { behaviour } from '../../core/contract/control/phone-state.ts'
import type { ValueOf } from '../../core/contract/schema.ts'
import { makeId } from '../../core/protocol/ids.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { runAtOnce } from '../../core/protocol/slices.ts'
import { makePhoneNumber } from './account-secret.ts'
import { createAppClient } from './app-client.ts'
import { checkAlgorithm, checkModel, DEFAULT_MODEL, modelNamed } from './model.ts'
import { createPhone, type Phone } from './phone.ts'
import { armFault, disarmFault, openAttestationAuthority, type PhonePorts } from './phone-core.ts'
import { createPhoneSaver, tryWrite, waitForDisk } from './phone-saver.ts'
import { type PhoneRefusal, type PhoneState, refusePhone } from './phone-state.ts'
import {
  createSnapshotParts,
  type NewPhone,
  type PhoneRef,
  type Phones,
  type PhonesOptions,
} from './phones-interface.ts'
import { signIn } from './sign-in.ts'
import { withRowKeys } from './storage/phone-storage.ts'
import { decodeRecord, encodeRecord, loadFaults, type PhoneRecord, parseStoredWorkspace } from './stored-form.ts'

export type * from './phones-interface.ts'

const MAX_PHONES = 10_000

type Workspace = { readonly ports: PhonePorts; readonly phones: Map<string, Phone> }

/** They call the service over HTTP, as any phone would. */
export const createPhones = (options: PhonesOptions): Phones => {
  const { random, rowKey = (workspace) => workspace, wall, trouble = () => {} } = options
  const storage = withRowKeys(options.storage, rowKey)
  const saver = createPhoneSaver({ storage, wall, trouble })
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
  const kept = async (workspace: string, phone: string): Promise<Result<void, PhoneRefusal>> =>
    saver.isUnsaved(workspace, phone) ? err(refusePhone('not_saved')) : waitForDisk(storage)

  const act = async <T>(
    ref: PhoneRef,
    command: (phone: Phone) => Promise<Result<T, PhoneRefusal>>,
  ): Promise<Result<T, PhoneRefusal>> => {
    if (closed) return err(refusePhone('closed'))
    await open(ref.workspace)
    const phone = find(ref)
    if (phone === undefined) return err(refusePhone('no_such_phone'))
    const done = await track(ref.workspace, command(phone))
    if (!done.ok) return done
    const saved = await kept(ref.workspace, ref.phone)
    return saved.ok ? done : saved
  }

  const create = async (workspace: string, wanted: NewPhone): Promise<Result<PhoneState, PhoneRefusal>> => {
    const fine = checkModel(wanted.model)
    if (!fine.ok) return fine
    const { ports, phones } = await open(workspace)
    if (phones.size >= MAX_PHONES) return err(refusePhone('too_many_phones'))
    const id = makeId('phone', random.stream(workspace, 'phones', 'id'))
    const account = accountFor(wanted, { phones, random: () => ports.random(id, 'number') })
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
      behaviour: wanted.behaviour ?? ASK,
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

  const sleep = async (workspace: string): Promise<void> => {
    await idle(workspace)
    unload(workspace)
  }

  return {
    problem(workspace) {
      const stored = runAtOnce(parseStoredWorkspace(storage.snapshot(workspace)))
      return stored.ok ? undefined : stored.error
    },
    tidy(all) {
      const used = new Set(all.map(rowKey))
      for (const key of options.storage.keys()) if (!used.has(key)) tryWrite(() => options.storage.forget(key))
    },
    start,
    sleep,
    create: async (workspace, wanted) =>
      closed ? err(refusePhone('closed')) : track(workspace, create(workspace, wanted)),
    list: (workspace) => [...(loaded.get(workspace)?.phones.values() ?? [])].map((phone) => phone.core.view()),
    get: (ref) => find(ref)?.core.view(),
    patch: (ref, patch) =>
      act(ref, async (phone) => {
        const fine = checkModel(patch.model)
        return fine.ok ? phone.patch(patch) : fine
      }),
    signIn: (ref) =>
      act(ref, async (phone) => {
        if (ref.same_account_as === undefined) return phone.signIn()
        const { ports, phones } = await open(ref.workspace)
        const wanted = { name: '', same_account_as: ref.same_account_as }
        const account = accountFor(wanted, { phones, random: () => ports.random(ref.phone, 'number') })
        return account.ok ? phone.signIn(account.value) : account
      }),
    signOut: (ref) => act(ref, (phone) => phone.signOut()),
    wipe: (ref) => act(ref, (phone) => phone.wipe()),
    lose: (ref) => act(ref, (phone) => phone.lose()),
    remove: (ref) =>
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
    scan: (ref, input) => act(ref, (phone) => phone.scan(input)),
    open: (ref) => act(ref, (phone) => phone.openPush(ref.msg_id)),
    dismiss: (ref) => act(ref, (phone) => phone.dismiss(ref.msg_id)),
    goHome: (ref) => act(ref, (phone) => phone.goHome()),
    approve: (ref, choice) => act(ref, (phone) => phone.prompts.approve(ref.prompt, choice)),
    reject: (ref, choice) => act(ref, (phone) => phone.prompts.reject(ref.prompt, choice)),
    failFingerprint: (ref) => act(ref, (phone) => phone.prompts.failFingerprint(ref.prompt)),
    editAnswer: (ref, edited) => {
      const answers = find(ref)?.core.editedAnswers
      if (answers === undefined) return undefined
      answers.set(ref.msg_id, edited)
      return () => void answers.delete(ref.msg_id)
    },
    sync: (ref) => act(ref, (phone) => phone.sync()),
    forgetCredential: (ref) => act(ref, (phone) => phone.forgetCredential(ref.credential_id)),
    arm: (ref, fault) =>
      act(ref, async (phone) => {
        await loadFaults()
        return armFault(phone.core, fault)
      }),
    disarm: (ref) =>
      act(ref, async ({ core }) =>
        disarmFault(core, ref.fault_id) ? ok(core.view()) : err(refusePhone('no_such_fault')),
      ),
    makers: async (workspace) => (await open(workspace)).ports.makers.known(),
    makersOf: async (workspace, format) => (await open(workspace)).ports.makers.for(format),
    idle,
    async snapshot(workspace) {
      await idle(workspace)
      const { phones } = await open(workspace)
      for (const phone of phones.values()) storage.savePhone(workspace, encodeRecord(phone.core.record()))
      return storage.snapshot(workspace)
    },
    async replace(workspace, stored, put) {
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
    snapshots: createSnapshotParts(storage),
    async forget(workspace) {
      unload(workspace)
      await idle(workspace)
      saver.forget(workspace)
      storage.forget(workspace)
      underWay.delete(workspace)
    },
    async close() {
      closed = true
      for (const workspace of loaded.keys()) putToSleep(workspace)
      client.close()
      await Promise.all([...underWay.keys()].map(idle))
      saver.close()
    },
  }
}

/** A phone's account: another phone's, the requested one, or a new one with the phone's name and a random number. */
const accountFor = (
  wanted: Pick<NewPhone, 'name' | 'account' | 'same_account_as'>,
  { phones, random }: { readonly phones: ReadonlyMap<string, Phone>; readonly random: () => RandomSource },
): Result<PhoneRecord['account'], PhoneRefusal> => {
  if (wanted.same_account_as !== undefined) {
    const other = phones.get(wanted.same_account_as)?.core.record()
    return other?.account.secret === undefined ? err(refusePhone('no_such_account')) : ok(other.account)
  }
  const { name, phone } = wanted.account ?? { name: wanted.name, phone: makePhoneNumber(random()) }
  return ok({ name, phone: stripSeparators(phone) })
}

/** A phone's reaction to a prompt. Plain JSON; `ask` leaves it to the user. */
export type Behaviour = ValueOf<typeof behaviour>

const ASK: Behaviour = { answer: 'ask' }
