import { benchAddresses } from './control/bench-addresses.ts'
import { createHealth, createReadiness } from './control/health.ts'
import { realClock } from './harness/clock.ts'
import { createClocks } from './harness/clocks.ts'
import { createRandom } from './harness/random.ts'
import { createServer } from './http/server.ts'
import { MAIN_WORKSPACE } from './protocol/ids.ts'
import { type Log, silent } from './protocol/log.ts'
import { err, ok, type Result } from './protocol/result.ts'
import { createService } from './service/service.ts'
import { createEventSender } from './service/shared/event-relay.ts'
import { openStore } from './service/store/open-store.ts'
import type { PostgresLocation } from './service/store/postgres/location.ts'
import { readClock, readClocks } from './service/workspaces/kept-clocks.ts'

export type ServiceProcessSettings = {
  readonly database: PostgresLocation
  readonly port: number
  readonly hosts: readonly string[]
  readonly allowHosts?: readonly string[]
  readonly prefix: string
  readonly publicUrl?: string
  readonly seed?: number
  readonly log?: Log
}

export type ServiceProcess = {
  readonly baseUrl: string
  readonly appUrl: string
  readonly port: number
  close(): Promise<void>
}

const LOOPBACK = ['127.0.0.1', '::1']

/** The RP and app interfaces and the judge beside a bench, without any state of its own: as many as wanted. */
export const startServiceProcess = async (
  settings: ServiceProcessSettings,
): Promise<Result<ServiceProcess, string>> => {
  const { database, prefix, log = silent } = settings
  const store = await openStore({ kind: 'postgres', database }, log)
  if (!store.ok) return store
  const { shared } = store.value
  if (shared === undefined) return err('This store serves one process only.')
  const boot = await shared.countBoot()
  const random = createRandom({ boot, ...(settings.seed === undefined ? {} : { seed: settings.seed }) })
  const clocks = createClocks({ kept: await readClocks(store.value), settle: async () => undefined })
  const addresses = benchAddresses(settings)
  const events = createEventSender(shared, { wall: realClock, bench: clocks.of, log })
  const service = await createService({
    store: store.value,
    clock: clocks.of,
    wall: realClock,
    random,
    observe: events.observe,
    log,
    addresses,
    prefix,
    follow: async (workspace) => {
      const kept = await readClock(store.value, workspace)
      const clock = clocks.of(workspace)
      if (kept === undefined) await clock.followReal()
      else await clock.heldAt(clock.now(), async () => ({ next: kept, value: null }))
    },
  })
  const server = createServer({
    mounts: [service.mounts.rp, service.mounts.app, createHealth(), createReadiness(shared.ping)],
    workspaceExists: service.workspaceExists,
    random,
    log,
  })
  const close = async (): Promise<void> => {
    await server.close()
    await service.close()
    await events.settled()
    clocks.stop()
    await store.value.close()
  }
  const hosts = settings.hosts.length === 0 ? LOOPBACK : settings.hosts
  const listening = await server.listen({ port: settings.port, hosts })
  if (!listening.ok) {
    await close()
    return listening
  }
  addresses.listensOn(listening.value)
  return ok({
    baseUrl: addresses.baseUrl(MAIN_WORKSPACE),
    appUrl: addresses.appUrl(MAIN_WORKSPACE),
    port: listening.value.port,
    close,
  })
}
