import { hostname } from 'node:os'
import { join } from 'node:path'
import { CONTROL_PREFIX } from '../../core/contract/control/routes.ts'
import { type FieldProblem, refuse } from '../../core/contract/errors.ts'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import type { ModelMetadata } from '../../core/judge/ceremony-case.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { type Log, silentLog } from '../../core/protocol/log.ts'
import { err, type OkOf, ok } from '../../core/protocol/result.ts'
import type { Clock, Millis } from '../../core/protocol/time.ts'
import { createKeyedQueue } from '../../core/protocol/turns.ts'
import { ensureOwnerOnly } from '../../disk/owner-only.ts'
import { createMountCalls } from '../../http/call-mount.ts'
import { currentTraceparent } from '../../http/message.ts'
import { createServer } from '../../http/server.ts'
import { createPhones, type Phones } from '../../phones/phone/phones.ts'
import { openPhoneStorage } from '../../phones/phone/storage/open-storage.ts'
import type { Admin } from '../../service/admin/create-admin.ts'
import type { ForwardSettings } from '../../service/forward/forward-rp.ts'
import { createService } from '../../service/service.ts'
import { countWorkspaces } from '../../service/services.ts'
import { createEventReceiver } from '../../service/shared/event-relay.ts'
import { openBenchStore } from '../../service/shared/open-bench-store.ts'
import { announceBench, countBoot } from '../../service/store/announce-bench.ts'
import type { PostgresLocation } from '../../service/store/postgres/location.ts'
import type { Store } from '../../service/store/store.ts'
import { lastClockSetting, readClocks, storeClock } from '../../service/workspaces/kept-clocks.ts'
import { type AddressSettings, benchAddresses, listMachineAddresses } from '../control/bench-addresses.ts'
import { createControl } from '../control/control.ts'
import { createDrain } from '../control/drain.ts'
import { createLeases } from '../control/leases/leases.ts'
import { createOfferedFiles, createPage } from '../control/page.ts'
import { createSeeder, type SeedData } from '../control/seed-data.ts'
import { createCallers, createOneTimeCodes, createTokens } from '../control/tokens.ts'
import { createWorkspaceLeases } from '../control/unused-workspaces.ts'
import { createWorkspaces } from '../control/workspaces.ts'
import { type BenchClocks, type ClockSetting, createClocks, followClock, realClock } from '../harness/clock.ts'
import { openRecorder } from '../harness/open-recorder.ts'
import { createRandom } from '../harness/random.ts'
import { createRelyingParties } from '../harness/rp-simulators.ts'
import { startTraceFiles, type TraceFileSettings } from '../harness/trace-files.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { leafCertificate, makeTlsIdentity, pinCertificate, serverNames, type TlsSetting } from '../tls/tls-identity.ts'

export type ProcessSettings = AddressSettings & {
  readonly seed?: number
  /** A random one when absent. */
  readonly token?: string
  /** Lets Prometheus read /metrics, as `token` does. */
  readonly metricsToken?: string
  /** Trusted and revoked authenticator models, in addition to each workspace's roots. */
  readonly metadata?: ModelMetadata
  readonly version: string
  readonly log?: Log
}

export type BenchSettings = ProcessSettings & {
  /** Serves https only; http when absent. */
  readonly tls?: TlsSetting
  /** Keeps phones, events and the TLS authority; without `database`, all data. When absent, these are in memory. */
  readonly dataDirectory?: string
  readonly database?: PostgresLocation
  /** The origin of other processes that answer RPs and phones; if absent, this process does. */
  readonly serviceUrl?: string
  /** Settings for another service, to which this process forwards the calls of RPs and phones. */
  readonly forward?: ForwardSettings
  /** Start of the clocks of new workspaces; main's too, unless the last start had the same setting. */
  readonly clock?: ClockSetting
  readonly seedData: SeedData
  readonly pageFolder: string
  /** Number of events that are kept for each workspace. */
  readonly keepEvents?: number
  readonly traces?: TraceFileSettings
}

export type Bench = OkOf<Awaited<ReturnType<typeof startBench>>>

