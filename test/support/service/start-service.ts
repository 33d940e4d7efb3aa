import type { BenchEvent, EventKind } from '../../../src-main/contract/events.ts'
import { createBenchClock, realClock } from '../../../src-main/harness/clock.ts'
import { createRandom } from '../../../src-main/harness/random.ts'
import { createRecorder } from '../../../src-main/harness/recorder.ts'
import { ourHosts } from '../../../src-main/http/page-guard.ts'
import { createServer, type ServerLimits } from '../../../src-main/http/server.ts'
import type { Clock } from '../../../src-main/protocol/clock.ts'
import type { LogLine } from '../../../src-main/protocol/log.ts'
import { ok } from '../../../src-main/protocol/result.ts'
import { createService } from '../../../src-main/service/service.ts'
import { openStore, type StoreLocation } from '../../../src-main/service/store/open-store.ts'
import type { Store } from '../../../src-main/service/store/store.ts'
import { taken } from '../taken.ts'

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
  const opened =
    options.openStore === undefined ? await openStore(options.store ?? { kind: 'memory' }) : ok(options.openStore)
  if (!opened.ok) throw new Error(opened.error)
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
  const random = createRandom({ seed: options.seed ?? 1 })
  const recorder = createRecorder({ wall, bench: clock })
  let port = 0
  const at = (workspace: string): string => (workspace === 'main' ? '' : `/w/${workspace}`)
  const service = await createService({
    store,
    clock,
    wall,
    random,
    observe: recorder.observe,
    log: (line) => log.push(line),
    prefix,
    addresses: {
      baseUrl: (workspace) => `http://localhost:${port}${at(workspace)}${prefix}`,
      appUrl: (workspace) => `http://localhost:${port}${at(workspace)}/app`,
      isOurHost: (host) => ourHosts({ port })(host),
      isOurOrigin: (origin) => origin === `http://localhost:${port}`,
    },
  })
  settle.run = service.admin.settled
  const server = createServer({
    mounts: [service.mounts.rp, service.mounts.app],
    workspaceExists: service.workspaceExists,
    random,
    log: (line) => log.push(line),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  })
  const listening = await server.listen({ port: 0, hosts: ['127.0.0.1'] })
  if (!listening.ok) throw new Error(listening.error)
  port = listening.value.port

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
      await server.close()
      await service.close()
      await store.close()
      for (const each of clocks.values()) each.stop()
    },
  }
}

export type Running = Awaited<ReturnType<typeof startService>>

export type TestRp = Awaited<ReturnType<Running['makeRp']>>
