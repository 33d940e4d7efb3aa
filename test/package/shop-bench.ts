import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { connectHandset, type Handset } from '../../src-main/sdk/index.ts'
import { blocksOf, readPage } from '../docs/code-blocks.ts'
import { findOrInstallBrowser } from '../support/browser.mjs'
import { ROOT } from '../support/imports.ts'

const SHOP = join(import.meta.dirname, 'shop')
const PAGE = 'docs/using/test-fixtures.md'

/** Of Playwright's JSON report, what is looked at. */
export type Suite = {
  readonly suites?: readonly Suite[]
  readonly specs: readonly {
    readonly title: string
    readonly ok: boolean
    readonly tests: readonly {
      readonly results: readonly {
        readonly errors: readonly { readonly message?: string }[]
        readonly attachments: readonly { readonly name: string; readonly contentType: string; readonly path: string }[]
      }[]
    }[]
  }[]
}

export type Played = {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>
  readonly suites: readonly Suite[]
}

/** The packed program, and somebody else's shop that uses it, both running; its tests lie in the folder. */
export type ShopBench = {
  readonly handset: Handset
  /** Runs Playwright's tests. */
  play(...args: readonly string[]): Promise<Played>
  /** A child with everything the tests need in its environment. */
  run(program: string, args: readonly string[]): ReturnType<typeof start>
  /** What tests must not leave. */
  leftovers(): Promise<Readonly<Record<string, readonly unknown[]>>>
  close(): void
}

const start = (program: string, args: readonly string[], { folder, env }: Where) =>
  spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })

type Where = { readonly folder: string; readonly env?: NodeJS.ProcessEnv }

const firstLine = async (child: ReturnType<typeof start>): Promise<string> => {
  const [line] = await once(createInterface(child.stdout), 'line')
  return line
}

export const openShopBench = async (folder: string): Promise<ShopBench> => {
  const children: ChildProcess[] = []
  const close = (): void => {
    for (const child of children) child.kill('SIGKILL')
  }
  try {
    fill(folder)
    const bin = join(folder, 'node_modules/handset/bin.mjs')
    const serve = ['serve', '--memory', '--port', '0', '--json', '--until-input-ends']
    const program = start(process.execPath, [bin, ...serve], { folder })
    children.push(program)
    const ready = JSON.parse(await firstLine(program))
    const handset = await connectHandset({ controlUrl: ready.control_url, token: ready.token })
    const shop = start('python3', [join(SHOP, 'web_shop.py'), join(ROOT, 'clients/python/examples'), folder], {
      folder,
      env: { BASE_URL: ready.base_url, ACCESS_KEY_ID: ready.access_key_id, SECRET_KEY: ready.secret_key },
    })
    children.push(shop)
    const env = {
      SHOP: await firstLine(shop),
      BROWSER: findOrInstallBrowser(),
      HANDSET_CONTROL_URL: ready.control_url,
      HANDSET_TOKEN: ready.token,
    }
    const run = (program: string, args: readonly string[]) => {
      const child = start(program, args, { folder, env })
      children.push(child)
      return child
    }
    const play = async (...args: readonly string[]): Promise<Played> => {
      const child = run(process.execPath, [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', ...args])
      return JSON.parse(await text(child.stdout))
    }
    return { handset, run, play, leftovers: () => leftoversOf(handset), close }
  } catch (error) {
    close()
    throw error
  }
}

/** The runners of this project, the shop, and the tests of the docs. */
const fill = (folder: string): void => {
  for (const name of ['@playwright/test', 'playwright', 'playwright-core', 'vitest']) {
    const place = join(folder, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), place, 'junction')
  }
  copyFileSync(join(ROOT, 'node_modules/uqr/dist/index.mjs'), join(folder, 'uqr.mjs'))
  for (const file of readdirSync(SHOP)) copyFileSync(join(SHOP, file), join(folder, file))
  for (const { role, text } of blocksOf(PAGE, readPage(PAGE))) writeFileSync(join(folder, role), text)
}

export const NOTHING = { phones: [], accounts: [], devices: [], credentials: [], leases: [], underWay: [] }

const leftoversOf = async ({ client }: Handset) => {
  const { messages } = await client.call('messages.list', { query: { limit: 1000 } })
  return {
    ...(await client.call('phones.list')),
    ...(await client.call('accounts.list')),
    ...(await client.call('devices.list')),
    ...(await client.call('credentials.list')),
    ...(await client.call('leases.list')),
    underWay: messages.filter(({ state }) => state === 'init' || state === 'bind'),
  }
}
