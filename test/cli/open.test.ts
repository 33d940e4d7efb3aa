import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { showPage } from '../../src-main/cli/start.ts'
import { notFound } from '../../src-main/core/contract/errors.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import { refusalText } from '../../src-main/core/messages/refusal-text.ts'
import { openSession } from '../../src-main/sdk/client.ts'
import { startTestBench } from '../support/bench.ts'
import { heardTerminal } from '../support/heard-terminal.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { runCommand } from '../support/run-command.ts'
import { serveBriefly } from '../support/serve-briefly.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()
const bench = benchOfFile({ data: join(folder, 'data') })
beforeAll(async () => {
  await bench.client.call('workspaces.create', { body: { id: 'shop' } })
})

const open = (args: readonly string[], env: Record<string, string> = {}) =>
  runCommand(['open', ...args], undefined, { root: folder, env })

const codeIn = (address: string): string => new URL(address).hash.slice('#code='.length)

test('[cli.open] it finds the bench by its data directory and prints an address that opens one session', async () => {
  const { code, out, errors } = await open(['--data', join(folder, 'data')])
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  const { controlUrl, token } = bench.bench
  expect(await openSession({ controlUrl, code: codeIn(out) })).toBe(token)
  await expect(openSession({ controlUrl, code: codeIn(out) })).rejects.toMatchObject({ code: 40111 })
})

test('[cli.open] a token in the environment, which is there for serve, does not keep it from the data directory', async () => {
  const { code, errors } = await open(['--data', join(folder, 'data'), '--print'], { HANDSET_TOKEN: bench.bench.token })
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
})

test('[cli.open] it finds the bench by control_url and token, which may come from the environment and a file', async () => {
  const { controlUrl, token, uiUrl } = bench.bench
  const file = join(folder, 'token')
  writeFileSync(file, `${token}\n`)
  for (const [args, env] of [
    [['--control-url', controlUrl, '--token', token], {}],
    [[], { HANDSET_CONTROL_URL: controlUrl, HANDSET_TOKEN: token }],
    [['--print'], { HANDSET_CONTROL_URL: controlUrl, HANDSET_TOKEN_FILE: file }],
  ] as const) {
    const { out, errors } = await open(args, env)
    expect(errors).toEqual([])
    expect(out.startsWith(`${uiUrl}#code=`)).toBe(true)
  }
})

test('[cli.open] a bench in memory is found at its port, by its token; without it the message says so', async () => {
  const inMemory = await startTestBench()
  onTestFinished(() => inMemory.close())
  const { token, port, uiUrl } = inMemory.bench
  const env = { HOME: mkdtempSync(join(folder, 'home-')), HANDSET_PORT: String(port) }
  const found = await open(['--print'], { ...env, HANDSET_TOKEN: token })
  expect(found).toMatchObject({ code: 0, errors: [] })
  expect(found.out.startsWith(`${uiUrl}#code=`)).toBe(true)
  expect(await open(['--print'], env)).toMatchObject({ code: 1, errors: [expect.stringContaining('HANDSET_TOKEN')] })
  const elsewhere = await open(['--data', join(env.HOME, 'none')], { ...env, HANDSET_TOKEN: token })
  expect(elsewhere).toMatchObject({ code: 1, out: '' })
})

test('[cli.open] the page of another workspace is named by its id or by its control_url', async () => {
  const { token, port, uiUrl } = bench.bench
  const of = ['--control-url', `http://localhost:${port}/w/shop/control/v1`, '--token', token]
  expect((await open(of)).out).toContain(`${uiUrl}w/shop/#code=`)
  expect((await open(['--data', join(folder, 'data'), '--workspace', 'shop'])).out).toContain('/w/shop/#code=')
  const none = await open(['--data', join(folder, 'data'), '--workspace', 'none'])
  expect(none).toMatchObject({
    code: 1,
    out: '',
    errors: [expect.stringContaining(refusalText(en, notFound('workspace', 'none')))],
  })
})

