import { setTimeout as pause } from 'node:timers/promises'
import { startBench } from '../../../src-main/bench/assembly/bench.ts'
import { type ServiceProcess, startServiceProcess } from '../../../src-main/bench/assembly/service-process.ts'
import { DEMO_RP } from '../../../src-main/bench/control/seed-data.ts'
import { realClock } from '../../../src-main/bench/harness/clock.ts'
import type { LogLine } from '../../../src-main/core/protocol/log.ts'
import { createControlClient } from '../../../src-main/sdk/client.ts'
import { composeBalancer } from '../compose-postgres.ts'
import { freePort } from '../free-port.ts'
import { taken } from '../taken.ts'
import { locationOf } from './postgres-url.ts'
import { startHaproxy } from './start-haproxy.ts'

export const METRICS_TOKEN = 'for-prometheus-0123456789'

/** So many service processes behind a balancer, that of compose.postgres.yaml or a plain one, and one bench, over one database. */
export const startProcesses = async (
  url: string,
  { services = 3, composed = false }: { readonly services?: number; readonly composed?: boolean } = {},
) => {
  const log: LogLine[] = []
  const ports = await Promise.all(Array.from({ length: services }, freePort))
  const benchPort = await freePort()
  const balancer = await startHaproxy(
    composed ? (own) => composeBalancer({ own, services: ports, bench: benchPort }) : ports,
  )
  const publicUrl = `http://localhost:${balancer.port}`
  const common = {
    database: locationOf(url),
    hosts: ['127.0.0.1'],
    prefix: '/fido',
    version: '0.0.0',
    log: (line: LogLine) => void log.push(line),
  }
  const start = async (port: number) =>
    taken(await startServiceProcess({ ...common, port, publicUrl, metricsToken: METRICS_TOKEN }))
  const processes: ServiceProcess[] = []
  for (const port of ports) processes.push(await start(port))
  const bench = taken(
    await startBench({
      ...common,
      port: benchPort,
      serviceUrl: publicUrl,
      ...(composed ? { publicUrl } : {}),
      version: '0.0.0',
      pageFolder: '/nowhere',
      seedData: {
        rps: [{ ...DEMO_RP, name: 'Shop', rp_id: 'shop.example', origins: ['https://shop.example'] }],
        phones: [],
      },
    }),
  )
  const client = createControlClient({ controlUrl: bench.controlUrl, token: bench.token })
  // The balancer has found all of them when its checks say so.
  for (const path of ['/fido/x', '/healthz']) {
    while ((await fetch(publicUrl + path)).status === 503) await pause(20)
  }
  return {
    /** What the clients of the black-box tests need. */
    running: { port: balancer.port, prefix: '/fido', wall: realClock },
    ports,
    processes,
    /** One of them ends, and another one takes its place, as an update does it. */
    restart: async (n: number, drainMs: number) => {
      await processes[n]?.close({ drainMs })
      processes[n] = await start(ports[n] ?? 0)
    },
    bench,
    client,
    log,
    rp: { key: { id: bench.rp?.accessKeyId ?? '', secret: bench.rp?.secretKey ?? '' }, workspace: 'main' },
    stop: async () => {
      await bench.close()
      await Promise.all(processes.map(({ close }) => close()))
      await balancer.stop()
    },
  }
}

export type Processes = Awaited<ReturnType<typeof startProcesses>>
