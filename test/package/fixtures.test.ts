import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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
  for (const file of ['index.html', 'shop.spec.mts', 'playwright.config.mts']) {
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
  return JSON.parse(await text(child.stdout)).stats
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
  expect(await play('sign-in')).toMatchObject({ expected: 2, unexpected: 0 })
  const report = ['--reporter=json', '--outputFile=vitest.json']
  const vitest = run(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...report], env)
  vitest.stdout.resume()
  await once(vitest, 'exit')
  const counted = JSON.parse(readFileSync(join(folder, 'vitest.json'), 'utf8'))
  expect(counted).toMatchObject({ numPassedTests: 1, numFailedTests: 0 })
  expect(await whatIsThere()).toEqual(NOTHING)
})

test('a hundred tests in one workspace do not meet, and leave nothing behind', { timeout: 900_000 }, async () => {
  expect(await play('shop', '--repeat-each', '17')).toMatchObject({
    expected: 102,
    unexpected: 0,
    flaky: 0,
    skipped: 0,
  })
  expect(await whatIsThere()).toEqual(NOTHING)
})
