import { pathToFileURL } from 'node:url'
import { openBrowser } from './page-browser.ts'

/** Milliseconds until a report's list and, if there is a failure, its timeline are there, each time in a new browser. */
export const firstContent = async (
  file: string,
  { times, fails }: { readonly times: number; readonly fails: boolean },
): Promise<readonly number[]> => {
  const wanted = fails ? ['nav li', '[data-part="timeline"]'] : ['nav li']
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      // Heard of in the page itself: asking from outside would take time of its own.
      await page.addInitScript((parts) => {
        const seen = new MutationObserver(() => {
          if (parts.some((part) => document.querySelector(part) === null)) return
          performance.mark('content')
          seen.disconnect()
        })
        seen.observe(document, { childList: true, subtree: true })
      }, wanted)
      await page.goto(pathToFileURL(file).href)
      const content = await page.waitForFunction(() => performance.getEntriesByName('content')[0]?.startTime)
      taken.push((await content.jsonValue()) ?? Number.NaN)
    } finally {
      await browser.close()
    }
  }
  return taken
}
