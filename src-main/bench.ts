import { hostname } from 'node:os'
import { join } from 'node:path'
import { CONTROL_PREFIX } from './contract/control/routes.ts'
import { refuse } from './contract/errors.ts'
import type { Observe } from './contract/events.ts'
import type { FieldProblem } from './contract/reasons.ts'
import { addressesOfMachine, benchAddresses } from './control/bench-addresses.ts'
import { createControl } from './control/control.ts'
import { createHealth, createReadiness } from './control/health.ts'
import { createLeases } from './control/leases/leases.ts'
import { createOwnRootTrust } from './control/own-roots.ts'
import { createPage } from './control/page.ts'
import { createSeeder, type MainRp, type SeedData } from './control/seed-data.ts'
import { createSessions } from './control/sessions.ts'
import { createWorkspaces } from './control/workspaces.ts'
import { type ClockSetting, realClock } from './harness/clock.ts'
import { createClocks } from './harness/clocks.ts'
import { createRandom } from './harness/random.ts'
import { createRecorder } from './harness/recorder.ts'
import { createRelyingParties } from './harness/relying-parties.ts'
import { createSimulatedCalls } from './harness/simulated-calls.ts'
import { createServer } from './http/server.ts'
import { en } from './messages/en/en.ts'
import { phoneText } from './messages/phone-text.ts'
import { textOf } from './messages/text.ts'
import { createPhones } from './phone/phones.ts'
import { openPhoneStorage } from './phone/storage/open-storage.ts'
import { toBase64url } from './protocol/bytes.ts'
import { MAIN_WORKSPACE } from './protocol/ids.ts'
import { type Log, silent } from './protocol/log.ts'
import { err, ok, type Result } from './protocol/result.ts'
import { createService } from './service/service.ts'
import { createEventReceiver } from './service/shared/event-relay.ts'
import { countBoot } from './service/store/boot-count.ts'
import { openDataDirectory } from './service/store/data-directory.ts'
import { openStore } from './service/store/open-store.ts'
import { ownerOnly } from './service/store/owner-only.ts'
import type { PostgresLocation } from './service/store/postgres/location.ts'
import { announceBench } from './service/store/running-bench.ts'
import type { Store } from './service/store/store.ts'
import { keepClock, readClocks, toldClock } from './service/workspaces/kept-clocks.ts'
import { serverNames } from './tls/server-names.ts'
import { leafOf, makeTlsIdentity, pinTo, type WantedTls } from './tls/tls-identity.ts'

export type BenchSettings = {
  /** 0 takes a free one. */
  readonly port: number
  /** 127.0.0.1 and ::1 when empty. */
  readonly hosts: readonly string[]
  /** Further names, with or without a port, under which others reach the bench. */
  readonly allowHosts?: readonly string[]
  readonly prefix: string
  /** The origin under which a proxy makes the bench known. */
  readonly publicUrl?: string
  /** https alone; http when absent. */
  readonly tls?: WantedTls
  /** Everything is in memory without one; beside a database it keeps the phones. */
  readonly dataDirectory?: string
  readonly database?: PostgresLocation
  /** Of the control interface; one is drawn when absent. */
  readonly token?: string
  /** The origin at which other processes answer RPs and phones; without one this process does. */
  readonly serviceUrl?: string
  readonly seed?: number
  /** Where the clocks of new workspaces start; main's too, unless the last start was told the same. */
  readonly clock?: ClockSetting
  readonly seedData: SeedData
  readonly version: string
  /** Where the built page is. */
  readonly pageFolder: string
  readonly log?: Log
}

export type Bench = {
  readonly baseUrl: string
  readonly appUrl: string
  readonly controlUrl: string
  readonly uiUrl: string
  readonly port: number
  readonly hosts: readonly string[]
  readonly token: string
  /** PEM of the certificate authority that the bench made for itself. */
  readonly authority: string | undefined
  /** The RP and the access key that the workspace main began with, if it still has them. */
  readonly rp: MainRp | undefined
  /** The page's address with a one-time code in it. */
  invite(): string
  /** Within two seconds; nothing committed is lost. */
  close(): Promise<void>
}

/** ::1 is left out where the machine has none. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Beside a database the directory has only the phones; it has one user at a time all the same. */
const openBenchStore = async ({ database, dataDirectory }: BenchSettings, log: Log): Promise<Result<Store, string>> => {
  if (database === undefined) {
    return openStore(dataDirectory === undefined ? { kind: 'memory' } : { kind: 'directory', path: dataDirectory }, log)
  }
  const directory = dataDirectory === undefined ? ok(undefined) : openDataDirectory(dataDirectory, process.pid)
  if (!directory.ok) return directory
  const release = (): void => directory.value?.release()
  const store = await openStore({ kind: 'postgres', database, release }, log)
  if (!store.ok) release()
  return store
}

