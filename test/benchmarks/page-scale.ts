import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import { realClock } from '../../src-main/bench/harness/clock.ts'
import { openRecorder } from '../../src-main/bench/harness/open-recorder.ts'
import type { BenchEvent, EventDraft } from '../../src-main/core/contract/events.ts'
import { createControlClient } from '../../src-main/sdk/client.ts'
import { FOLDED_KINDS } from '../../src-main/views/timeline/event-views.ts'
import { startHandset } from './child.ts'
import { inviteTo, type OpenBrowser, openBrowser } from './page-browser.ts'
import { type Frames, watchFrames } from './page-frames.ts'
import { openTraffic, type PageReady, type Traffic } from './page-load.ts'
import { addPhone, measurePaint, type Paint } from './page-paint.ts'
import { ORIGIN } from './people.ts'

export const PER_SECOND = 100

export type Scene = { readonly name: string; readonly frames: Frames }

export type Build = {
  readonly name: string
  /** A checkout that is built; this one when absent. */
  readonly root?: string
  readonly args: readonly string[]
}

type Stage = Awaited<ReturnType<typeof openStage>>

/** Builds side by side, each with the same events kept, while more stream in and a reader looks around: scene by scene in turn. */
export const measureScale = async (
  options: Filling & { readonly builds: readonly Build[] } & Readonly<Record<'seconds' | 'paints', number>>,
) => {
  const { builds, seconds, say } = options
  const stages: Stage[] = []
  try {
    let filled: string | undefined
    for (const build of builds) {
      const stage = await openStage(build, { ...options, filled })
      stages.push(stage)
      filled ??= stage.kept
    }
    const paints = stages.map((): Paint[] => [])
    for (let run = 0; run < options.paints; run++) {
      for (const [i, { name, ready }] of stages.entries()) {
        say(`${name}: first paint …`)
        paints[i]?.push(...(await measurePaint({ runs: 1, at: ready })))
      }
    }
    const scenes = stages.map((): Scene[] => [])
    const names = Object.entries(SCENES)
    for (const [n, [name, act]] of names.entries()) {
      const turns = [...stages.entries()]
      for (const [i, stage] of n % 2 === 0 ? turns : turns.reverse()) {
        say(`${stage.name}: ${name} …`)
        scenes[i]?.push(await play({ ...stage, name, act, seconds }))
      }
    }
    return stages.map(({ name }, i) => ({ name, paints: paints[i] ?? [], scenes: scenes[i] ?? [] }))
  } finally {
    for (const stage of stages) await stage.close()
  }
}

type Filling = { readonly events: number; readonly say: (text: string) => void }

/** A service with that many events, which may be there in the file of another one, and its page open. */
const openStage = async (
  { name, root, args }: Build,
  { events, filled, say }: Filling & { readonly filled: string | undefined },
) => {
  say(`${name}: ${events} events …`)
  const directory = mkdtempSync(join(tmpdir(), 'handset-bench-'))
  const all = ['--data', directory, '--rp-id', 'shop.example', '--origin', ORIGIN, ...args]
  const first = await startHandset(all, root)
  await addPhone(first.ready as PageReady)
  await (await openTraffic(first.ready as PageReady)).fill(320)
  const control = createControlClient({ controlUrl: first.ready.control_url, token: first.ready.token })
  const recorded = await control.call('events.list', { query: { limit: 10_000 } })
  await first.stop()
  const folded = recorded.events.filter(({ kind }) => FOLDED_KINDS.some((each) => each === kind))
  const kept = join(directory, 'kept.db')
  if (filled === undefined) {
    await fillEvents(directory, folded.slice(folded.findIndex(({ kind }) => kind === 'message')), events)
    copyFileSync(join(directory, 'events.db'), kept)
  } else copyFileSync(filled, join(directory, 'events.db'))
  const handset = await startHandset(all, root)
  const ready = handset.ready as PageReady
  const browser = await openBrowser()
  const close = async (): Promise<void> => {
    await browser.close()
    await handset.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const traffic = await openTraffic(ready)
    say(`${name}: opening …`)
    const { page, devtools } = await openPage(browser, ready)
    // It only warms up.
    await play({ name: '', act: STILL, page, devtools, traffic, seconds: 3 })
    return { name, page, devtools, traffic, ready, kept, close }
  } catch (error) {
    await close()
    throw error
  }
}

const CALM_MS = 1500

declare global {
  interface Window {
    calmSince?: number
  }
}

