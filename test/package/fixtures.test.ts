import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectHandset, type Handset } from '../../src-main/sdk/index.ts'
import { blocksOf, readPage } from '../docs/code-blocks.ts'
import { findOrInstallBrowser } from '../support/browser.mjs'
import { ROOT } from '../support/imports.ts'

/** Somebody else's shop, tested in a real browser by the fixtures of the packed tarball: all tests share one workspace. */
const { folder } = inject('installed')
const SHOP = join(import.meta.dirname, 'shop')
const PAGE = 'docs/using/test-fixtures.md'
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

const firstLine = async (child: ReturnType<typeof run>): Promise<string> => {
  const [line] = await once(createInterface(child.stdout), 'line')
  return line
}

let handset: Handset
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  for (const name of ['@playwright/test', 'playwright', 'playwright-core', 'vitest']) {
    const place = join(folder, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), place)
  }
  copyFileSync(join(ROOT, 'node_modules/uqr/dist/index.mjs'), join(folder, 'uqr.mjs'))
  for (const file of readdirSync(SHOP)) {
    copyFileSync(join(SHOP, file), join(folder, file))
  }
  for (const { role, text } of blocksOf(PAGE, readPage(PAGE))) writeFileSync(join(folder, role), text)
  const bin = join(folder, 'node_modules/handset/bin.mjs')
  const ready = JSON.parse(
    await firstLine(run(process.execPath, [bin, 'serve', '--memory', '--port', '0', '--json', '--until-input-ends'])),
  )
  handset = await connectHandset({ controlUrl: ready.control_url, token: ready.token })
  const shop = run('python3', [join(SHOP, 'web_shop.py'), join(ROOT, 'clients/python/examples'), folder], {
    BASE_URL: ready.base_url,
    ACCESS_KEY_ID: ready.access_key_id,
    SECRET_KEY: ready.secret_key,
  })
  env = {
    SHOP: await firstLine(shop),
    BROWSER: findOrInstallBrowser(),
    HANDSET_CONTROL_URL: ready.control_url,
    HANDSET_TOKEN: ready.token,
  }
})

const play = async (...args: readonly string[]) => {
  const child = run(process.execPath, [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', ...args], env)
  return JSON.parse(await text(child.stdout))
}

const runVitest = async (file: string) => {
  const report = ['--reporter=json', '--outputFile=vitest.json']
  const vitest = run(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', file, ...report], env)
  vitest.stdout.resume()
  await once(vitest, 'exit')
  return JSON.parse(readFileSync(join(folder, 'vitest.json'), 'utf8'))
}

const whatIsThere = async () => {
  const { client } = handset
  const { messages } = await client.call('messages.list', { query: { limit: 1000 } })
  return {
    ...(await client.call('phones.list')),
    ...(await client.call('credentials.list')),
    underWay: messages.filter(({ state }) => state === 'init' || state === 'bind'),
  }
}

const NOTHING = { phones: [], credentials: [], underWay: [] }

test('the tests of the docs pass with Playwright and with Vitest', { timeout: 300_000 }, async () => {
  expect((await play('sign-in')).stats).toMatchObject({ expected: 2, unexpected: 0 })
  expect(await runVitest('sign-in')).toMatchObject({ numPassedTests: 1, numFailedTests: 0 })
  expect(await whatIsThere()).toEqual(NOTHING)
})

test('a test that fails leaves a page that says why, and nothing on the bench', { timeout: 300_000 }, async () => {
  const { stats, suites } = await play('fails')
  expect(stats).toMatchObject({ expected: 0, unexpected: 1 })
  const { attachments } = suites[0].specs[0].tests[0].results[0]
  const pages = attachments.filter(({ name }: { name: string }) => name === 'handset')
  expect(pages).toMatchObject([{ contentType: 'text/html' }])
  expect(await runVitest('fails')).toMatchObject({ numPassedTests: 0, numFailedTests: 1 })
  const reports = join(folder, 'handset-reports')
  const files = readdirSync(reports)
  expect(files).toEqual([expect.stringMatching(/falls-for-another-origin\.html$/)])
  const written = files.map((file) => readFileSync(join(reports, file), 'utf8'))
  for (const html of [Buffer.from(pages[0].body, 'base64').toString(), ...written]) {
    for (const part of ['origin_mismatch', 'carl', 'falls for another origin']) expect(html).toContain(part)
  }
  expect(await whatIsThere()).toEqual(NOTHING)
})

test('a hundred tests in one workspace do not meet, and leave nothing behind', { timeout: 900_000 }, async () => {
  expect((await play('shop', '--repeat-each', '17')).stats).toMatchObject({
    expected: 102,
    unexpected: 0,
    flaky: 0,
    skipped: 0,
  })
  expect(await whatIsThere()).toEqual(NOTHING)
})