/** Clock, random, store, service, phones, recorder and control, in that order. Refusals are sentences. */
export const startBench = async (settings: BenchSettings): Promise<Result<Bench, string>> => {
  const { dataDirectory, prefix, log = silent } = settings
  const store = await openBenchStore(settings, log)
  if (!store.ok) return store
  const opened = openPhoneStorage(
    dataDirectory === undefined ? ':memory:' : ownerOnly(join(dataDirectory, 'phones.db')),
  )
  if (!opened.ok) {
    await store.value.close()
    return opened
  }
  const storage = opened.value
  const boot = (await store.value.shared?.countBoot()) ?? (dataDirectory === undefined ? 0 : countBoot(dataDirectory))
  const random = createRandom({ boot, ...(settings.seed === undefined ? {} : { seed: settings.seed }) })
  const kept = await readClocks(store.value)
  const told = settings.clock
  const toldAnew = await toldClock.isNew(store.value, told)
  if (toldAnew && told !== undefined) kept.delete(MAIN_WORKSPACE)
  const clocks = createClocks({
    ...(told === undefined ? {} : { start: told }),
    kept,
    settle: async (workspace) => {
      await service.admin.settled()
      await phones.idle(workspace)
      await service.admin.settled()
    },
  })
  const recorder = createRecorder({ wall: realClock, bench: clocks.of })
  const simulatedCalls = createSimulatedCalls()
  // Never from the seed: whoever knows it could otherwise speak to the bench, or for it.
  const secrets = createRandom()
  const identity =
    settings.tls === undefined
      ? ok(undefined)
      : makeTlsIdentity(settings.tls, {
          directory: dataDirectory,
          names: serverNames({ ...settings, machineNames: () => [hostname(), ...addressesOfMachine()] }),
          now: realClock.now(),
          random: secrets.stream(MAIN_WORKSPACE, 'tls', 'keys'),
        })
  if (!identity.ok) {
    storage.close()
    await store.value.close()
    return identity
  }
  const pinned = identity.value === undefined ? undefined : pinTo(identity.value.certificate)
  const addresses = benchAddresses({ ...settings, secure: identity.value !== undefined })
  const observe: Observe = (workspace, draft, at) =>
    recorder.observe(workspace, simulatedCalls.mark(workspace, draft), at)
  const service = await createService({
    store: store.value,
    clock: clocks.of,
    wall: realClock,
    random,
    observe,
    log,
    addresses,
    deviceOfPhone: (workspace, id) => phones.get({ workspace, phone: id })?.device_id,
    prefix,
  })
  const phones = createPhones({
    appUrl: addresses.ownAppUrl,
    baseUrl: addresses.baseUrl,
    tls: pinned,
    clock: clocks.of,
    wall: realClock,
    random,
    observe: recorder.observe,
    storage,
    rowKey: service.admin.workspaces.rowKey,
    trustMakers: (workspace) => trustOwnRoots(workspace),
    trouble: (workspace, refusal) =>
      log({ level: 'error', event: 'phones not saved', workspace, detail: phoneText(en, refusal) }),
  })
  const { admin } = service
  phones.tidy((await admin.workspaces.list()).map(({ id }) => id))
  const relyingParties = createRelyingParties({
    baseUrl: addresses.ownBaseUrl,
    tls: pinned,
    clock: clocks.of,
    real: realClock,
    announce: simulatedCalls.announce,
    signingTime: async (workspace) => {
      const profile = await admin.profile.get(workspace)
      return profile.ok && profile.value.skew_clock === 'bench' ? clocks.of(workspace).now() : realClock.now()
    },
    keyOf: async (workspace, rp) => {
      const keys = await admin.accessKeys.list(workspace, rp)
      if (!keys.ok) return keys
      const active = keys.value.find(({ state }) => state === 'active')
      if (active === undefined) return err(refuse('wrong_state', { code: 'no_active_key' }))
      const revealed = await admin.accessKeys.reveal(workspace, active.id)
      return revealed.ok ? ok({ accessKeyId: revealed.value.id, secretKey: revealed.value.secret }) : revealed
    },
  })
  const seeder = createSeeder({ admin, phones, seedData: settings.seedData, origin: addresses.ownOrigin })
  const trustOwnRoots = createOwnRootTrust({ admin, phones })
  const workspaces = createWorkspaces({
    admin,
    phones,
    clocks,
    real: realClock,
    random,
    recorder,
    relyingParties,
    trustOwnRoots,
    seed: seeder.workspace,
  })
  const source = secrets.stream(MAIN_WORKSPACE, 'control', 'token')
  const token = settings.token ?? toBase64url(source.bytes(24))
  const sessions = createSessions({ token, source })
  const closing = new AbortController()
  const leases = createLeases({
    admin,
    phones,
    closeWorkspace: workspaces.close,
    recorder,
    random,
    real: realClock,
    closing: closing.signal,
    log,
  })
  const control = createControl({
    token,
    info: { version: settings.version, pid: process.pid, node: process.version, dataDirectory },
    authority: identity.value?.authority,
    addresses,
    isOurHost: addresses.isOurHost,
    isOurOrigin: addresses.isOurOrigin,
    admin,
    phones,
    clocks,
    recorder,
    relyingParties,
    workspaces,
    leases,
    sessions,
    seedOf: random.seedOf,
    real: realClock,
    closing: closing.signal,
    log,
  })
  const { shared } = store.value
  const receiver =
    shared &&
    createEventReceiver(shared, (workspace, draft, at) => {
      if (service.isOpen(workspace)) observe(workspace, draft, at)
      service.hear(workspace, draft)
    })
  const server = createServer({
    mounts: [
      ...(settings.serviceUrl === undefined ? [service.mounts.rp, service.mounts.app] : []),
      control,
      createHealth(),
      createReadiness(shared?.ping),
      createPage(settings.pageFolder, log),
    ],
    tls: identity.value,
    workspaceExists: service.workspaceExists,
    random,
    log,
  })

  let withdraw = (): void => undefined
  /** Each by itself, so that the others open; what is wrong with main, without which there is no bench. */
  const setDamagedAside = async (): Promise<FieldProblem | undefined> => {
    let ofMain: FieldProblem | undefined
    for (const { id, problem } of await admin.workspaces.list()) {
      const found = problem ?? phones.problem(id)
      if (found === undefined) continue
      if (problem === undefined) admin.workspaces.setAside(id, found)
      if (id === MAIN_WORKSPACE) ofMain = found
    }
    return ofMain
  }

  const close = async (): Promise<void> => {
    withdraw()
    closing.abort()
    relyingParties.close()
    const served = server.close()
    await phones.close()
    await receiver?.close()
    await service.close()
    await served
    clocks.stop()
    storage.close()
    await store.value.close()
  }

  const damage = await setDamagedAside()
  if (damage !== undefined) {
    await close()
    return err(
      `The workspace main in ${dataDirectory} is damaged. ${textOf(en.reasons, damage)} Put back a copy of the directory, or name another.`,
    )
  }
  const listening = await server.listen({
    port: settings.port,
    hosts: settings.hosts.length === 0 ? LOOPBACK : settings.hosts,
  })
  if (!listening.ok) {
    await close()
    return listening
  }
  addresses.listensOn(listening.value)
  const seeded = await seeder.main()
  if (!seeded.ok) {
    await close()
    return seeded
  }
  if (toldAnew) {
    await keepClock(store.value, MAIN_WORKSPACE, clocks.of(MAIN_WORKSPACE).kept())
    await toldClock.keep(store.value, told)
  }
  for (const { id, problem } of await admin.workspaces.list()) {
    if (problem !== undefined) continue
    await phones.start(id)
    await trustOwnRoots(id)
  }
  const withPhones = await seeder.phones()
  if (!withPhones.ok) {
    await close()
    return withPhones
  }
  if (dataDirectory !== undefined) {
    // A program on this machine need not go through a proxy.
    const controlUrl = addresses.ownOrigin() + CONTROL_PREFIX
    withdraw = announceBench(dataDirectory, {
      pid: process.pid,
      control_url: controlUrl,
      token,
      ...(identity.value === undefined ? {} : { certificate: leafOf(identity.value.certificate) }),
    })
  }
  return ok({
    baseUrl: addresses.baseUrl(MAIN_WORKSPACE),
    appUrl: addresses.appUrl(MAIN_WORKSPACE),
    controlUrl: addresses.controlUrl(MAIN_WORKSPACE),
    uiUrl: addresses.uiUrl(MAIN_WORKSPACE),
    port: listening.value.port,
    hosts: listening.value.hosts,
    token,
    authority: identity.value?.authority,
    rp: seeded.value,
    invite: () => `${addresses.uiUrl(MAIN_WORKSPACE)}#code=${sessions.invite()}`,
    close,
  })
}
