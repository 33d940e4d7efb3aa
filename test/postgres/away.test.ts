import { expect, test } from 'vitest'
import { startBench } from '../../src-main/bench.ts'
import { DEMO_RP } from '../../src-main/control/seed-data.ts'
import { realClock } from '../../src-main/harness/clock.ts'
import type { LogLine } from '../../src-main/protocol/log.ts'
import { createControlClient } from '../../src-main/sdk/client.ts'
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
    const database = locationOf(server.url.replace('handset@', 'handset:not-to-be-told@'))
    expect(database.connection).toContain('not-to-be-told')
    const common = { database, port: 0, hosts: ['127.0.0.1'], prefix: '/fido' }
    const seedData = { rps: [DEMO_RP], phones: [] }
    const lines: Record<'bench' | 'service', LogLine[]> = { bench: [], service: [] }
    const bench = taken(
      await startBench({
        ...{ ...common, version: '0.0.0', pageFolder: '/nowhere', seedData },
        log: (line) => void lines.bench.push(line),
      }),
    )
    const service = taken(
      await startServiceProcess({ ...common, version: '0.0.0', log: (line) => void lines.service.push(line) }),
    )
    const outages = () =>
      [lines.bench, lines.service].map((told) =>
        told.filter(({ event }) => /^database (does not answer|answers again)$/.test(event)),
      )
    const key = { id: bench.rp?.accessKeyId ?? '', secret: bench.rp?.secretKey ?? '' }
    const codes = (): Promise<readonly [number, number, number][]> =>
      Promise.all(
        [bench, service].map(async ({ port }): Promise<[number, number, number]> => {
          const status = async (target: string) =>
            (await ask({ port, method: 'GET', target, headers: [['Host', `localhost:${port}`]] })).status
          const rp = rpClient({ port, prefix: '/fido', wall: realClock }, { key, workspace: 'main' })
          const asked = await rp.list('u1')
          if (asked.status === 503) expect(asked.headers['retry-after']).toBe('1')
          expect(asked.text).not.toContain(`:${server.port}`)
          return [asked.json.code, await status('/healthz'), await status('/readyz')]
        }),
      )
    try {
      const well = [0, 200, 200]
      expect(await codes()).toEqual([well, well])
      await server.halt('immediate')
      const away = [50302, 200, 503]
      expect(await codes()).toEqual([away, away])
      expect(await codes()).toEqual([away, away])
      const stopped = { event: 'database does not answer', level: 'error', database: common.database.shown }
      expect(outages()).toMatchObject([[stopped], [stopped]])
      await server.start()
      await expect.poll(codes).toEqual([well, well])
      const back = { event: 'database answers again', level: 'warn', database: common.database.shown }
      expect(outages()).toMatchObject([
        [stopped, back],
        [stopped, back],
      ])
      expect(JSON.stringify(lines)).not.toContain('not-to-be-told')
    } finally {
      await service.close()
      await bench.close()
      await server.stop()
    }
  },
)

test.skipIf(noPostgres)(
  'what ends while the database is away is removed when it is back, and an RP that polls goes on',
  async () => {
    const server = await startPostgres()
    if (typeof server === 'string') throw new Error(server)
    const log: LogLine[] = []
    const common = { database: locationOf(server.url), port: 0, hosts: ['127.0.0.1'], prefix: '/fido' }
    const seedData = { rps: [DEMO_RP], phones: [] }
    const bench = taken(
      await startBench({
        ...common,
        version: '0.0.0',
        pageFolder: '/nowhere',
        seedData,
        log: (line) => void log.push(line),
      }),
    )
    const client = createControlClient({ controlUrl: bench.controlUrl, token: bench.token })
    const told = (event: string) => log.some((line) => line.event === event)
    try {
      await client.call('workspaces.create', { body: { id: 'of-a-job', lease_ms: 5_000 } })
      const { id: lease } = await client.call('leases.create', { body: { ttl_ms: 5_000 } })
      await client.call('workspaces.create', { body: { id: 'of-a-test', lease } })
      const rp = bench.rp?.id ?? ''
      const { msg_id } = await client.call('simulator.register', {
        params: { rp },
        body: { user_id: 'u', username: 'u', interval_ms: 100 },
      })
      const letGo = new AbortController()
      const held = client.hold(lease, letGo.signal).catch(() => undefined)
      await expect.poll(async () => (await client.call('leases.get', { params: { id: lease } })).held).toBe(true)
      letGo.abort()
      await held
      await server.halt('immediate')
      await expect.poll(() => told('abandoned workspace not closed')).toBe(true)
      await expect.poll(() => told('lease not removed')).toBe(true)
      await server.start()
      const there = async () => (await client.call('workspaces.list')).workspaces.map((each) => each.id)
      await expect.poll(there).toEqual(['main'])
      const polls = async () => (await client.call('simulator.attempt', { params: { rp, msg_id } })).polls
      const before = await polls()
      await expect.poll(polls).toBeGreaterThan(before)
    } finally {
      await bench.close()
      await server.stop()
    }
  },
)
