import type { CDPSession, Page } from '@playwright/test'
import { cpuMs, residentMib, startHandset } from './child.ts'
import { heapMib, inviteTo, type OpenBrowser, openBrowser } from './page-browser.ts'
import { type Frames, watchFrames } from './page-frames.ts'
import { openTraffic, type PageReady, type Traffic } from './page-load.ts'
import { addPhone, measurePaint, type Paint } from './page-paint.ts'
import { ORIGIN } from './people.ts'

export const PER_SECOND = 100

export type Scene = {
  readonly name: string
  readonly frames: Frames
  /** Exchanges a second, as the client counted them. */
  readonly perSecond: number
  /** Shares of a processor. */
  readonly server: number
  readonly drawing: number
}

export type Scale = {
  readonly browser: string
  readonly listed: number
  readonly paints: readonly Paint[]
  /** Until all of them were listed, and the worst task meanwhile; milliseconds. */
  readonly fetchedIn: number
  readonly fetching: Frames
  readonly heapMib: number
  readonly heapBeforeMib: number
  readonly residentMib: number | undefined
  readonly scenes: readonly Scene[]
}

/** The page with so many exchanges listed, while more stream in and somebody looks around. */
export const measureScale = async (options: {
  readonly exchanges: number
  readonly seconds: number
  readonly paints: number
  readonly say: (text: string) => void
}): Promise<Scale> => {
  const { exchanges, seconds, say } = options
  const handset = await startHandset(['--memory', '--rp-id', 'shop.example', '--origin', ORIGIN])
  const ready = handset.ready as PageReady
  const browser = await openBrowser()
  try {
    await addPhone(ready)
    const traffic = await openTraffic(ready)
    const empty = await openPage(browser, ready, 1)
    const heapBeforeMib = await heapMib(empty.devtools)
    await empty.page.close()
    say(`${exchanges} exchanges …`)
    await traffic.fill(exchanges)
    const paints = await measurePaint({ runs: options.paints, at: ready })

    const opened = await openPage(browser, ready, exchanges)
    const { page, devtools } = opened
    const heap = await heapMib(devtools)
    const pid = (await browser.processes()).filter(({ type }) => type === 'renderer').at(-1)?.id ?? 0
    const resident = residentMib(pid)
    const listed = await page.evaluate(() => window.listed?.() ?? 0)
    const scenes: Scene[] = []
    // The first one only warms up.
    await play({ name: '', act: STILL, page, devtools, browser, traffic, seconds: 3, server: ready.pid })
    for (const [name, act] of Object.entries(SCENES)) {
      say(`${name} …`)
      scenes.push(await play({ name, act, page, devtools, browser, traffic, seconds, server: ready.pid }))
    }
    return {
      browser: browser.version,
      listed,
      paints,
      fetchedIn: opened.fetchedIn,
      fetching: opened.fetching,
      heapMib: heap,
      heapBeforeMib,
      residentMib: resident,
      scenes,
    }
  } finally {
    await browser.close()
    await handset.stop()
  }
}

declare global {
  interface Window {
    listed?: () => number
  }
}

/** Runs in the page before its own scripts: how many exchanges it says that it lists. */
const tellListed = (): void => {
  window.listed = () => {
    const said = /([\d,]+) exchanges/.exec(document.querySelector('[data-part="statusbar"]')?.textContent ?? '')?.[1]
    return Number(said?.replaceAll(',', '') ?? 0)
  }
}

/** Opens the page and waits until everything that was recorded is listed. */
const openPage = async (browser: OpenBrowser, ready: PageReady, exchanges: number) => {
  const page = await browser.newPage()
  await page.addInitScript(tellListed)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const began = performance.now()
  await page.goto(await inviteTo(ready))
  const fetching = await watchFrames(page, devtools, async () => {
    await page.waitForFunction((wanted) => (window.listed?.() ?? 0) >= wanted, exchanges, { timeout: 120_000 })
  })
  return { page, devtools, fetching, fetchedIn: performance.now() - began }
}

