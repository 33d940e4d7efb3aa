import { firstLine } from '../../../core/protocol/first-line.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { failure, type StepFailure } from '../step-outcome.ts'
import { type Browser, launchBrowser, type Page } from './playwright.ts'

/** The pages of one scenario, each with cookies of its own. */
export type Browsing = {
  /** The page of this name; it is made when it is first opened. */
  page(name: string): Promise<Result<Page, StepFailure>>
  opened(name: string): Page | undefined
  /** One more, until it is closed. `trusts`: any certificate, where the user named a CA. */
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
      return err(failure({ code: 'no_browser', params: { error: firstLine(error) } }))
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
