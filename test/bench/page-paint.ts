import { createControlClient } from '../../src-main/sdk/client.ts'
import { startHandset } from './child.ts'
import { inviteTo, openBrowser } from './page-browser.ts'
import type { PageReady } from './page-load.ts'

export type Paint = {
  /** The browser's first contentful paint. */
  readonly first: number
  /** The frame in which the RP's form and the phone can be used is drawn. */
  readonly useful: number
}

declare global {
  interface Window {
    usefulAt?: number
  }
}

/** Runs in the page before its own scripts: notes when RP and phone stand there and have been drawn. */
const watchForUse = (): void => {
  const usable = (): boolean =>
    document.querySelector('[data-part="rp-button"]:not(:disabled)') !== null &&
    document.querySelector('[data-do="scan"]:not(:disabled)') !== null
  const look = (): void => {
    if (!usable()) return
    watch.disconnect()
    // After the next frame's drawing comes the next task.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        window.usefulAt = performance.now()
      }
      port2.postMessage(undefined)
    })
  }
  const watch = new MutationObserver(look)
  watch.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] })
}

/** Cold loads: each in a new browser with an empty profile. Milliseconds from the navigation’s start, by its own clock. */
export const measurePaint = async (options: {
  readonly runs: number
  /** A service that has something to show already; else each run has a new one. */
  readonly at?: PageReady
}): Promise<readonly Paint[]> => {
  const paints: Paint[] = []
  for (let run = 0; run < options.runs; run++) {
    const own = options.at === undefined ? await startHandset(['--memory']) : undefined
    const ready = options.at ?? (own?.ready as PageReady)
    if (own !== undefined) await addPhone(ready)
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.addInitScript(watchForUse)
      await page.goto(await inviteTo(ready))
      await page.waitForFunction(() => window.usefulAt !== undefined)
      paints.push(
        await page.evaluate(() => ({
          first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
          useful: window.usefulAt ?? Number.NaN,
        })),
      )
    } finally {
      await browser.close()
      await own?.stop()
    }
  }
  return paints
}

export const addPhone = async (ready: PageReady): Promise<void> => {
  const control = createControlClient({ controlUrl: ready.control_url, token: ready.token })
  await control.call('phones.create', {
    body: { name: 'Alice’s phone', account: { name: 'Alice', phone: '13812345678' } },
  })
}
