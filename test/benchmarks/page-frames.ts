import type { CDPSession, Page } from '@playwright/test'
import { mainThread } from './page-browser.ts'

/** What a while of watching the page showed. */
export type Frames = {
  /** Milliseconds from one frame to the next, as requestAnimationFrame tells them. */
  readonly intervals: readonly number[]
  /** Tasks of more than 50 ms, in milliseconds. */
  readonly longTasks: readonly number[]
  /** Of a second, what the page’s main thread used of a processor. */
  readonly busy: number
}

export const FRAME = 1000 / 60

/** Frames that should have been there: a gap of two frames’ length has lost one. */
export const droppedOf = ({ intervals }: Frames): number =>
  intervals.reduce((sum, interval) => sum + Math.max(0, Math.round(interval / FRAME) - 1), 0)

type Watch = { readonly stop: () => { readonly intervals: number[]; readonly longTasks: number[] } }

declare global {
  interface Window {
    watchOfFrames?: Watch
  }
}

const startWatch = (): void => {
  const intervals: number[] = []
  const longTasks: number[] = []
  let last: number | undefined
  let going = true
  const frame = (now: number): void => {
    if (last !== undefined) intervals.push(now - last)
    last = now
    if (going) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration)
  })
  observer.observe({ type: 'longtask' })
  window.watchOfFrames = {
    stop: () => {
      going = false
      observer.disconnect()
      return { intervals, longTasks }
    },
  }
}

/** Watches while something is done with the page; `work` ends it. */
export const watchFrames = async (page: Page, devtools: CDPSession, work: () => Promise<unknown>): Promise<Frames> => {
  await page.evaluate(startWatch)
  const [before, began] = [await mainThread(devtools), performance.now()]
  await work()
  const [after, took] = [await mainThread(devtools), (performance.now() - began) / 1000]
  const seen = await page.evaluate(() => window.watchOfFrames?.stop() ?? { intervals: [], longTasks: [] })
  return { ...seen, busy: (after - before) / took }
}
