/** How long input waits in the window while the main process serves: `MEASURE_LATENCY=1 npm run test:desktop`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { quantile } from '../benchmarks/statistics.ts'
import { ROOT } from '../support/imports.ts'
import { type Desktop, openDesktop, type Program } from './desk.ts'
import { choose } from './rows.ts'

const KEYS = 400
const EACH_MS = 25
const SCANS = 10

type Heard = typeof globalThis & { waits: number[] }

const row = (what: string, values: readonly number[]): string =>
  `${what.padEnd(44)}${[0.5, 0.99, 1].map((q) => `${quantile(values, q).toFixed(1)} ms`.padStart(12)).join('')}`

/** Keys of the display, and round trips between the main process and the page, until the last key was heard. */
const measure = async (what: string, { x11 }: Desktop, { app, page }: Program, beside?: () => Promise<unknown>) => {
  await page.evaluate(() => void (globalThis as Heard).waits.splice(0))
  let typing = true
  const also = (async () => {
    while (typing && beside !== undefined) await beside()
  })()
  const trips = app.evaluate(async ({ BrowserWindow }, last) => {
    const taken: number[] = []
    while (taken.length < last) {
      const from = performance.now()
      await BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('0')
      taken.push(performance.now() - from)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return taken
  }, KEYS)
  const typist = spawn('xdotool', ['type', '--delay', String(EACH_MS), 'x'.repeat(KEYS)], {
    env: { ...process.env, ...x11?.env },
  })
  await once(typist, 'close')
  const heard = (): Promise<number[]> => page.evaluate(() => (globalThis as Heard).waits)
  await expect.poll(async () => (await heard()).length).toBe(KEYS)
  typing = false
  await also
  console.log(row(`${what}: a key`, await heard()))
  console.log(row(`${what}: a round trip to the page`, await trips))
}

/** Of one scan of the screen, when nothing else is done. */
const measureSteps = async (desktop: Desktop, { app }: Program): Promise<void> => {
  const control = desktop.control()
  const { id } = (await control.call('phones.list')).phones[0] ?? { id: '' }
  const took: Record<'capture' | 'toBitmap' | 'toPNG' | 'read', number[]> = {
    capture: [],
    toBitmap: [],
    toPNG: [],
    read: [],
  }
  for (let round = 0; round < SCANS; round++) {
    const { data, capture, toBitmap, toPNG } = await app.evaluate(async ({ desktopCapturer }) => {
      const size = { width: 3840, height: 2160 }
      const begun = performance.now()
      const [screen] = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: size })
      const captured = performance.now()
      screen?.thumbnail.toBitmap()
      const copied = performance.now()
      const png = screen?.thumbnail.toPNG() ?? Buffer.alloc(0)
      const toPNG = performance.now() - copied
      return { data: png.toString('base64'), capture: captured - begun, toBitmap: copied - captured, toPNG }
    })
    const sent = performance.now()
    // No code of ours is in it: it is looked for in every way.
    await control.call('phones.scan', { params: { id }, body: { image: { type: 'png', data } } }).catch(String)
    took.capture.push(capture)
    took.toBitmap.push(toBitmap)
    took.toPNG.push(toPNG)
    took.read.push(performance.now() - sent)
  }
  for (const [step, times] of Object.entries(took)) console.log(row(`A scan of 3840 × 2160: ${step}`, times))
}

test('input waits', async () => {
  test.setTimeout(600_000)
  const desktop = await openDesktop()
  const program = await desktop.launch()
  const { page, desk } = program
  await expect(desk.statusBar).toHaveText(/^Running/)
  await page.bringToFront()
  await page.evaluate(() => {
    Object.assign(globalThis, { waits: [] })
    addEventListener(
      'keydown',
      (event) => {
        event.preventDefault()
        event.stopImmediatePropagation()
        // The display’s own time of the key.
        ;(globalThis as Heard).waits.push(performance.now() - event.timeStamp)
      },
      true,
    )
  })
  await measure('Idle', desktop, program)
  const load = spawn(
    process.execPath,
    [
      join(ROOT, 'src-main/bin.mjs'),
      'load',
      '--attach',
      ...['--data', desktop.data, '--rate', '100', '--users', '200', '--duration', '3m'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  for await (const line of load.stdout) if (String(line).includes('200 of 200')) break
  load.stdout.resume()
  await measure('100 sign-ins a second', desktop, program)
  await measure('and the screen is scanned', desktop, program, async () => {
    const before = desktop.x11?.shown.length ?? 0
    await choose(program, 'Scan a Code on the Screen')
    await expect.poll(() => (desktop.x11?.shown.length ?? 0) > before).toBe(true)
  })
  load.kill('SIGINT')
  await once(load, 'close')
  await measureSteps(desktop, program)
  await program.end()
  await desktop.close()
})
