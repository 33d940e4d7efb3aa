import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBench } from '../../src-main/bench/assembly/bench.ts'
import { type ServiceProcess, startServiceProcess } from '../../src-main/bench/assembly/service-process.ts'
import { DEMO_RP } from '../../src-main/bench/control/seed-data.ts'
import { realClock } from '../../src-main/bench/harness/clock.ts'
import type { LogLine } from '../../src-main/core/protocol/log.ts'
import { createControlClient } from '../../src-main/sdk/client.ts'
import { atPort, locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { startPostgres } from '../support/postgres/start-postgres.ts'
import { type PostgresProxy, startProxy } from '../support/postgres/start-proxy.ts'
import { ask } from '../support/service/raw-http.ts'
import { msgIdOf, type RpClient, rpClient } from '../support/service/rp-client.ts'
import { taken } from '../support/taken.ts'

const seedData = { rps: [DEMO_RP], phones: [] }
const common = { port: 0, hosts: ['127.0.0.1'], prefix: '/fido', version: '0.0.0', pageFolder: '/nowhere', seedData }

const startOwnPostgres = async () => {
  const server = await startPostgres()
  if (typeof server === 'string') throw new Error(server)
  return server
}

test.skipIf(noPostgres)(
  'while the database is away requests are refused with 50302 and Retry-After, and the process is alive but not ready',
  async () => {
    const server = await startOwnPostgres()
    const database = locationOf(server.url.replace('handset@', 'handset:not-to-be-told@'))
    expect(database.connection).toContain('not-to-be-told')
    const lines: Record<'bench' | 'service', LogLine[]> = { bench: [], service: [] }
    const bench = taken(await startBench({ ...common, database, log: (line) => void lines.bench.push(line) }))
    const service = taken(
      await startServiceProcess({ ...common, database, log: (line) => void lines.service.push(line) }),
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
      const stopped = { event: 'database does not answer', level: 'error', database: database.shown }
      expect(outages()).toMatchObject([[stopped], [stopped]])
      await server.start()
      await expect.poll(codes).toEqual([well, well])
      const back = { event: 'database answers again', level: 'warn', database: database.shown }
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

test.skipIf(noPostgres)('what ended is removed when the database is back, and an RP that polls goes on', async () => {
  const server = await startOwnPostgres()
  const log: LogLine[] = []
  const database = locationOf(server.url)
  const bench = taken(await startBench({ ...common, database, log: (line) => void log.push(line) }))
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
})

describe.skipIf(noPostgres)('a database that has no time', () => {
  let proxy: PostgresProxy
  let service: ServiceProcess
  let bench: Awaited<ReturnType<typeof startBench>>
  let rp: RpClient
  const url = newSchemaUrl('&pool=2&notifications=off')
  beforeAll(async () => {
    proxy = await startProxy(Number(new URL(url).port))
    const begun = await startBench({ ...common, database: locationOf(url) })
    bench = begun
    service = taken(await startServiceProcess({ ...common, database: locationOf(atPort(url, proxy.port)) }))
    const { rp: made } = taken(begun)
    const key = { id: made?.accessKeyId ?? '', secret: made?.secretKey ?? '' }
    rp = rpClient({ port: service.port, prefix: '/fido', wall: realClock }, { key, workspace: 'main' })
  })
  afterAll(async () => {
    await service.close()
    if (bench.ok) await bench.value.close()
    await proxy.stop()
  })

  const isRefused = ({ status, headers, json }: Awaited<ReturnType<RpClient['list']>>): void => {
    expect([status, headers['retry-after'], json.code]).toEqual([503, '1', 50302])
  }

  test('an exhausted pool is a refusal with Retry-After, and the requests after it are answered', async () => {
    const locker = new Client({ connectionString: locationOf(url).connection })
    await locker.connect()
    const { schema } = locationOf(url)
    await locker.query(`BEGIN; LOCK TABLE ${schema}.messages IN ACCESS EXCLUSIVE MODE`)
    // More than there are connections: the first wait for the table, the others for a connection.
    const answers = await Promise.all(Array.from({ length: 12 }, () => rp.register('u1')))
    for (const answer of answers) isRefused(answer)
    await locker.query('ROLLBACK')
    await locker.end()
    expect((await rp.register('u1')).json.code).toBe(0)
  })

  test('one that accepts and never answers is a refusal, and when it speaks again requests are answered', async () => {
    proxy.fallSilent(true)
    for (const answer of await Promise.all(Array.from({ length: 6 }, () => rp.list('u1')))) isRefused(answer)
    // Those that come while the first ones still wait, too.
    isRefused(await rp.list('u1'))
    proxy.fallSilent(false)
    await expect.poll(async () => (await rp.list('u1')).json.code).toBe(0)
  })

  test('one that takes 200 ms for each answer is slow and no refusal', async () => {
    proxy.slowDown(200)
    const id = msgIdOf(await rp.register('u2'))
    expect((await rp.registrationResult(id)).json.data.status).toBe('init')
    proxy.slowDown(0)
  })
})
