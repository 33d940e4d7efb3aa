import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectHandset } from '../../src-main/sdk/index.ts'
import { migrations } from '../../src-main/service/store/postgres/migrations.ts'
import { parseMetrics } from '../bench/metrics/parse-metrics.ts'
import { startTestBench } from '../support/bench.ts'
import { locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { METRICS_TOKEN, type Processes, startProcesses } from '../support/postgres/start-processes.ts'
import { pushSignIn } from '../support/push-sign-in.ts'
import { runCommand } from '../support/run-command.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { softPhone } from '../support/service/soft-phone.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ALICE = { user_id: 'u-1', username: 'alice' }
/** Far longer than the balancer takes to notice. */
const DRAIN_MS = 4_000

describe.skipIf(noPostgres || noHaproxy)('three service processes and a bench, for others', () => {
  let all: Processes
  beforeAll(async () => {
    all = await startProcesses(newSchemaUrl(), { composed: true })
  })
  afterAll(() => all.stop())

  test('[serve.drain] a rolling restart of all processes under load fails no request', async () => {
    const rp = rpClient(all.running, all.rp)
    const phone = await softPhone(all.running)
    await phone.register(msgIdOf(await rp.register('u1')))
    let over = false
    let polls = 0
    const failed: unknown[] = []
    const client = async (): Promise<void> => {
      while (!over) {
        try {
          const begun = await rp.authenticate('u1')
          if (begun.status !== 200) throw new Error(`${begun.status} ${JSON.stringify(begun.json)}`)
          const { status, json } = await rp.authenticationResult(msgIdOf(begun))
          if (status !== 200 || json.code !== 0) throw new Error(`${status} ${JSON.stringify(json)}`)
          polls++
        } catch (reason) {
          failed.push(reason)
        }
      }
    }
    const clients = Array.from({ length: 4 }, client)
    for (const n of all.processes.keys()) {
      const before = polls
      await all.restart(n, DRAIN_MS)
      // The next one ends when this one has its share of the requests.
      await expect.poll(() => polls).toBeGreaterThan(before + 50)
    }
    over = true
    await Promise.all(clients)
    expect({ failed, enough: polls > 150 }).toEqual({ failed: [], enough: true })
  })

  test('the balancer of compose.postgres.yaml leads RPs and phones to the service, all else to the bench, nobody to the metrics', async () => {
    const origin = `http://localhost:${all.running.port}`
    const status = async (path: string, token = all.bench.token) =>
      (await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } })).status
    expect(all.bench.controlUrl).toBe(`${origin}/control/v1`)
    expect(await status('/control/v1/info')).toBe(200)
    expect(await status('/w/main/control/v1/overview')).toBe(200)
    expect(await status('/app/inbox')).toBe(401)
    expect(await status('/w/main/fido/rp/attestation/result')).toBe(401)
    expect(await status('/metrics')).toBe(403)
  })

  test('each process has metrics of its own, its pool among them, for who has the token', async () => {
    const [port = 0] = all.ports
    const read = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/metrics`, { headers })
    expect((await read({})).status).toBe(401)
    const { valueAt } = parseMetrics(await (await read({ authorization: `Bearer ${METRICS_TOKEN}` })).text())
    expect(valueAt('handset_database_connections', { state: 'most' })).toBe(10)
    const route = '/fido/rp/assertion/options'
    const asked = { interface: 'rp', route, method: 'POST', status: '200', code: '0' }
    expect(valueAt('handset_requests_total', asked)).toBeGreaterThan(0)
  })

  test('[cli.backup] a workspace moves from SQLite to PostgreSQL and back, and its user signs in on both', async () => {
    const desk = await startTestBench()
    onTestFinished(() => desk.close())
    const handset = await connectHandset(desk.bench)
    const shop = await handset.workspace({ id: 'shop' })
    await shop.phone({ name: 'Alice', passkeys: [ALICE] })
    const [there, back] = ['there', 'back'].map((name) => join(temporaryFolder(), name))
    const run = async (args: readonly string[], bench: { controlUrl: string; token: string }) =>
      expect(await runCommand(args, bench)).toMatchObject({ code: 0, errors: [] })
    await run(['backup', there ?? '', '--workspace', 'shop'], desk.bench)
    await run(['restore', there ?? ''], all.bench)
    expect(await pushSignIn(all.bench, { workspace: 'shop', user: ALICE })).toMatchObject({ status: 'success' })
    await run(['backup', back ?? '', '--workspace', 'shop'], all.bench)
    await run(['restore', back ?? '', '--workspace', 'shop-again'], desk.bench)
    expect(await pushSignIn(desk.bench, { workspace: 'shop-again', user: ALICE })).toMatchObject({ status: 'success' })
  })
})

describe.skipIf(noPostgres)('handset admin migrate', () => {
  test('[cli.admin] shows the versions, applies what is missing, changes nothing with --dry-run, and refuses what is newer', async () => {
    const store = newSchemaUrl()
    const migrate = async (more: readonly string[] = []) => {
      const { code, out } = await runCommand(['admin', 'migrate', '--store', store, '--json', ...more])
      return { code, ...JSON.parse(out) }
    }
    const program = migrations.length
    expect(await migrate(['--dry-run'])).toEqual({ code: 0, version: 0, program, migrated: false })
    expect(await migrate(['--dry-run'])).toEqual({ code: 0, version: 0, program, migrated: false })
    expect(await migrate()).toEqual({ code: 0, version: 0, program, migrated: true })
    expect(await migrate()).toEqual({ code: 0, version: program, program, migrated: false })
    const { connection, schema } = locationOf(store)
    const client = new Client({ connectionString: connection })
    await client.connect()
    await client.query(`INSERT INTO ${schema}.migrations VALUES (99, now())`)
    await client.end()
    expect(await runCommand(['admin', 'migrate', '--store', store])).toMatchObject({ code: 1, out: '' })
    expect(await runCommand(['admin', 'migrate', '--store', store, '--dry-run'])).toMatchObject({ code: 1, out: '' })
  })
})
