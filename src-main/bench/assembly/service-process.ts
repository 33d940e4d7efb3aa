import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { silentLog } from '../../core/protocol/log.ts'
import { type OkOf, ok } from '../../core/protocol/result.ts'
import { createServer } from '../../http/server.ts'
import { createService } from '../../service/service.ts'
import { countWorkspaces } from '../../service/services.ts'
import { createEventSender } from '../../service/shared/event-relay.ts'
import { openStore } from '../../service/store/open-store.ts'
import type { PostgresLocation } from '../../service/store/postgres/location.ts'
import { readClock, readClocks } from '../../service/workspaces/kept-clocks.ts'
import { benchAddresses } from '../control/bench-addresses.ts'
import { createDrain } from '../control/drain.ts'
import { createClocks, followClock, realClock } from '../harness/clock.ts'
import { createRandom } from '../harness/random.ts'
import { createMetrics } from '../metrics/metrics.ts'
import type { ProcessSettings } from './bench.ts'

export type ServiceProcess = OkOf<Awaited<ReturnType<typeof startServiceProcess>>>

/** A stateless process with the RP and app interfaces and the judge, for a bench; any number may run. */
export const startServiceProcess = async (settings: ProcessSettings & { readonly database: PostgresLocation }) => {
  const { database, prefix } = settings
  const metrics = createMetrics(settings.version)
  const log = metrics.reading(settings.log ?? silentLog)
  const store = await openStore({ kind: 'postgres', database }, log)
  if (!store.ok) return store
  const { shared } = store.value
  if (shared === undefined) throw new Error('A store on PostgreSQL is shared.')
  const boot = await shared.countBoot()
  const real = await followClock(realClock, shared.now)
  const random = createRandom({ boot, ...(settings.seed === undefined ? {} : { seed: settings.seed }) })
  const clocks = createClocks({ real, kept: await readClocks(store.value), settle: async () => undefined })
  const addresses = benchAddresses(settings)
  const events = createEventSender(shared, { wall: real, bench: clocks.of, log })
  const service = await createService({
    store: store.value,
    clock: clocks.of,
    wall: real,
    random,
    observe: metrics.seeing(events.observe),
    sendOpinion: events.sendOpinion,
    log,
    addresses,
    prefix,
    ...withoutUndefined({ metadata: settings.metadata }),
    follow: {
      begin: async (workspace) => {
        const kept = await readClock(store.value, workspace)
        const clock = clocks.of(workspace)
        if (kept === undefined) await clock.followReal()
        else await clock.heldAt(clock.now(), async () => ({ next: kept, value: null }))
      },
      end: (workspace) => {
        clocks.forget(workspace)
        random.forget(workspace)
      },
    },
  })
  const drain = createDrain({
    real,
    ready: shared.ping,
    tokens: [settings.token, settings.metricsToken],
    metrics: async () => metrics.text({ pool: shared.pool(), workspaces: await countWorkspaces(store.value) }),
  })
  const server = createServer({
    mounts: [service.mounts.rp, service.mounts.app, ...drain.mounts],
    workspaceExists: service.workspaceExists,
    random,
    log,
  })
  /** With `drainMs`, `/readyz` first fails for that long while requests are still answered. */
  const close = async ({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> => {
    await (await drain.end(server, drainMs)).close()
    await service.close()
    await events.settled()
    clocks.stop()
    real.stop()
    await store.value.close()
  }
  const listening = await server.listen(settings)
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
