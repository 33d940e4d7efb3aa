import { err, ok, type Result } from '../../protocol/result.ts'
import { failure, type StepFailure } from '../step-outcome.ts'
import { type Browser, launchBrowser, type Page } from './playwright.ts'

/** The pages of one scenario, each with cookies of its own. */
export type Browsing = {
  /** The page of this name; it is made when it is first opened. */
  page(name: string): Promise<Result<Page, StepFailure>>
  opened(name: string): Page | undefined
  close(): Promise<void>
}

export const createBrowsing = (folder: string): Browsing => {
  const pages = new Map<string, Page>()
  let launching: Promise<Result<Browser, StepFailure>> | undefined
  return {
    opened: (name) => pages.get(name),
    page: async (name) => {
      const known = pages.get(name)
      if (known !== undefined) return ok(known)
      launching ??= launchBrowser(folder)
      const browser = await launching
      if (!browser.ok) return browser
      try {
        const page = await (await browser.value.newContext()).newPage()
        pages.set(name, page)
        return ok(page)
      } catch (error) {
        return err(failure({ code: 'no_browser', params: { error: String(error).split('\n')[0] ?? '' } }))
      }
    },
    close: async () => {
      const browser = await launching
      if (browser?.ok === true) await browser.value.close()
    },
  }
}
