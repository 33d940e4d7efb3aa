import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LoadReport } from '../../src-main/contract/load-report.ts'
import { createRandom } from '../../src-main/harness/random.ts'
import { below } from '../../src-main/protocol/random.ts'
import { LIE_NAMES, startLyingService } from '../load/lying-service.ts'
import { startTestBench } from '../support/bench.ts'
import { ROOT } from '../support/imports.ts'
import { runCommand } from '../support/run-command.ts'

const SEED = Number(process.env.HANDSET_TEST_SEED ?? 1)

const load = (args: readonly string[], env: Readonly<Record<string, string>>, onUsers: () => void) =>
  runCommand(['load', ...args], undefined, {
    ...{ root: ROOT, env, hears: (text) => void (text.includes('20 of 20 users') && onUsers()) },
  })

test.each<readonly [string, readonly string[]]>([
  ['by QR code', []],
  ['by push', ['--push']],
])(
  'whatever a service answers is counted as an error of its arrival, and never ends the load, %s',
  { timeout: 300_000 },
  async (_, more) => {
    const random = createRandom({ seed: SEED }).stream('test', 'lies', 'choices')
    const service = await startLyingService((most) => below(random, most))
    const it = await startTestBench({ allowHosts: [`localhost:${service.port}`] })
    service.standBefore(it.bench.port)
    const root = `http://localhost:${service.port}`
    const folder = mkdtempSync(join(tmpdir(), 'handset-lies-'))
    try {
      const told = await load(
        [
          ...['--base-url', `${root}/fido`, '--app-url', `${root}/app`, '--users', '20', '--rate', '30'],
          ...['--duration', '10s', '--mix', 'register=1,auth=1', '--seed', String(SEED), ...more],
          ...['--report', 'json', '--out', folder],
        ],
        { HANDSET_ACCESS_KEY: `${it.bench.rp?.accessKeyId}:${it.bench.rp?.secretKey}` },
        service.begin,
      )
      expect(told.code).toBe(1)
      const { counts, failures } = JSON.parse(readFileSync(join(folder, 'load.json'), 'utf8')) as LoadReport
      expect(counts.arrived).toBe(counts.done + counts.failed + counts.dropped)
      expect(failures.length).toBeGreaterThan(0)
      expect(service.told()).toBeGreaterThan(LIE_NAMES.length)
      expect(told.errors.filter((line) => !line.startsWith('handset load: '))).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
      service.close()
      await it.close()
    }
  },
)
