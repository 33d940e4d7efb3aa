import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBench } from '../../src-main/bench.ts'
import { DEMO_RP } from '../../src-main/control/seed-data.ts'
import { realClock } from '../../src-main/harness/clock.ts'
import { type ServiceProcess, startServiceProcess } from '../../src-main/service-process.ts'
import { locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { type PostgresProxy, startProxy } from '../support/postgres/start-proxy.ts'
import { msgIdOf, type RpClient, rpClient } from '../support/service/rp-client.ts'
import { taken } from '../support/taken.ts'

describe.skipIf(noPostgres)('a database that has no time', () => {
  let proxy: PostgresProxy
  let service: ServiceProcess
  let bench: Awaited<ReturnType<typeof startBench>>
  let rp: RpClient
  const url = newSchemaUrl('&pool=2&notifications=off')
  beforeAll(async () => {
    const near = new URL(url)
    proxy = await startProxy(Number(near.port))
    near.port = String(proxy.port)
    const common = { port: 0, hosts: ['127.0.0.1'], prefix: '/fido', version: '0.0.0' }
    const seedData = { rps: [DEMO_RP], phones: [] }
    const begun = await startBench({
      ...common,
      database: locationOf(url),
      pageFolder: '/nowhere',
      seedData,
    })
    bench = begun
    service = taken(await startServiceProcess({ ...common, database: locationOf(near.href) }))
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