/** Opens the page and waits until it fetches nothing more. */
const openPage = async (browser: OpenBrowser, ready: PageReady) => {
  const page = await browser.newPage()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(await inviteTo(ready))
  // What is fetched page by page has no bar for a moment in between.
  await page.waitForFunction(
    (calm) => {
      const isBusy =
        document.querySelector('[id^="row-"]') === null ||
        document.querySelector('[data-part="timeline"] progress') !== null
      if (isBusy || window.calmSince === undefined) window.calmSince = performance.now()
      return performance.now() - window.calmSince > calm
    },
    CALM_MS,
    { timeout: 300_000 },
  )
  return { page, devtools }
}

type Play = Scenery & { readonly name: string; readonly act: Act; readonly traffic: Traffic }

const play = async ({ name, act, page, devtools, traffic, seconds }: Play): Promise<Scene> => {
  const ended = new AbortController()
  const streaming = traffic.steady(PER_SECOND, ended.signal)
  try {
    const frames = await watchFrames(page, devtools, () => act({ page, devtools, seconds }))
    ended.abort()
    await streaming
    return { name, frames }
  } finally {
    // Before the service ends: what it would refuse then would hide why the scene failed.
    ended.abort()
    await Promise.allSettled([streaming])
  }
}

type Scenery = { readonly page: Page; readonly devtools: CDPSession; readonly seconds: number }
type Act = (stage: Scenery) => Promise<unknown>

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

const STILL: Act = ({ page, seconds }) => page.waitForTimeout(seconds * 1000)

const SCENES: Readonly<Record<string, Act>> = {
  'Following live': async ({ page, seconds }) => {
    await page.locator('[data-do="live"]').click()
    await page.waitForTimeout(seconds * 1000)
  },
  'Scrolling with the wheel': ({ page, devtools, seconds }) => scrollBy(page, devtools, seconds),
  'Filtered, following live': async ({ page, seconds }) => {
    await page.locator('[data-do="live"]').click()
    await filter(page).pressSequentially('person-3', { delay: 150 })
    await page.waitForTimeout(seconds * 1000)
  },
}

/**
 * Writes the events of a workspace as a bench that ran for long would have kept them: what was recorded of real traffic,
 * again and again, each time with other ids. Numbers go on from there.
 */
const fillEvents = async (directory: string, recorded: readonly BenchEvent[], count: number): Promise<void> => {
  const { recorder, close } = openRecorder({
    directory,
    wall: realClock,
    bench: () => realClock,
    log: (line) => console.error(JSON.stringify(line)),
    keepEvents: count,
  })
  const texts = recorded.map(({ v, seq, workspace, wall, bench, ...draft }) => JSON.stringify(draft))
  const ids = new Set(recorded.flatMap((event) => idsOf(event)))
  const parts = texts.map((text) => partsOf(text, ids))
  const span = (recorded.at(-1)?.wall ?? 0) - (recorded[0]?.wall ?? 0) + 1
  const rounds = Math.ceil(count / recorded.length)
  const end = realClock.now()
  let left = count
  for (let round = 0; round < rounds; round++) {
    const shift = end - (rounds - round) * span - (recorded[0]?.wall ?? 0)
    const mark = round.toString(36).padStart(6, '0')
    for (let i = 0; i < recorded.length && left > 0; i++, left--) {
      const draft = JSON.parse((parts[i] ?? []).join(mark)) as EventDraft
      const { wall } = recorded[i] as BenchEvent
      recorder.observe('main', draft, { wall: wall + shift, bench: wall + shift })
    }
    // Those that save have their turn.
    if (round % 200 === 0) await new Promise((done) => setTimeout(done, 1))
  }
  await close()
}

const idsOf = (event: BenchEvent): readonly string[] => [
  ...('msg_id' in event && typeof event.msg_id === 'string' ? [event.msg_id] : []),
  ...(event.kind === 'exchange' ? [event.request.id] : []),
  ...(event.cause === undefined ? [] : [event.cause]),
]

/** The text, cut where the last six characters of an id stand. */
const partsOf = (text: string, ids: ReadonlySet<string>): readonly string[] => {
  const places: number[] = []
  for (const id of ids) {
    for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) places.push(at + id.length - 6)
  }
  const parts: string[] = []
  let from = 0
  for (const place of [...new Set(places)].sort((a, b) => a - b)) {
    parts.push(text.slice(from, place))
    from = place + 6
  }
  return [...parts, text.slice(from)]
}
