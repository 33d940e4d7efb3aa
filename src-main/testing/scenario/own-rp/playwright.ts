import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { firstErrorLine } from '../../../core/protocol/message-of.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { failure, type StepFailure } from '../step-outcome.ts'

/** The part of Playwright that the steps use: the user brings their own, in any version. */
export type Locator = {
  first(): Locator
  click(options: Timeout): Promise<void>
  fill(value: string, options: Timeout): Promise<void>
  waitFor(options: Timeout & { readonly state: 'visible' }): Promise<void>
  innerText(options: Timeout): Promise<string>
}
type Timeout = { readonly timeout: number }
type Named = { readonly name: string; readonly exact: boolean }
export type Page = {
  goto(url: string, options: Timeout & { readonly waitUntil: 'load' }): Promise<unknown>
  url(): string
  getByRole(role: string, options: Named): Locator
  getByLabel(label: string, options: { readonly exact: boolean }): Locator
  locator(selector: string): Locator
  screenshot(options: Timeout): Promise<Uint8Array>
  on(event: 'pageerror', listener: (error: Error) => void): unknown
  on(event: 'response', listener: (response: { status(): number; url(): string }) => void): unknown
}
type BrowserContext = { newPage(): Promise<Page>; close(): Promise<void> }
export type Browser = {
  newContext(options: { readonly ignoreHTTPSErrors: boolean }): Promise<BrowserContext>
  close(): Promise<void>
}
type Chromium = { launch(options: LaunchOptions): Promise<Browser> }
type LaunchOptions = {
  readonly executablePath?: string
  readonly args: readonly string[]
  readonly timeout: number
  readonly chromiumSandbox: boolean
  readonly handleSIGINT: boolean
  readonly handleSIGTERM: boolean
  readonly handleSIGHUP: boolean
}

const PACKAGES = ['@playwright/test', 'playwright', 'playwright-core']
const ON_MACHINE = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const START_MS = 30_000
/** Playwright's own signal handlers would end this program before it has written its results. */
const OWN_SIGNALS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }

/** Uses the Playwright installed for the scenario's folder, with its own browser or else one of the machine's. */
export const launchBrowser = async (folder: string): Promise<Result<Browser, StepFailure>> => {
  const chromium = await findPlaywright(folder)
  if (chromium === undefined) return err(failure({ code: 'no_playwright', params: { folder } }))
  const named = process.env.HANDSET_BROWSER
  const executables = named === undefined ? [undefined, ...ON_MACHINE.filter((path) => existsSync(path))] : [named]
  let problem: string | undefined
  for (const executablePath of executables) {
    try {
      return ok(
        await chromium.launch({
          ...(executablePath === undefined ? {} : { executablePath }),
          args: [],
          timeout: START_MS,
          // Chromium has no sandbox as root, and the page under test is the user's own.
          chromiumSandbox: process.getuid?.() !== 0,
          ...OWN_SIGNALS,
        }),
      )
    } catch (error) {
      problem = firstErrorLine(error)
    }
  }
  return err(failure({ code: 'no_browser', params: problem === undefined ? {} : { error: problem } }))
}

const findPlaywright = async (folder: string): Promise<Chromium | undefined> => {
  const required = createRequire(join(folder, 'scenario.js'))
  for (const name of PACKAGES) {
    try {
      const found: { readonly chromium?: Chromium; readonly default?: { readonly chromium?: Chromium } } = await import(
        pathToFileURL(required.resolve(name)).href
      )
      const chromium = found.chromium ?? found.default?.chromium
      if (chromium !== undefined) return chromium
    } catch {
      // This one is not installed or broken: try the next one.
    }
  }
  return undefined
}

/** The pages of one scenario, each with separate cookies. */
export type Browsing = {
  /** The page of this name; it is made when it is first opened. */
  page(name: string): Promise<Result<Page, StepFailure>>
  opened(name: string): Page | undefined
  /** Opens an additional page. `trusts`: accepts any certificate, because the user named a CA. */
  fresh(how?: {
    readonly trusts: boolean
  }): Promise<Result<{ readonly page: Page; close(): Promise<void> }, StepFailure>>
  close(): Promise<void>
}

export const createBrowsing = (folder: string): Browsing => {
  const pages = new Map<string, Page>()
  let launching: Promise<Result<Browser, StepFailure>> | undefined
  const fresh: Browsing['fresh'] = async ({ trusts } = { trusts: false }) => {
    launching ??= launchBrowser(folder)
    const browser = await launching
    if (!browser.ok) return browser
    try {
      const context = await browser.value.newContext({ ignoreHTTPSErrors: trusts })
      return ok({ page: await context.newPage(), close: () => context.close() })
    } catch (error) {
      return err(failure({ code: 'no_browser', params: { error: firstErrorLine(error) } }))
    }
  }
  return {
    fresh,
    opened: (name) => pages.get(name),
    page: async (name) => {
      const known = pages.get(name)
      if (known !== undefined) return ok(known)
      const opened = await fresh()
      if (!opened.ok) return opened
      pages.set(name, opened.value.page)
      return ok(opened.value.page)
    },
    close: async () => {
      const browser = await launching
      if (browser?.ok === true) await browser.value.close()
    },
  }
}
