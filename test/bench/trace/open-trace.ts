import type { Page } from '@playwright/test'
import { startHandset } from '../child.ts'
import { heapMib, inviteTo, openBrowser } from '../page-browser.ts'
import { type Frames, watchFrames } from '../page-frames.ts'
import type { PageReady } from '../page-load.ts'

export type Opening = {
  /** Milliseconds from the choice of the file until rows are drawn, and until all are listed. */
  readonly shown: number
  readonly listed: number
  /** Seconds of processor of the browser's processes until then. */
  readonly shownCpu: number
  readonly listedCpu: number
  readonly longTasks: readonly number[]
  readonly exchanges: number
}

declare global {
  interface Window {
    traceTimes?: { chosen: number; shown?: number; listed?: number; longTasks: number[] }
  }
}

/** Runs in the page: notes when a file is chosen, when its rows have been drawn, and when nothing is left to read. */
const watchOpening = (): void => {
  const times: NonNullable<Window['traceTimes']> = { chosen: performance.now(), longTasks: [] }
  window.traceTimes = times
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) times.longTasks.push(duration)
  }).observe({ type: 'longtask' })
  addEventListener('change', () => (times.chosen = performance.now()), { capture: true, once: true })
  const look = (): void => {
    const trace = document.querySelector('[data-part="trace"]')
    if (trace?.querySelector('[id^="row-"]') === null || trace === null) return void requestAnimationFrame(look)
    times.shown ??= performance.now()
    if (trace.querySelector('progress') !== null) return void requestAnimationFrame(look)
    times.listed = performance.now()
  }
  requestAnimationFrame(look)
}

/** Opens a trace in a page of its own, and scrolls it. */
export const openInPage = async (
  file: string,
): Promise<{ readonly opening: Opening; readonly scrolling: Frames; readonly heapMib: number }> => {
  const handset = await startHandset(['--memory'])
  const browser = await openBrowser()
  const cpu = async (): Promise<number> => (await browser.processes()).reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  try {
    const page = await browser.newPage()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Performance.enable')
    await page.goto(await inviteTo(handset.ready as PageReady))
    await page.locator('[data-part="rp-button"]:not(:disabled)').first().waitFor()
    await page.evaluate(watchOpening)
    const before = await cpu()
    await page.locator('input[accept=".handset"]').setInputFiles(file)
    await page.waitForFunction(() => window.traceTimes?.shown !== undefined, undefined, { timeout: 300_000 })
    const shownCpu = (await cpu()) - before
    const scrolling = await watchFrames(page, devtools, () => scroll(page))
    await page.waitForFunction(() => window.traceTimes?.listed !== undefined, undefined, { timeout: 300_000 })
    const listedCpu = (await cpu()) - before
    const times = await page.evaluate(() => window.traceTimes)
    const told = await page.locator('[data-part="trace"] > header').textContent()
    return {
      opening: {
        shown: (times?.shown ?? Number.NaN) - (times?.chosen ?? 0),
        listed: (times?.listed ?? Number.NaN) - (times?.chosen ?? 0),
        shownCpu,
        listedCpu,
        longTasks: times?.longTasks ?? [],
        exchanges: Number(/([\d,]+) exchanges · saved/.exec(told ?? '')?.[1]?.replaceAll(',', '')),
      },
      scrolling,
      heapMib: await heapMib(devtools),
    }
  } finally {
    await browser.close()
    await handset.stop()
  }
}

/** By the wheel, for three seconds. */
const scroll = async (page: Page): Promise<void> => {
  const rows = await page.locator('[data-part="trace"] [data-part="rows"]').boundingBox()
  await page.mouse.move((rows?.x ?? 0) + 100, (rows?.y ?? 0) + 100)
  for (let turn = 0; turn < 60; turn++) {
    await page.mouse.wheel(0, turn < 30 ? -150 : 150)
    await page.waitForTimeout(50)
  }
}
