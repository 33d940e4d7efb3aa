import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import config from '../playwright.config.ts'

type OwnBrowser = {
  /** Beside those that every browser of the tests is started with. */
  readonly args: readonly string[]
  /** Another browser than the others have. */
  readonly executablePath?: string
  readonly context?: BrowserContextOptions
}

/** A page in a browser of the test's own; what it may see is said when a browser is started. */
export const inOwnBrowser = async (
  { args, executablePath, context }: OwnBrowser,
  use: (page: Page) => Promise<void>,
): Promise<void> => {
  const common = config.use?.launchOptions
  const browser = await chromium.launch({
    ...common,
    args: [...(common?.args ?? []), ...args],
    ...(executablePath === undefined ? {} : { executablePath }),
  })
  await use(await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...context }))
  await browser.close()
}
