import { expect, test } from 'vitest'
import { startBench } from '../../src-main/bench.ts'
import { DEMO_RP } from '../../src-main/control/seed-data.ts'
import { realClock } from '../../src-main/harness/clock.ts'
import { startServiceProcess } from '../../src-main/service-process.ts'
import { locationOf, noPostgres } from '../support/postgres/postgres-url.ts'
import { startPostgres } from '../support/postgres/start-postgres.ts'
import { ask } from '../support/service/raw-http.ts'
import { rpClient } from '../support/service/rp-client.ts'
import { taken } from '../support/taken.ts'

test.skipIf(noPostgres)(
  'while the database is away requests are refused with 50302 and Retry-After, and the process is alive but not ready',
  async () => {
    const server = await startPostgres()
    if (typeof server === 'string') throw new Error(server)
    const common = { database: locationOf(server.url), port: 0, hosts: ['127.0.0.1'], prefix: '/fido' }
    const seedData = { rps: [DEMO_RP], phones: [] }
    const bench = taken(await startBench({ ...common, version: '0.0.0', pageFolder: '/nowhere', seedData }))
    const service = taken(await startServiceProcess({ ...common, version: '0.0.0' }))
    const key = { id: bench.rp?.accessKeyId ?? '', secret: bench.rp?.secretKey ?? '' }
    const codes = (): Promise<readonly [number, number, number][]> =>
      Promise.all(
        [bench, service].map(async ({ port }): Promise<[number, number, number]> => {
          const status = async (target: string) =>
            (await ask({ port, method: 'GET', target, headers: [['Host', `localhost:${port}`]] })).status
          const rp = rpClient({ port, prefix: '/fido', wall: realClock }, { key, workspace: 'main' })
          const asked = await rp.list('u1')
          if (asked.status === 503) expect(asked.headers['retry-after']).toBe('1')
          return [asked.json.code, await status('/healthz'), await status('/readyz')]
        }),
      )
    try {
      const well = [0, 200, 200]
      expect(await codes()).toEqual([well, well])
      await server.halt('immediate')
      const away = [50302, 200, 503]
      expect(await codes()).toEqual([away, away])
      await server.start()
      await expect.poll(codes).toEqual([well, well])
    } finally {
      await service.close()
      await bench.close()
      await server.stop()
    }
  },
)
