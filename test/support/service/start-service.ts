import { createBenchClock, realClock } from '../../../src-main/bench/harness/clock.ts'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { createRecorder } from '../../../src-main/bench/harness/recorder.ts'
import type { BenchEvent, EventKind, Observe } from '../../../src-main/core/contract/events.ts'
import type { LogLine } from '../../../src-main/core/protocol/log.ts'
import { ok } from '../../../src-main/core/protocol/result.ts'
import type { Clock } from '../../../src-main/core/protocol/time.ts'
import { createHostCheck } from '../../../src-main/http/page-guard.ts'
import { createServer, type ServerLimits } from '../../../src-main/http/server.ts'
import { createService, type Service } from '../../../src-main/service/service.ts'
import { openStore, type StoreLocation } from '../../../src-main/service/store/open-store.ts'
import { parsePostgresUrl } from '../../../src-main/service/store/postgres/location.ts'
import type { Store } from '../../../src-main/service/store/store.ts'
import { taken } from '../taken.ts'
import { severalProcesses } from './several-processes.ts'

export const ORIGIN = 'https://shop.example'

/** Everything but the bench: a service with a store in memory, listening on a free loopback port. */
export const startService = async (
  options: {
    readonly store?: StoreLocation
    /** Instead of one that is opened here. */
    readonly openStore?: Store
    readonly log?: LogLine[]
    readonly seed?: number
    readonly limits?: Partial<ServerLimits>
    /** Where real time stands. It only moves when the test moves it. */
    readonly wall?: { now: number }
    readonly prefix?: string
  } = {},
) => {
  const { log = [] } = options
  const several = options.store === undefined && options.openStore === undefined ? await severalProcesses() : undefined
  const shared: StoreLocation | undefined =
    several && ({ kind: 'postgres', database: taken(parsePostgresUrl(several.newUrl())) } as const)
  const opened =
    options.openStore === undefined
      ? await openStore(options.store ?? shared ?? { kind: 'memory' })
      : ok(options.openStore)
  if (!opened.ok) throw new Error(opened.error.code)
  const store = opened.value
  const { prefix = '/fido' } = options
  const wallNow = options.wall
  const wall: Clock = wallNow === undefined ? realClock : { now: () => wallNow.now, at: realClock.at }
  const start = Date.UTC(2026, 4, 1, 12)
  const clocks = new Map<string, ReturnType<typeof createBenchClock>>()
  const settle: { run: () => Promise<void> } = { run: async () => {} }
  const clock = (workspace: string) => {
    const known = clocks.get(workspace)
    if (known !== undefined) return known
    const made = createBenchClock({ start: { now: start, frozen: true }, settle: () => settle.run() })
    clocks.set(workspace, made)
    return made
  }
  const recorder = createRecorder({ wall, bench: clock })
  let port = 0
  const at = (workspace: string): string => (workspace === 'main' ? '' : `/w/${workspace}`)
  const common = {
    clock,
    wall,
    log: (line: LogLine) => log.push(line),
    prefix,
    addresses: {
      baseUrl: (workspace: string) => `http://localhost:${port}${at(workspace)}${prefix}`,
      appUrl: (workspace: string) => `http://localhost:${port}${at(workspace)}/app`,
      isOurHost: (host: string) => createHostCheck({ port })(host),
      isOurOrigin: (origin: string) => origin === `http://localhost:${port}`,
    },
  }
  const randomOf = (boot: number) => createRandom({ seed: options.seed ?? 1, boot })
  const service = await createService({ ...common, store, random: randomOf(0), observe: recorder.observe })
  settle.run = service.admin.settled
  const serve = async (served: Service, at: number): Promise<ReturnType<typeof createServer>> => {
    const made = createServer({
      mounts: [served.mounts.rp, served.mounts.app],
      workspaceExists: served.workspaceExists,
      random: randomOf(at),
      log: common.log,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    })
    port = taken(await made.listen({ port: at, hosts: ['127.0.0.1'] })).port
    return made
  }
  const server = await serve(service, 0)
  /** As processes beside this one, which is their bench: each with a store and a random source of its own. */
  const others = await Promise.all(
    (shared === undefined ? [] : (several?.ports ?? [])).map(async (at, n) => {
      const own = taken(await openStore(shared ?? { kind: 'memory' }))
      const observe: Observe = (workspace, draft, when) => {
        service.receiveEvent(workspace, draft)
        recorder.observe(workspace, draft, when)
      }
      const follow = { begin: async () => undefined, end: () => undefined }
      const sendOpinion = service.receiveOpinion
      const made = await createService({ ...common, store: own, random: randomOf(n + 1), observe, sendOpinion, follow })
      const listener = await serve(made, at)
      return async (): Promise<void> => {
        await listener.close()
        await made.close()
        await own.close()
      }
    }),
  )
  port = several?.port ?? port

  const makeRp = async (workspace = 'main', name = 'Shop') => {
    const rp = taken(await service.admin.rps.create(workspace, { name, rp_id: 'shop.example', origins: [ORIGIN] }))
    const key = taken(await service.admin.accessKeys.create(workspace, rp.id))
    return { rp, key, workspace }
  }

  return {
    ...service,
    store,
    server,
    recorder,
    log,
    port,
    prefix,
    clock: clock('main'),
    /** What an alarm started is waited for by this; phones add themselves. */
    settle,
    clockOf: clock,
    wall,
    makeRp,
    events: <K extends EventKind>(kind: K, workspace = 'main') =>
      recorder.read(workspace, { limit: 100_000 }).events.filter((event) => event.kind === kind) as Extract<
        BenchEvent,
        { kind: K }
      >[],
    stop: async () => {
      await Promise.all(others.map((close) => close()))
      several?.release()
      await server.close()
      await service.close()
      await store.close()
      for (const each of clocks.values()) each.stop()
    },
  }
}

export type Running = Awaited<ReturnType<typeof startService>>

export type TestRp = Awaited<ReturnType<Running['makeRp']>>
