import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { main } from '../../src-main/cli/main.ts'
import type { RpSuite } from '../../src-main/contract/rp-suite.ts'
import { sampleSuite } from '../suite/sample-suite.ts'
import { heardTerminal } from '../support/heard-terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'handset-suite-'))
afterAll(() => rmSync(folder, { recursive: true }))

const suite = async (args: readonly string[]) => {
  const { terminal, out, errors } = heardTerminal()
  const stop = new AbortController().signal
  const environment = { terminal, version: '0', root: folder, env: {}, platform: 'linux', stop } as const
  return { code: await main(['run', 'suite:rp', ...args], environment), out: out.join('\n'), errors }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

const SAMPLES = join(import.meta.dirname, '../support/sample-rp')

/** A configuration that starts one of the sample RPs as a program of its own. */
const configOf = async (sample: string, more: Partial<RpSuite> = {}): Promise<string> => {
  const port = await freePort()
  const env = { RP_BASE_URL: '{base_url}', RP_ACCESS_KEY_ID: '{access_key_id}', RP_SECRET_KEY: '{secret_key}' }
  const start = { program: process.execPath, args: [join(SAMPLES, sample)], env: { ...env, PORT: String(port) } }
  const file = join(folder, `${port}.json`)
  writeFileSync(file, JSON.stringify({ ...sampleSuite(`http://127.0.0.1:${port}`), start, ...more }))
  return file
}

const SOME = ['--fault', 'user-of-another', '--fault', 'html-page']

test('the suite catches a careless RP, and says what a careful one does', async () => {
  const { code, out, errors } = await suite(['--config', await configOf('careless.mjs'), ...SOME])
  expect({ code, errors }).toEqual({ code: 1, errors: [] })
  expect(out).toMatch(/LET SOMEBODY IN +user-of-another/)
  expect(out).toMatch(/broke +html-page/)
  expect(out).toMatch(/2 faults: 1 broke, 1 LET SOMEBODY IN$/)
})

test('the suite passes a careful RP', async () => {
  const { code, out } = await suite(['--config', await configOf('careful.mjs'), ...SOME, '--json'])
  expect({ code, ...JSON.parse(out) }).toEqual({
    code: 0,
    findings: ['user-of-another', 'html-page'].map((fault) => ({ fault, verdict: 'held', why: '' })),
  })
})

test('an RP that does not work without any fault is no finding', async () => {
  const calls = { ...sampleSuite('').calls, who: { path: '/api/nobody', read: 'user_id' } }
  const { code, out } = await suite(['--config', await configOf('careful.mjs', { calls, patience_s: 0.1 }), ...SOME])
  expect(code).toBe(3)
  expect(out).toMatch(/2 faults: 2 skipped$/)
})

test.each<readonly [string, () => Promise<readonly string[]>, number, RegExp]>([
  ['no configuration', async () => [], 2, /--config FILE/],
  ['a file that is not there', async () => ['--config', 'none.yaml'], 2, /no file none.yaml/],
  ['a field that is not known', async () => ['--config', await configOf('', { colour: 1 } as never)], 2, /"colour"/],
  [
    'a fault that is not known',
    async () => ['--config', await configOf(''), '--fault', 'user-of-anothr'],
    2,
    /Did you mean user-of-another\?/,
  ],
  ['an RP that ends at once', async () => ['--config', await configOf('none.mjs')], 3, /the RP ended with exit code 1/],
  [
    'an RP that nobody started',
    async () => ['--config', await configOf('', { start: undefined } as never)],
    3,
    /no RP answers at http:\/\/127/,
  ],
])('%s is one clear line', async (_what, args, code, sentence) => {
  const told = await suite(await args())
  expect(told).toMatchObject({ code, out: '', errors: [expect.stringMatching(sentence)] })
})
