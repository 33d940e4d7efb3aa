import { createControlClient } from '../../src-main/sdk/client.ts'
import { startHandset } from './child.ts'
import { inviteTo, openBrowser } from './page-browser.ts'
import type { PageReady } from './page-load.ts'

export type Paint = {
  /** The browser's first contentful paint. */
  readonly first: number
  /** The frame in which the RP's form and the phone can be used is drawn. */
  readonly useful: number
  /** The frame in which the first rows of the timeline are drawn; undefined where there are none. */
  readonly rows: number | undefined
}

declare global {
  interface Window {
    usefulAt?: number
    rowsAt?: number
  }
}

/** Runs in the page before its own scripts: notes when RP and phone stand there and have been drawn. */
const watchForUse = (): void => {
  const usable = (): boolean =>
    document.querySelector('[data-part="rp-button"]:not(:disabled)') !== null &&
    document.querySelector('[data-do="scan"]:not(:disabled)') !== null
  // After the next frame's drawing comes the next task.
  const drawn = (note: (now: number) => void): void => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => note(performance.now())
      port2.postMessage(undefined)
    })
  }
  let isUsable = false
  let hasRows = false
  const look = (): void => {
    if (!isUsable && usable()) {
      isUsable = true
      drawn((now) => {
        window.usefulAt = now
      })
    }
    if (hasRows || document.querySelector('[id^="row-"]') === null) return
    hasRows = true
    drawn((now) => {
      window.rowsAt = now
    })
  }
  const watch = new MutationObserver(look)
  const WATCHED = { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] }
  watch.observe(document, WATCHED)
}

/** Cold loads: each in a new browser with an empty profile. Milliseconds from the navigation’s start, by its own clock. */
export const measurePaint = async (options: {
  readonly runs: number
  /** A service that has something to show already; else each run has a new one. */
  readonly at?: PageReady
  /** A checkout whose build it is. */
  readonly root?: string | undefined
}): Promise<readonly Paint[]> => {
  const paints: Paint[] = []
  for (let run = 0; run < options.runs; run++) {
    const own = options.at === undefined ? await startHandset(['--memory'], options.root) : undefined
    const ready = options.at ?? (own?.ready as PageReady)
    if (own !== undefined) await addPhone(ready)
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.addInitScript(watchForUse)
      await page.goto(await inviteTo(ready))
      await page.waitForFunction(() => window.usefulAt !== undefined)
      if (options.at !== undefined) await page.waitForFunction(() => window.rowsAt !== undefined)
      paints.push(
        await page.evaluate(() => ({
          first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
          useful: window.usefulAt ?? Number.NaN,
          rows: window.rowsAt,
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