export const startBench = async (settings: BenchSettings) => {
  const { dataDirectory, prefix } = settings
  const metrics = createMetrics(settings.version)
  const log = metrics.reading(settings.log ?? silentLog)
  const lost = Promise.withResolvers<StartProblem>()
  const store = await openBenchStore(settings, { log, lost: lost.resolve })
  if (!store.ok) return store
  const phonesFile = dataDirectory === undefined ? ':memory:' : ensureOwnerOnly(join(dataDirectory, 'phones.db'))
  const opened = openPhoneStorage(phonesFile)
  if (!opened.ok) {
    await store.value.close()
    return opened
  }
  const storage = opened.value
  const { shared } = store.value
  const boot = (await shared?.countBoot()) ?? (dataDirectory === undefined ? 0 : countBoot(dataDirectory))
  const random = createRandom({ boot, ...(settings.seed === undefined ? {} : { seed: settings.seed }) })
  const { real, clocks, ...kept } = await openBenchClocks(store.value, {
    ...(settings.clock === undefined ? {} : { setting: settings.clock }),
    settle: async (workspace) => {
      await service.admin.settled()
      await phones.idle(workspace)
      await service.admin.settled()
    },
  })
  const { recorder, ...events } = openRecorder({
    directory: dataDirectory,
    wall: real,
    bench: clocks.of,
    log,
    keepEvents: settings.keepEvents,
  })
  const traced =
    settings.traces && startTraceFiles({ ...settings.traces, recorder, real, log, version: settings.version })
  // These secrets never come from the seed: anyone who knows the seed could otherwise call the bench, or pose as it.
  const secrets = createRandom()
  const identity = makeTlsIdentity(settings.tls, {
    directory: dataDirectory,
    names: serverNames({ ...settings, machineNames: () => [hostname(), ...listMachineAddresses()] }),
    now: real.now(),
    random: secrets.stream(MAIN_WORKSPACE, 'tls', 'keys'),
  })
  if (!identity.ok) {
    await events.close()
    await storage.close()
    await store.value.close()
    return identity
  }
  const pinned = identity.value === undefined ? undefined : pinCertificate(identity.value.certificate)
  const addresses = benchAddresses({
    ...settings,
    target: settings.forward?.baseUrl,
    secure: identity.value !== undefined,
  })
  const service = await createService({
    store: store.value,
    clock: clocks.of,
    wall: real,
    random,
    observe: metrics.seeing(recorder.observe),
    log,
    addresses,
    isDeviceOf: (workspace, { phone, device }) => phones.get({ workspace, phone })?.device_id === device,
    prefix,
    ...withoutUndefined({ metadata: settings.metadata }),
    forward: settings.forward,
  })
  const phones = createPhones({
    appUrl: addresses.ownAppUrl,
    // Another service's codes may have an address that differs from the one used here.
    ...(settings.forward === undefined ? { baseUrl: addresses.baseUrl } : {}),
    tls: pinned,
    clock: clocks.of,
    wall: real,
    random,
    observe: recorder.observe,
    storage,
    rowKey: service.admin.workspaces.rowKey,
    traceparent: currentTraceparent,
    ...(shared && { signedIn: shared.phones.know }),
    trustMakers: (workspace) => workspaces.trustOwnRoots(workspace),
    trouble: (workspace, { word, reason }) =>
      log({ level: 'error', event: 'phones not saved', workspace, word, problem: reason }),
  })
  const { admin } = service
  const there = (await admin.workspaces.list()).map(({ id }) => id)
  phones.tidy(there)
  events.keepOnly(there)
  const relyingParties = createRelyingParties({
    baseUrl: addresses.ownBaseUrl,
    tls: pinned,
    clock: clocks.of,
    real,
    recorder,
    addressBase: (workspace) => (settings.forward === undefined ? addresses.baseUrl(workspace) : undefined),
    onOdd: (workspace, { rp, ...decision }) =>
      recorder.observe(workspace, { actor: { kind: 'rp', id: rp }, kind: 'decision', rp_id: rp, ...decision }),
    traceparent: currentTraceparent,
    ...createRpSigning(admin, clocks, real),
  })
  const seeder = createSeeder({ admin, phones, seedData: settings.seedData, origin: addresses.ownOrigin })
  const sides = { admin, phones, clocks, real, recorder, relyingParties }
  const workspaces = createWorkspaces({
    ...sides,
    random,
    forgetName: async (workspace) => {
      leases.forgetWorkspace(workspace)
      await tokens.forgetWorkspace(workspace)
    },
    seed: seeder.workspace,
  })
  const source = secrets.stream(MAIN_WORKSPACE, 'control', 'token')
  const token = settings.token ?? toBase64url(source.bytes(24))
  const sessions = createOneTimeCodes({ token, source })
  const tokens = await createTokens({ admin, source, real })
  const closing = new AbortController()
  const leasing = { ...sides, closeWorkspace: workspaces.close, closing: closing.signal, log }
  const leases = createLeases({ ...leasing, random })
  const workspaceLeases = createWorkspaceLeases(leasing)
  const control = createControl({
    ...sides,
    callers: createCallers({ token, tokens, admin }),
    tokens,
    workspaceLeases,
    turns: createKeyedQueue(),
    info: { version: settings.version, pid: process.pid, node: process.version, data_directory: dataDirectory ?? null },
    pageFolder: settings.pageFolder,
    authority: identity.value?.authority,
    addresses,
    workspaces,
    leases,
    sessions,
    seedOf: random.seedOf,
    closing: closing.signal,
    log,
  })
  const receiver =
    shared &&
    createEventReceiver(shared, {
      observe: (workspace, draft, at) => {
        // The service gets the event first: a listener may ask for a second opinion, which the service must expect.
        service.receiveEvent(workspace, draft)
        if (service.isOpen(workspace)) recorder.observe(workspace, draft, at)
      },
      receiveOpinion: service.receiveOpinion,
    })
  const drain = createDrain({
    real,
    ready: shared?.ping,
    tokens: [token, settings.metricsToken],
    metrics: async () => metrics.text({ pool: shared?.pool(), workspaces: await countWorkspaces(store.value) }),
  })
  const offered = createOfferedFiles(source)
  const server = createServer({
    mounts: [
      ...(settings.serviceUrl === undefined ? [service.mounts.rp, service.mounts.app] : []),
      control,
      ...drain.mounts,
      offered.mount,
      createPage(settings.pageFolder, log),
    ],
    tls: identity.value,
    workspaceExists: service.workspaceExists,
    random,
    log,
  })

  const ownCalls = createMountCalls({ mount: control, workspaceExists: service.workspaceExists, random, log })

  let withdraw = (): void => undefined
  const closeNow = async ({ drainMs = 0 }: Draining = {}): Promise<void> => {
    const ending = await drain.end(server, drainMs)
    withdraw()
    closing.abort()
    relyingParties.close()
    const served = ending.close()
    await phones.close()
    await receiver?.close()
    await service.close()
    await served
    await ownCalls.settled()
    traced?.close()
    await events.close()
    kept.stop()
    await storage.close()
    await store.value.close()
  }

  let closed: Promise<void> | undefined
  /**
   * Closing takes up to two seconds and loses no committed data. With `drainMs`, `/readyz` first fails for that time
   * while requests are still answered.
   */
  const close = (how?: Draining): Promise<void> => {
    closed ??= closeNow(how)
    return closed
  }

  const open = async () => {
    const damage = await setDamagedAside(admin, phones)
    if (damage !== undefined) {
      return err<StartProblem>({ code: 'main_damaged', params: { path: dataDirectory ?? '', problem: damage } })
    }
    const listening = await server.listen(settings)
    if (!listening.ok) return listening
    addresses.listensOn(listening.value)
    const rp = await seeder.main()
    if (!rp.ok) return rp
    await kept.keepSetting()
    for (const { id, problem } of await admin.workspaces.list()) {
      if (problem !== undefined) continue
      await phones.start(id)
      await workspaces.trustOwnRoots(id)
      workspaceLeases.arm(id)
      await leases.restore(id)
    }
    const seeded = await seeder.phones()
    return seeded.ok ? ok({ listening: listening.value, rp: rp.value }) : seeded
  }

  const opening = await open()
  if (!opening.ok) {
    await close()
    return opening
  }
  const { listening, rp } = opening.value
  if (dataDirectory !== undefined) {
    withdraw = announceBench(dataDirectory, {
      pid: process.pid,
      // A program on this machine need not go through a proxy.
      control_url: addresses.ownOrigin() + CONTROL_PREFIX,
      token,
      ...(identity.value === undefined ? {} : { certificate: leafCertificate(identity.value.certificate) }),
    })
  }
  return ok({
    baseUrl: addresses.baseUrl(MAIN_WORKSPACE),
    appUrl: addresses.appUrl(MAIN_WORKSPACE),
    controlUrl: addresses.controlUrl(MAIN_WORKSPACE),
    uiUrl: addresses.uiUrl(MAIN_WORKSPACE),
    port: listening.port,
    token,
    /** PEM of the bench's own certificate authority. */
    authority: identity.value?.authority,
    /** The RP and the access key that the workspace main began with, if it still has them. */
    rp,
    callControl: ownCalls.call,
    /** The page's address with a one-time code in it. */
    invite: (): string => `${addresses.uiUrl(MAIN_WORKSPACE)}#code=${sessions.invite()}`,
    /** Serves bytes to anyone who knows the address, until it is withdrawn. */
    offer: offered.offer,
    close,
    /** Resolves when the bench has closed because another one took its place. */
    lost: lost.promise.then(async (why) => {
      await close()
      return why
    }),
  })
}

