import { startBench } from '../../../src-main/bench.ts'
import { DEMO_RP } from '../../../src-main/control/seed-data.ts'
import { realClock } from '../../../src-main/harness/clock.ts'
import type { LogLine } from '../../../src-main/protocol/log.ts'
import { createControlClient } from '../../../src-main/sdk/client.ts'
import { type ServiceProcess, startServiceProcess } from '../../../src-main/service-process.ts'
import { taken } from '../taken.ts'
import { locationOf } from './postgres-url.ts'
import { startHaproxy } from './start-haproxy.ts'
import { freePort } from './start-postgres.ts'

/** So many service processes behind a balancer, and one bench, over one database. */
export const startProcesses = async (url: string, { services = 3 }: { readonly services?: number } = {}) => {
  const log: LogLine[] = []
  const ports = await Promise.all(Array.from({ length: services }, freePort))
  const balancer = await startHaproxy(ports)
  const publicUrl = `http://localhost:${balancer.port}`
  const common = {
    database: locationOf(url),
    hosts: ['127.0.0.1'],
    prefix: '/fido',
    log: (line: LogLine) => void log.push(line),
  }
  const processes: ServiceProcess[] = []
  for (const port of ports) processes.push(taken(await startServiceProcess({ ...common, port, publicUrl })))
  const bench = taken(
    await startBench({
      ...common,
      port: 0,
      serviceUrl: publicUrl,
      version: '0.0.0',
      pageFolder: '/nowhere',
      seedData: {
        rps: [{ ...DEMO_RP, name: 'Shop', rp_id: 'shop.example', origins: ['https://shop.example'] }],
        phones: [],
      },
    }),
  )
  const client = createControlClient({ controlUrl: bench.controlUrl, token: bench.token })
  return {
    /** What the clients of the black-box tests need. */
    running: { port: balancer.port, prefix: '/fido', wall: realClock },
    ports,
    processes,
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