test.each([
  [['what'], 2],
  [['--control-url', 'localhost:7420', '--token', 't'], 2],
  [['--control-url', 'http://localhost:7420/control/v1'], 2],
  [['--token', 't'], 2],
  [['--data', 'x', '--control-url', 'y'], 2],
  [['--data', '/no/such'], 1],
  [['--control-url', 'http://localhost:1/control/v1', '--token', 't'], 1],
])('[cli.open] %j is one line and exit code %i', async (args, expected) => {
  const { code, out, errors } = await open(args)
  expect({ code, out }).toEqual({ code: expected, out: '' })
  expect(errors.join('\n').split('\n')).toEqual([expect.stringMatching(/^handset open: \S/)])
})

test('[cli.open] a wrong token is one line that does not repeat it', async () => {
  const { code, errors } = await open(['--control-url', bench.bench.controlUrl, '--token', 'tell-nobody'])
  expect({ code, lines: errors.length }).toEqual({ code: 1, lines: 1 })
  expect(errors[0]).not.toContain('tell-nobody')
})

test.each([
  ['{"code":0,"data":{"url":"file:///etc/passwd","code":"x"},"error":""}'],
  ['{"code":0,"data":{},"error":""}'],
  ['{"code":0}'],
  ['null'],
  ['no JSON'],
  ['{"code":40404,"data":null,"error":"a\\u001b]0;owned\\u0007\\nb"}'],
])('[cli.open] what answers %j is no bench: one line, exit code 1', async (body) => {
  const origin = await serveBriefly((_, response) => void response.end(body))
  const { code, out, errors } = await open(['--control-url', `${origin}/control/v1`, '--token', 't'])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(errors.join()).toMatch(/^handset open: \P{Cc}+$/u)
})

/** A program that says with what it was started, in place of a browser. */
const fakeBrowser = (name: string, end: string): string => {
  const bin = mkdtempSync(join(folder, 'bin-'))
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${bin}/args.new\n/bin/mv ${bin}/args.new ${bin}/args\n${end}\n`,
    { mode: 0o755 },
  )
  return bin
}

const argsOf = async (bin: string): Promise<readonly string[]> => {
  await expect.poll(() => readdirSync(bin)).toContain('args')
  return readFileSync(join(bin, 'args'), 'utf8').trim().split('\n')
}

test.skipIf(process.platform === 'win32')(
  '[cli.window] the browser’s arguments hold no code: it is in a file that its owner alone may read',
  async () => {
    const bin = fakeBrowser('xdg-open', '')
    const { out, code } = await open(['--data', join(folder, 'data')], { PATH: bin, DISPLAY: ':0' })
    expect({ out, code }).toEqual({ out: 'Opening the page in the default browser.', code: 0 })
    const [page = ''] = await argsOf(bin)
    expect(page).toMatch(/^file:\/\//)
    const text = readFileSync(fileURLToPath(page), 'utf8')
    expect(statSync(fileURLToPath(page)).mode & 0o777).toBe(0o600)
    const found = /#code=([\w-]{22})"/.exec(text)?.[1] ?? ''
    expect(await openSession({ controlUrl: bench.bench.controlUrl, code: found })).toBe(bench.bench.token)
  },
)

test.skipIf(process.platform === 'win32')(
  '[cli.window] without a data directory the window’s profile lies in a folder of its own, which is gone afterwards',
  async () => {
    const bin = fakeBrowser('chromium', 'exec /bin/sleep 600')
    const host = { kind: 'app-window', program: join(bin, 'chromium'), name: 'Chromium', why: 'it is here' } as const
    const profiles: string[] = []
    for (let n = 0; n < 2; n++) {
      const { terminal } = heardTerminal()
      const stop = new AbortController().signal
      const environment = { terminal, version: '0', root: folder, env: {}, platform: 'linux' as const, stop }
      const shown = showPage(host, bench.bench.invite, { environment, dataDirectory: undefined })
      const args = await argsOf(bin)
      rmSync(join(bin, 'args'))
      expect(args.join()).not.toContain('code=')
      const profile = args.find((arg) => arg.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length) ?? ''
      const parent = join(profile, '..')
      expect(statSync(parent).mode & 0o777).toBe(0o700)
      expect(statSync(fileURLToPath(args[0]?.slice('--app='.length) ?? '')).mode & 0o777).toBe(0o600)
      await shown.end()
      expect(() => statSync(parent)).toThrow()
      profiles.push(parent)
    }
    expect(new Set(profiles).size).toBe(2)
  },
)
