import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { connectHandset } from '../../src-main/sdk/handset.ts'
import { blocksOf, readPage } from '../docs/code-blocks.ts'
import { startTestBench } from '../support/bench.ts'
import { findBrowser } from '../support/browser.mjs'
import { EXAMPLES } from '../support/shipped-scenarios.ts'
import { spawnTied } from '../support/spawn-tied.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()
const PAGE = 'docs/using/selenium.md'
const canRun = ['chromedriver', 'python3'].every((program) => spawnSync(program, ['--version']).status === 0)

/** Starts a program, and returns what it prints in the first line that fits. */
const begin = async (program: string, args: readonly string[], { sign, env = {} }: { sign: RegExp; env?: object }) => {
  const child = spawnTied(program, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill())
  if (child.stdout === null) throw new Error(`${program} has no output`)
  for await (const line of createInterface(child.stdout)) {
    const [, found] = sign.exec(line) ?? []
    if (found !== undefined) return found
  }
  throw new Error(`${program} has ended`)
}

/** A session of a real chromedriver, by the WebDriver protocol. */
const openSession = async (port: string) => {
  const call = async (method: string, path: string, body?: object) => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const { value } = (await (await fetch(`http://127.0.0.1:${port}/session${path}`, init)).json()) as { value: never }
    return value as { readonly [name: string]: string } & string
  }
  const chrome = { binary: findBrowser(), args: ['--headless', '--no-sandbox', '--disable-gpu'] }
  const capabilities = { alwaysMatch: { browserName: 'chrome', 'goog:chromeOptions': chrome } }
  const { sessionId } = await call('POST', '', { capabilities })
  const element = async (value: string): Promise<string> =>
    `/${sessionId}/element/${Object.values(await call('POST', `/${sessionId}/element`, { using: 'css selector', value }))[0]}`
  return {
    // Debian's browser is a script that leaves the browser when it is killed, so the browser closes itself.
    quit: () => call('POST', `/${sessionId}/goog/cdp/execute`, { cmd: 'Browser.close', params: {} }),
    takeScreenshot: (): Promise<string> => call('GET', `/${sessionId}/screenshot`),
    get: (url: string) => call('POST', `/${sessionId}/url`, { url }),
    type: async (where: string, text: string) => call('POST', `${await element(where)}/value`, { text }),
    click: async (where: string) => call('POST', `${await element(where)}/click`, {}),
    textOf: async (where: string) => call('GET', `${await element(where)}/text`),
  }
}

test.skipIf(!canRun)(
  'the lines for Selenium read a code from the picture that WebDriver takes',
  async () => {
    const block = blocksOf(PAGE, readPage(PAGE)).find(({ role }) => role === 'phone-over.mjs')
    const { phoneOver } = await import(`data:text/javascript,${encodeURIComponent(block?.text ?? '')}`)
    const { bench, close } = await startTestBench()
    onTestFinished(close)
    const handset = await connectHandset({ controlUrl: bench.controlUrl, token: bench.token })
    const { baseUrl, accessKeyId, secretKey } = await handset.rp()
    const env = { FIDO_URL: baseUrl, ACCESS_KEY_ID: accessKeyId, SECRET_KEY: secretKey }
    const rp = join(EXAMPLES, 'your-own-rp/sample_rp.py')
    const url = await begin('python3', ['-B', rp], { sign: /listening on (\S+)/, env })
    const sign = /successfully on port (\d+)/
    const driver = await openSession(await begin('chromedriver', ['--port=0'], { sign, env: { TMPDIR: folder } }))
    try {
      const phone = await phoneOver(driver, handset, 'a user registers')
      await driver.get(url)
      await driver.type('#user', 'ann')
      await driver.click('#register')
      await phone.scan()
      await phone.approve()
      await expect.poll(() => driver.textOf('#status')).toBe('ann, you can now sign in.')
      await phone.end()
      expect((await handset.client.call('phones.list')).phones).toEqual([])
    } finally {
      await driver.quit()
    }
  },
  120_000,
)
