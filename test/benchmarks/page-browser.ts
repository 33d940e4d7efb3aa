import { type CDPSession, chromium } from '@playwright/test'
import { createControlClient } from '../../src-main/sdk/client.ts'
import { findBrowser } from '../support/browser.mjs'
import type { Ready } from './child.ts'

/** A new process with a profile of its own, so that nothing is in its cache. */
export const openBrowser = async () => {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('no Chromium, Chrome or Edge found: name one in HANDSET_BROWSER')
  const browser = await chromium.launch({
    executablePath,
    // Chromium refuses its own sandbox to root; there is no graphics processor, so that it draws by itself.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
  return {
    newPage: async () => (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage(),
    close: () => browser.close(),
  }
}

export type OpenBrowser = Awaited<ReturnType<typeof openBrowser>>

/** The page's address, good for one visit. */
export const inviteTo = async (ready: Ready & { readonly ui_url: string }): Promise<string> => {
  const control = createControlClient({ controlUrl: ready.control_url, token: ready.token })
  const { code } = await control.call('session.invite', { body: {} })
  return new URL(`#code=${code}`, ready.ui_url).href
}

/** What the page's main thread has done so far, in seconds of its processor time. */
export const mainThread = async (devtools: CDPSession): Promise<number> => {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}