type Draining = { readonly drainMs?: number }

/** Real time (a shared store's, if there is one) and each workspace's clock, as stored or as set for this start. */
const openBenchClocks = async (
  store: Store,
  { setting, settle }: { readonly setting?: ClockSetting; readonly settle: (workspace: string) => Promise<void> },
) => {
  const led = store.shared && (await followClock(realClock, store.shared.now))
  const real = led ?? realClock
  const kept = await readClocks(store)
  const isNewSetting = await lastClockSetting.isNew(store, setting)
  if (isNewSetting && setting !== undefined) kept.delete(MAIN_WORKSPACE)
  const clocks = createClocks({ real, ...(setting === undefined ? {} : { start: setting }), kept, settle })
  return {
    real,
    clocks,
    /** Stores that the setting for main's clock was applied: the next start does not apply it again. */
    keepSetting: async (): Promise<void> => {
      if (!isNewSetting) return
      await storeClock(store, MAIN_WORKSPACE, clocks.of(MAIN_WORKSPACE).kept())
      await lastClockSetting.keep(store, setting)
    },
    stop: (): void => {
      clocks.stop()
      led?.stop()
    },
  }
}

/** Sets damaged workspaces aside, so that the others open. Returns main's problem: the bench needs main. */
const setDamagedAside = async (admin: Admin, phones: Pick<Phones, 'problem'>): Promise<FieldProblem | undefined> => {
  let ofMain: FieldProblem | undefined
  for (const { id, problem } of await admin.workspaces.list()) {
    const found = problem ?? phones.problem(id)
    if (found === undefined) continue
    if (problem === undefined) admin.workspaces.setAside(id, found)
    if (id === MAIN_WORKSPACE) ofMain = found
  }
  return ofMain
}

const createRpSigning = (admin: Admin, clocks: BenchClocks, real: Clock) => ({
  signingTime: async (workspace: string): Promise<Millis> => {
    const profile = await admin.profile.get(workspace)
    return profile.ok && profile.value.skew_clock === 'bench' ? clocks.of(workspace).now() : real.now()
  },
  keyOf: async (workspace: string, rp: string) => {
    const keys = await admin.accessKeys.list(workspace, rp)
    if (!keys.ok) return keys
    const active = keys.value.find(({ state }) => state === 'active')
    if (active === undefined) return err(refuse('wrong_state', { code: 'no_active_key' }))
    const revealed = await admin.accessKeys.reveal(workspace, active.id)
    return revealed.ok ? ok({ accessKeyId: revealed.value.id, secretKey: revealed.value.secret }) : revealed
  },
})
