import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serveOptions } from '../../src-main/cli/option-tables/serving-options.ts'
import { type StartOptions, startHandset } from '../../src-main/sdk/index.ts'
import { readPage } from '../docs/code-blocks.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The options of `startHandset`, and which of `handset serve` they are. */
const OPTIONS: Readonly<Record<keyof StartOptions, readonly (keyof typeof serveOptions)[]>> = {
  port: ['port'],
  hosts: ['host'],
  allowHosts: ['allow-host'],
  publicUrl: ['public-url'],
  prefix: ['prefix'],
  tls: ['tls', 'tls-cert', 'tls-key'],
  rpId: ['rp-id'],
  origins: ['origin'],
  accessKey: ['access-key'],
  config: ['config'],
  profile: ['profile'],
  seed: ['seed'],
  data: ['data', 'memory'],
  store: ['store'],
  token: ['token'],
  metricsToken: ['metrics-token'],
  trace: ['trace'],
  traceLimit: ['trace-limit'],
  log: ['log'],
  logLevel: ['log-level', 'verbose'],
  onLog: [],
  readyTimeoutMs: ['json', 'until-input-ends'],
}

/** What a bench has that is no child of its watcher. */
const LEFT_OUT = ['role', 'service-url', 'open', 'tls-ca-out', 'drain', 'keep-events']

test('each option of serve is one of the SDK, or left out on purpose, and the page has those of the SDK', () => {
  expect([...Object.values(OPTIONS).flat(), ...LEFT_OUT].toSorted()).toEqual(Object.keys(serveOptions).toSorted())
  const page = readPage('docs/using/sdk.md')
  const table = page.slice(page.indexOf('| options |'), page.indexOf('The other options'))
  const shown = [...table.matchAll(/`(\w+)[^`]*`/g)].map(([, name]) => name)
  expect(shown).toEqual(expect.arrayContaining(Object.keys(OPTIONS)))
})

test('a bench that is started writes a trace and a log, and shows its metrics, as it is told', async () => {
  const trace = join(temporaryFolder(), 'run.handset')
  const lines: string[] = []
  const metricsToken = 'metrics-token-of-24-letters'
  const handset = await startHandset({
    ...{ trace, traceLimit: 1, log: 'json', logLevel: 'info', metricsToken },
    onLog: (line) => void lines.push(line),
  })
  onTestFinished(() => handset.close())
  const metrics = await fetch(new URL('/metrics', handset.controlUrl), {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  expect(metrics.status).toBe(200)
  await handset.phone({ passkeys: [{ user_id: 'u-1' }] })
  await handset.close()
  expect(lines.map((line) => JSON.parse(line).level)).toContain('info')
  expect(readFileSync(trace).length).toBeGreaterThan(0)
})

test('the database of a bench goes by the environment, and not with --memory', async () => {
  const failed = startHandset({ store: 'mysql://user:secret@db/handset' })
  await expect(failed).rejects.toMatchObject({
    code: 2,
    output: expect.stringMatching(/^(?!.*--memory).*HANDSET_STORE/),
  })
})