type Play = {
  readonly name: string
  readonly act: Act
  readonly page: Page
  readonly devtools: CDPSession
  readonly browser: OpenBrowser
  readonly traffic: Traffic
  readonly seconds: number
  readonly server: number
}

const play = async ({ name, act, page, devtools, browser, traffic, seconds, server }: Play): Promise<Scene> => {
  const ended = new AbortController()
  const streaming = traffic.steady(PER_SECOND, ended.signal)
  const drawing = async (): Promise<number> =>
    (await browser.processes()).filter(({ type }) => type === 'GPU').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  try {
    const [drawnBefore, servedBefore, began] = [await drawing(), cpuMs(server) ?? Number.NaN, performance.now()]
    const frames = await watchFrames(page, devtools, () => act({ page, devtools, seconds }))
    const took = (performance.now() - began) / 1000
    const [drawn, served] = [(await drawing()) - drawnBefore, (cpuMs(server) ?? Number.NaN) - servedBefore]
    ended.abort()
    return { name, frames, perSecond: await streaming, server: served / 1000 / took, drawing: drawn / took }
  } finally {
    // Before the service ends: what it would refuse then would hide why the scene failed.
    ended.abort()
    await Promise.allSettled([streaming])
  }
}

type Act = (stage: { readonly page: Page; readonly devtools: CDPSession; readonly seconds: number }) => Promise<unknown>

const middleOf = async (page: Page): Promise<{ readonly x: number; readonly y: number }> => {
  const box = await page.locator('[data-part="rows"]').boundingBox()
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
}

const filter = (page: Page) => page.locator('[data-part="timeline"] input[type="search"]')

/** A finger on the wheel: down and up again, without a pause. */
const scrollBy = async (page: Page, devtools: CDPSession, seconds: number): Promise<void> => {
  const { x, y } = await middleOf(page)
  const distance = SCROLL_SPEED * 2
  const end = performance.now() + seconds * 1000
  for (let up = true; performance.now() < end; up = !up) {
    const yDistance = up ? distance : -distance
    await devtools.send('Input.synthesizeScrollGesture', {
      x,
      y,
      yDistance,
      speed: SCROLL_SPEED,
      preventFling: true,
      gestureSourceType: 'mouse',
    })
  }
}

/** Pixels a second: about a hundred rows. */
const SCROLL_SPEED = 3000

/** The thumb of the scroll bar from one end to the other: every frame shows rows that none has shown before. */
const drag = async (page: Page, seconds: number): Promise<void> => {
  await page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        const list = document.querySelector('[data-part="rows"]')
        if (list === null) return resolve()
        const end = list.scrollHeight - list.clientHeight
        const began = performance.now()
        const step = (): void => {
          const share = Math.min(1, (performance.now() - began) / ms)
          list.scrollTop = end * (1 - share)
          if (share < 1) requestAnimationFrame(step)
          else resolve()
        }
        requestAnimationFrame(step)
      }),
    seconds * 1000,
  )
}

const STILL: Act = ({ page, seconds }) => page.waitForTimeout(seconds * 1000)

const SCENES: Readonly<Record<string, Act>> = {
  'Following live': async ({ page, seconds }) => {
    await page.locator('[data-do="live"]').click()
    await page.waitForTimeout(seconds * 1000)
  },
  'Scrolling with the wheel': ({ page, devtools, seconds }) => scrollBy(page, devtools, seconds),
  'Dragging from end to end': ({ page, seconds }) => drag(page, seconds),
  'Filtered, following live': async ({ page, seconds }) => {
    await page.locator('[data-do="live"]').click()
    await filter(page).pressSequentially('person-3', { delay: 150 })
    await page.waitForTimeout(seconds * 1000)
  },
  'Filtered, scrolling': async ({ page, devtools, seconds }) => {
    await scrollBy(page, devtools, seconds)
    await filter(page).fill('')
  },
}
