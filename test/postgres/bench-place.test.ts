import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startBench } from '../../src-main/bench/assembly/bench.ts'
import { main } from '../../src-main/cli/main.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { silentLog } from '../../src-main/core/protocol/log.ts'
import { PLACE_TTL_SECONDS, PROCESS_SCOPE, takeBenchPlace } from '../../src-main/service/shared/open-bench-store.ts'
import { openStore } from '../../src-main/service/store/open-store.ts'
import { heardTerminal } from '../support/heard-terminal.ts'
import { atPort, locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noPgbouncer, startPgbouncer } from '../support/postgres/start-pgbouncer.ts'
import { taken } from '../support/taken.ts'

const settings = (url: string) => ({
  database: locationOf(url),
  port: 0,
  hosts: ['127.0.0.1'],
  prefix: '/fido',
  version: '0.0.0',
  pageFolder: '/nowhere',
  seedData: { rps: [], phones: [] },
})

test.skipIf(noPostgres || noPgbouncer)(
  'a second bench on one store is refused in a sentence, also through PgBouncer, and may begin after the first has ended',
  async () => {
    const url = newSchemaUrl('&pool=3')
    const pooler = await startPgbouncer(Number(new URL(url).port))
    const through = atPort(url, pooler.port)
    const first = taken(await startBench(settings(through)))
    for (const way of [url, through]) {
      const second = await startBench(settings(way))
      expect(second).toMatchObject({ ok: false, error: { code: 'bench_place_taken', params: { pid: process.pid } } })
    }
    await first.close()
    const third = taken(await startBench(settings(url)))
    await third.close()
    await pooler.stop()
  },
)

test.skipIf(noPostgres)('the place of a killed bench is free at once, and a bench that lost it learns so', async () => {
  const url = newSchemaUrl('&pool=3')
  const store = taken(await openStore({ kind: 'postgres', database: locationOf(url) }))
  const { shared } = store
  if (shared === undefined) throw new Error('not shared')
  const ended = spawn(process.execPath, ['-e', ''])
  await once(ended, 'close')
  await shared.bench.take({ host: PROCESS_SCOPE, pid: ended.pid ?? 0 }, 10)
  const other = taken(await openStore({ kind: 'postgres', database: locationOf(url) }))
  let lost = (): void => undefined
  const learnt = new Promise<void>((resolve) => {
    lost = resolve
  })
  if (other.shared === undefined) throw new Error('not shared')
  const place = taken(await takeBenchPlace({ shared: other.shared, shown: 'here', log: silentLog, lost }))
  // As if it had been silent for so long.
  expect((await shared.bench.take({ host: 'elsewhere', pid: 1 }, 0)).host).toBe('elsewhere')
  await learnt
  await place.release()
  expect((await shared.bench.take({ host: 'elsewhere', pid: 1 }, 10)).host).toBe('elsewhere')
  await Promise.all([store.close(), other.close()])
})

test.skipIf(noPostgres)('a bench whose place another took ends by itself, in one line, with exit code 1', async () => {
  const url = newSchemaUrl('&pool=3')
  const { terminal, out, errors } = heardTerminal()
  const stop = new AbortController().signal
  const environment = { terminal, version: '0', root: '/nowhere', env: {}, platform: 'linux' as const, stop }
  const serving = main(['serve', '--store', url, '--port', '0', '--json', '--log', 'off'], environment)
  await expect.poll(() => out, { timeout: 60_000 }).toHaveLength(1)
  const other = taken(await openStore({ kind: 'postgres', database: locationOf(url) }))
  // As if the first one had been silent for so long.
  await other.shared?.bench.take({ host: 'elsewhere', pid: 1 }, 0)
  expect(await serving).toBe(1)
  const params = { shown: locationOf(url).shown, pid: 1, host: 'elsewhere', seconds: PLACE_TTL_SECONDS }
  const why = textOf(en.startProblems, { code: 'bench_place_lost', params })
  expect(errors.slice(1)).toEqual([`handset serve: ${why}`])
  await other.close()
})
