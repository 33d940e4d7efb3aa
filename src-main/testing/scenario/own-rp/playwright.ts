import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserType, Page } from '@playwright/test'
import { firstErrorLine } from '../../../core/protocol/message-of.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { failure, type StepFailure } from '../step-outcome.ts'

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

/**
 * Uses the Playwright installed for the scenario's folder, of any version, with its own browser or else one of the
 * machine's.
 */
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

const findPlaywright = async (folder: string): Promise<BrowserType | undefined> => {
  const required = createRequire(join(folder, 'scenario.js'))
  for (const name of PACKAGES) {
    try {
      const found: { readonly chromium?: BrowserType; readonly default?: { readonly chromium?: BrowserType } } =
        await import(pathToFileURL(required.resolve(name)).href)
      const chromium = found.chromium ?? found.default?.chromium
      if (chromium !== undefined) return chromium
    } catch {
      // This package is missing or broken: try the next one.
    }
  }
  return undefined
}

export type PageWindow = { readonly page: Page; close(): Promise<void> }

export type Browsing = ReturnType<typeof createBrowsing>

/** The pages of one scenario, each with separate cookies. */
export const createBrowsing = (folder: string) => {
  const pages = new Map<string, Page>()
  let launching: Promise<Result<Browser, StepFailure>> | undefined
  /** Opens an additional page. `trusts`: accepts any certificate. */
  const fresh = async ({ trusts } = { trusts: false }): Promise<Result<PageWindow, StepFailure>> => {
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
    opened: (name: string): Page | undefined => pages.get(name),
    /** The page of this name; it is made when it is first opened. */
    page: async (name: string): Promise<Result<Page, StepFailure>> => {
      const known = pages.get(name)
      if (known !== undefined) return ok(known)
      const opened = await fresh()
      if (!opened.ok) return opened
      pages.set(name, opened.value.page)
      return ok(opened.value.page)
    },
    close: async (): Promise<void> => {
      const browser = await launching
      if (browser?.ok === true) await browser.value.close()
    },
  }
}
