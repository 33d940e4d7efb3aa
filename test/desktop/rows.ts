import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, globSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from '@playwright/test'
import Database from 'better-sqlite3'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { qrPicture } from '../../src-main/testing/scenario/qr-picture.ts'
import { writeTrace } from '../../src-main/views/trace/write-trace.ts'
import { english } from '../../src-renderer/ui/texts-en.ts'
import { desk as deskOf } from '../e2e/support/pages/desk.ts'
import { registerByCamera } from '../e2e/support/register-by-camera.ts'
import { codeOf } from '../support/bench.ts'
import { ROOT } from '../support/imports.ts'
import { type Desktop, IS_X11, type Program, SHIPPED, untilShown } from './desk.ts'
import { isRoot, type Packed } from './electron-33.ts'

export type Stage = { readonly desktop: Desktop; readonly program?: Program; readonly packed?: Packed }

export type Row = {
  /** What is done, and what must be seen in the page and on the screen. */
  readonly title: string
  /**
   * Where alone it can be seen: on a display of X11 with its services, where we may mount and cut off the network, where
   * signals are gentle, where we pack.
   */
  readonly only?: 'X11' | 'root' | 'POSIX' | 'packed'
  /** A picture of the whole screen is kept. */
  readonly picture?: true
  play(stage: Stage): Promise<void>
}

const PACKS = IS_X11 && !SHIPPED

export const missing = ({ only }: Row): string | undefined => {
  if (only === 'packed' && !PACKS) return 'needs X11 and the Electron that npm carries'
  if (only === 'X11' && !IS_X11) return 'needs a display of X11 and its services'
  if (only === 'POSIX' && process.platform === 'win32') return 'Windows knows no gentle signal'
  return only === 'root' && !(isRoot && IS_X11) ? 'needs root' : undefined
}

const PICTURES = join(ROOT, 'dist/desktop-pictures')

/** Bytes of a picture in which a window is painted; a bare screen with a code on it has 17,000. */
const PAINTED = 30_000

/** The screen as a person would see it, once it stands still. */
export const keepPicture = async ({ desktop: { x11 } }: Stage, title: string, least = PAINTED): Promise<void> => {
  if (x11 === undefined) return
  let picture = x11.png()
  const standsStill = (): boolean => {
    const before = picture.length
    picture = x11.png()
    return picture.length >= least && Math.abs(picture.length - before) < 2_000
  }
  await expect.poll(standsStill, 'the window is painted on the screen').toBe(true)
  mkdirSync(PICTURES, { recursive: true })
  writeFileSync(join(PICTURES, `${title.replace(/[^a-z]+/gi, '-').slice(0, 60)}.png`), picture)
}

type Start = { readonly title: string; begin(desktop: Desktop): Promise<Stage>; readonly rows: readonly Row[] }

const running = ({ program }: Stage): Program => {
  if (program === undefined) throw new Error('the program does not run')
  return program
}

const display = ({ desktop: { x11 } }: Stage) => {
  if (x11 === undefined) throw new Error('there is no X11')
  return x11
}

/** Clicks an item of the menu, as Electron does for a mouse. */
export const choose = ({ app }: Program, label: string): Promise<void> =>
  app.evaluate(({ BrowserWindow, Menu }, wanted) => {
    const find = (items: readonly Electron.MenuItem[]): Electron.MenuItem | undefined =>
      items
        .map((item) => (item.label === wanted && item.submenu == null ? item : find(item.submenu?.items ?? [])))
        .find((item) => item !== undefined)
    const item = find(Menu.getApplicationMenu()?.items ?? [])
    if (item === undefined) throw new Error(`the menu has no ${wanted}`)
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
    const click = item.click as unknown as (event: object, window: unknown, contents: unknown) => void
    click({}, window, window?.webContents)
  }, label)

type WindowState = 'isVisible' | 'isMaximized' | 'isMinimized' | 'isFocused' | 'isFullScreen'

const windowIs = ({ app }: Program, state: WindowState): Promise<boolean | undefined> =>
  app.evaluate(({ BrowserWindow }, asked) => BrowserWindow.getAllWindows()[0]?.[asked](), state)

const untilWindow = (program: Program, state: WindowState, holds = true): Promise<void> =>
  expect.poll(() => windowIs(program, state), state).toBe(holds)

const firstOf = async (control: ControlClient) => {
  const rp = (await control.call('rps.list')).rps[0]?.id ?? ''
  const phone = (await control.call('phones.list')).phones[0]?.id ?? ''
  return { rp, phone }
}

/** Who is registered on the page. */
const ALICE = { user_id: 'alice', username: 'alice' }

/** A new registration’s address, which its code holds; the phone is at home. */
const newCode = async (control: ControlClient, user = ALICE): Promise<string> => {
  const { rp, phone } = await firstOf(control)
  await control.call('phones.home', { params: { id: phone } })
  return (await control.call('simulator.register', { params: { rp }, body: { ...user, poll: false } })).url
}

const notification = (title: string) => (shown: { readonly kind: string; readonly title?: unknown }) =>
  shown.kind === 'notification' && shown.title === title

/** A trace of this many bytes: what is not said in it is a comment, which gzip skips. */
const traceOf = async (title: string, bytes?: number): Promise<Uint8Array> => {
  const packed = Buffer.from(await writeTrace({ handset: '1.0.0', workspace: 'main', title, saved: 0 }, []))
  if (bytes === undefined) return packed
  const head = Buffer.from(packed.subarray(0, 10))
  // RFC 1952 §2.3.1: FCOMMENT.
  head.writeUInt8(16, 3)
  return Buffer.concat([head, Buffer.alloc(bytes - packed.length - 1, 'x'), Buffer.of(0), packed.subarray(10)])
}

const givesUp = async (desktop: Desktop, args: readonly string[], says: RegExp): Promise<void> => {
  const { code, said } = await desktop.runToEnd(args)
  expect(said).toMatch(says)
  expect(said).not.toContain('    at ')
  expect(code).toBe(1)
}

const row = (title: string, needs: Pick<Row, 'only' | 'picture'>, play: Row['play']): Row => ({ title, ...needs, play })

const ON_X11 = { only: 'X11' } as const
const SEEN_ON_X11 = { ...ON_X11, picture: true } as const

const firstRows: readonly Row[] = [
  row('the window opens on a running service with one RP and one phone', { picture: true }, async (stage) => {
    const { desk } = running(stage)
    await expect(desk.statusBar).toHaveText(/^Running/)
    await expect(desk.phone('Alice').root).toBeVisible()
    await untilWindow(running(stage), 'isVisible')
  }),
  row('the page has its preload script’s one object, and nothing of Node', {}, async (stage) => {
    const seen = await running(stage).page.evaluate(() => {
      const page = globalThis as { handsetShell?: unknown; require?: unknown; process?: unknown }
      return { shell: page.handsetShell, node: [typeof page.require, typeof page.process] }
    })
    expect(seen).toEqual({ shell: { host: 'electron', platform: process.platform }, node: ['undefined', 'undefined'] })
  }),
  row('a phone registers by reading the code from the pixels of the window', { picture: true }, async (stage) => {
    await registerByCamera(running(stage).desk, { addPhone: false })
    await running(stage).desk.phone('Alice').done.click()
  }),
  row('a push to a minimised window is a notification that opens the request', SEEN_ON_X11, async (stage) => {
    const program = running(stage)
    await choose(program, 'Minimize')
    await untilWindow(program, 'isMinimized')
    const from = display(stage).shown.length
    const control = stage.desktop.control()
    const { rp } = await firstOf(control)
    await control.call('simulator.sign-in', { params: { rp }, body: { ...ALICE, method: 'push', poll: false } })
    const { id, body } = await untilShown(stage.desktop, notification('Demo RP'), from)
    expect(body).toContain('Alice')
    display(stage).person('click', id)
    await untilWindow(program, 'isMinimized', false)
    await untilWindow(program, 'isFocused')
    await expect(program.desk.phone('Alice').heading).toHaveText('Sign in to Demo RP?')
    await program.desk.phone('Alice').touch()
    await expect(program.desk.phone('Alice').heading).toHaveText('You’re signed in')
  }),
  row('its key scans the whole screen while the window is minimised', SEEN_ON_X11, async (stage) => {
    const program = running(stage)
    const { shown, xdotool, draw, person } = display(stage)
    const scan = async () => {
      const from = shown.length
      xdotool('key', 'ctrl+shift+9')
      return untilShown(stage.desktop, notification('Scanning the screen'), from)
    }
    await choose(program, 'Minimize')
    await untilWindow(program, 'isMinimized')
    expect((await scan()).body).toContain('no QR code')
    draw(qrPicture(await newCode(stage.desktop.control()), { scale: 6 }))
    await keepPicture(stage, 'the code on the bare screen', 0)
    expect((await scan()).body).toContain('has read the code')
    person('tray-click')
    await untilWindow(program, 'isMinimized', false)
    await expect(program.desk.phone('Alice').heading).toHaveText('Register with Demo RP?')
  }),
  row('a second instance hands over its link; a foreign link is refused', {}, async (stage) => {
    const { desktop } = stage
    const link = `handset:scan?url=${encodeURIComponent(await newCode(desktop.control()))}`
    const from = desktop.x11?.shown.length ?? 0
    const second = await desktop.runToEnd([link])
    expect(second.code).toBe(0)
    expect(second.said).toContain('runs already')
    await expect(running(stage).desk.phone('Alice').heading).toHaveText('Register with Demo RP?')
    if (desktop.x11 === undefined) return
    await untilShown(desktop, notification('Scanning a code'), from)
    await desktop.runToEnd([`handset:open?url=${encodeURIComponent('http://localhost:1/w/main/console/roots')}`])
    await untilShown(desktop, notification('This link was not followed'), from)
  }),
  row('a second instance’s link to a place of the page is that place in the window', {}, async (stage) => {
    const { page } = running(stage)
    expect((await stage.desktop.runToEnd([`${new URL(page.url()).origin}/w/main/console/roots`])).code).toBe(0)
    await expect(page.getByRole('heading', { level: 2, name: 'Trust roots' })).toBeVisible()
  }),
  row('traces that a second instance is given are on the page, also one of 256 MiB', {}, async (stage) => {
    const { desktop } = stage
    const shown = (title: string) => expect(running(stage).page.getByRole('heading', { name: title })).toBeVisible()
    const open = async (
      title: string,
      { name = (file: string): string => file, bytes = undefined as number | undefined } = {},
    ) => {
      const file = desktop.file(`${title}.handset`, await traceOf(title, bytes))
      expect((await desktop.runToEnd([name(file)])).code).toBe(0)
      await shown(title)
      rmSync(file)
    }
    await open('By name', { name: (file) => basename(file) })
    await open('By address', { name: (file) => pathToFileURL(file).href })
    const both = await Promise.all(
      ['First', 'Second'].map(async (title) => desktop.file(`${title}.handset`, await traceOf(title))),
    )
    expect((await desktop.runToEnd(both)).code).toBe(0)
    await shown('Second')
    await open('The largest', { bytes: 256 * 1024 * 1024 })
  }),
  row('no other file is a trace; notes and network belong to the page alone', {}, async (stage) => {
    const { app, page } = running(stage)
    const file = stage.desktop.file('other.handset', 'no trace')
    expect((await stage.desktop.runToEnd([file])).code).toBe(0)
    await expect(page.getByText('other.handset: ')).toBeVisible()
    const here = page.url()
    const seen = await page.evaluate(async () => {
      const named = (reason: Error): string => reason.name
      const opened = window.open('https://example.org/', 'handset-notes') === null
      const fetched = await fetch('http://127.0.0.1:9/').then(String, named)
      const shared = await navigator.mediaDevices.getDisplayMedia().then(String, named)
      const place = await new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('found'),
          ({ code }) => resolve(code),
        ),
      )
      location.assign('https://example.org/')
      return { opened, fetched, shared, place }
    })
    expect(seen).toEqual({ opened: true, fetched: 'TypeError', shared: 'NotAllowedError', place: 1 })
    expect(page.url()).toBe(here)
    expect(app.windows()).toHaveLength(1)
    // Playwright waits for the navigation that was prevented until there is another one.
    await page.goto(new URL('/w/main', here).href)
  }),
  row('the camera is asked for in a box on the screen', SEEN_ON_X11, async (stage) => {
    const { page } = running(stage)
    const camera = async (...keys: string[]) => {
      const outcome = page.evaluate(() =>
        navigator.mediaDevices.getUserMedia({ video: true }).then(
          (stream) => stream.getVideoTracks().length,
          (reason: Error) => reason.name,
        ),
      )
      await answerBox(stage, keys, () => keepPicture(stage, 'the box of the camera'))
      return outcome
    }
    expect(await camera('Escape')).toBe('NotAllowedError')
    expect(await camera('Left', 'Return')).toBe(1)
  }),
]

/** The program’s windows on the screen, boxes too. */
const windowsOnScreen = (stage: Stage): number =>
  display(stage).xdotool('search', '--onlyvisible', '--class', 'handset|electron').split('\n').filter(Boolean).length

/** Answers the box that is open by keys. */
const answerBox = async (
  stage: Stage,
  keys: readonly string[],
  look = async (): Promise<void> => undefined,
): Promise<void> => {
  await expect.poll(() => windowsOnScreen(stage), 'a box is open').toBeGreaterThan(1)
  await look()
  await expect
    .poll(() => {
      display(stage).xdotool('key', ...keys)
      return windowsOnScreen(stage)
    }, 'it is answered')
    .toBe(1)
}

const menuRows: readonly Row[] = [
  row('the menu opens under the mouse', SEEN_ON_X11, async (stage) => {
    const program = running(stage)
    const { x, y } = await program.app.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getContentBounds() ?? { x: 0, y: 0 },
    )
    display(stage).xdotool('mousemove', String(x + 15), String(y - 12))
    const before = display(stage).png().length
    display(stage).xdotool('click', '1')
    await expect.poll(() => display(stage).png().length, 'the menu is drawn').not.toBe(before)
    display(stage).xdotool('key', 'Escape')
  }),
  row('it makes the page light and dark, and the screen shows that', { picture: true }, async (stage) => {
    const program = running(stage)
    const isDark = () => program.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
    await choose(program, 'Light')
    await expect.poll(isDark).toBe(false)
    await choose(program, 'As the System')
    await choose(program, 'Dark')
    await expect.poll(isDark).toBe(true)
  }),
  row('it opens the page in a browser and the folder of the log', ON_X11, async (stage) => {
    const { desktop } = stage
    await choose(running(stage), 'Open in the Browser')
    await choose(running(stage), 'Show Logs')
    await expect.poll(() => desktop.opened().length).toBe(2)
    const [page, logs] = desktop.opened().toSorted().toReversed()
    expect(page).toMatch(/^http.*#code=/)
    expect((await fetch(String(page))).status).toBe(200)
    expect(logs).toBe(join(desktop.data, 'desktop', 'logs'))
  }),
  row('it checks before a talk that all is there, and a notification says so', ON_X11, async (stage) => {
    const from = display(stage).shown.length
    await choose(running(stage), 'Check Before a Talk')
    const { body } = await untilShown(stage.desktop, notification('Check before a talk'), from)
    expect(body).toMatch(/^Ready/)
  }),
  row('it shows on the screen what it is about', SEEN_ON_X11, async (stage) => {
    await choose(running(stage), 'About Handset')
    await expect.poll(() => windowsOnScreen(stage)).toBeGreaterThan(1)
  }),
]

const lastingRows: readonly Row[] = [
  row('the tray has its items, and brings the closed window back', ON_X11, async (stage) => {
    const program = running(stage)
    await answerBox(stage, ['Escape'])
    const from = display(stage).shown.length
    display(stage).person('tray')
    const { tip, labels } = await untilShown(stage.desktop, ({ kind }) => kind === 'tray-is', from)
    expect(tip).toBe('Handset')
    expect(labels).toEqual(['Show Handset', 'Scan a Code on the Screen', 'Open in the Browser', 'Quit Handset'])
    await choose(program, 'Keep Running When the Window Is Closed')
    await choose(program, 'Close Window')
    await expect.poll(() => program.app.windows().length).toBe(0)
    const opening = program.app.waitForEvent('window')
    display(stage).person('tray-item', 'Show Handset')
    const page = await opening
    await untilWindow(program, 'isVisible')
    await expect(deskOf(page).statusBar).toHaveText(/^Running/)
    await choose(program, 'Keep Running When the Window Is Closed')
  }),
  row('notes of a presentation that were closed do not keep the window open', {}, async (stage) => {
    const { app } = running(stage)
    const [page] = app.windows()
    await page?.getByRole('button', { name: 'Present', exact: true }).click()
    const opening = app.waitForEvent('window')
    await page?.getByRole('button', { name: 'Notes', exact: true }).click()
    const notes = await opening
    await expect(notes.locator('[data-part="notes"]')).toContainText(english.presenter.notes.key.meet)
    await keepPicture(stage, 'the notes')
    await notes.close()
    await choose(running(stage), 'Keep Running When the Window Is Closed')
    const problem = await app.evaluate(
      ({ app: program, BrowserWindow }) =>
        new Promise<string | undefined>((resolve) => {
          process.once('uncaughtException', (reason) => resolve(String(reason)))
          program.once('window-all-closed', () => setImmediate(() => resolve(undefined)))
          BrowserWindow.getAllWindows()[0]?.close()
        }),
    )
    expect(problem).toBeUndefined()
    const again = app.waitForEvent('window')
    expect((await stage.desktop.runToEnd(['handset:show'])).code).toBe(0)
    await expect(deskOf(await again).statusBar).toHaveText(/^Running/)
  }),
  row('a window that has crashed says so in a box, and is whole after a key', SEEN_ON_X11, async (stage) => {
    const { app } = running(stage)
    const loaded = app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      const done = new Promise<void>((resolve) => contents?.once('did-finish-load', () => resolve()))
      contents?.forcefullyCrashRenderer()
      return done
    })
    await answerBox(stage, ['Return'], () => keepPicture(stage, 'the box of a crash'))
    await loaded
    expect(readFileSync(join(stage.desktop.data, 'desktop/logs/handset.log'), 'utf8')).toMatch(
      /^\d{4}-\d\d-\d\dT.*crashed/m,
    )
  }),
  row('another program gives up on a port and on directories that it cannot use', {}, async ({ desktop }) => {
    const { port } = new URL(desktop.control().controlUrl)
    const at = (name: string) => ['--data', join(desktop.home, name)]
    for (const [name, text] of [
      ['held/lock', ''],
      ['newer/version', '999\n'],
      ['damaged/phones.db', 'not a database '.repeat(100)],
    ] as const) {
      desktop.file(name, text)
    }
    const lock = new Database(join(desktop.home, 'held/lock'))
    lock.exec('BEGIN EXCLUSIVE')
    await Promise.all([
      givesUp(desktop, ['--memory', '--port', port], new RegExp(port)),
      givesUp(desktop, at('held'), /in use/),
      givesUp(desktop, at('newer'), /newer/),
      givesUp(desktop, at('damaged'), /phones\.db cannot be used/),
    ])
    lock.close()
  }),
  row('it ends with 0 by SIGTERM under load', { only: 'POSIX' }, async (stage) => {
    const control = stage.desktop.control()
    const load = Array.from({ length: 20 }, () =>
      newCode(control, { user_id: 'load', username: 'load' }).catch(() => undefined),
    )
    expect(await running(stage).end('SIGTERM')).toBe(0)
    await Promise.all(load)
  }),
]

const againRows: readonly Row[] = [
  row('the passkey is still there: a user signs in by push', { picture: true }, async (stage) => {
    const { desk } = running(stage)
    await desk.rp.signInByPush()
    await desk.phone('Alice').push.click()
    await expect(desk.phone('Alice').heading).toHaveText('Sign in to Demo RP?')
    await desk.phone('Alice').touch()
    await expect(desk.phone('Alice').heading).toHaveText('You’re signed in')
    await expect(desk.rp.heading).toHaveText('Good to see you, alice')
  }),
  row('the window is in reach though its screen is gone, and dark as chosen', {}, async (stage) => {
    const { app, page } = running(stage)
    const [bounds, area] = await app.evaluate(({ BrowserWindow, screen }) => [
      BrowserWindow.getAllWindows()[0]?.getBounds(),
      screen.getPrimaryDisplay().workArea,
    ])
    expect(bounds?.x).toBeLessThan(Number(area?.width))
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
  }),
  row('another data directory opens in its place, and this program ends with 0', ON_X11, async (stage) => {
    const { desktop } = stage
    const ended = once(running(stage).app.process(), 'close')
    const other = join(desktop.home, 'other')
    await choose(running(stage), other)
    expect((await ended)[0]).toBe(0)
    await expect.poll(() => desktop.runningPid(other)).toBeGreaterThan(0)
    const pid = desktop.runningPid(other) ?? 0
    process.kill(pid, 'SIGTERM')
    await expect.poll(() => desktop.runningPid(other)).toBeUndefined()
  }),
]

const maximisedRows: readonly Row[] = [
  row('the window is shown once its page is there, and fills the screen', {}, async (stage) => {
    await untilWindow(running(stage), 'isVisible')
    const heard = await running(stage).app.evaluate(() => (globalThis as { heard?: string[] }).heard)
    // The Electron that ships is started without what notes them.
    if (heard !== undefined) expect(heard.indexOf('show'), heard.join()).toBeGreaterThan(0)
    await untilWindow(running(stage), 'isMaximized')
  }),
  row('the menu is in the language of the system', SEEN_ON_X11, async (stage) => {
    await choose(running(stage), '关于 Handset')
    await answerBox(stage, ['Escape'])
  }),
  row(
    'on a full disk the page shows 507, and with room it registers',
    { only: 'root', picture: true },
    async (stage) => {
      const { desktop } = stage
      const control = desktop.control(join(desktop.home, 'small/data'))
      const filler = join(desktop.home, 'small/filler')
      fillDisk(filler)
      const { rp } = await firstOf(control)
      const register = () => codeOf(control.call('simulator.register', { params: { rp }, body: ALICE }))
      expect(await register()).toBe(50701)
      await expect(running(stage).page.getByText('507').first()).toBeVisible()
      await keepPicture(stage, 'a full disk')
      rmSync(filler)
      await expect.poll(register).toBe(0)
    },
  ),
  row('with ctrl+q it ends with 0', ON_X11, async (stage) => {
    const ended = once(running(stage).app.process(), 'close')
    display(stage).xdotool('key', 'ctrl+q')
    expect((await ended)[0]).toBe(0)
  }),
]

const fillDisk = (file: string): void => {
  const opened = openSync(file, 'w')
  const piece = Buffer.alloc(64 * 1024)
  try {
    for (let size = piece.length; size >= 1; size = Math.floor(size / 4)) {
      try {
        for (;;) writeSync(opened, piece, 0, size)
      } catch {}
    }
  } finally {
    closeSync(opened)
  }
}

const offlineRows: readonly Row[] = [
  row('without a network its page answers, and SIGTERM ends it with 0', { only: 'root' }, async (stage) => {
    const { desktop } = stage
    const data = join(desktop.home, 'offline')
    const within = ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
    const { child, ended } = desktop.start(['--data', data], { within })
    await expect.poll(() => desktop.runningPid(data)).toBeGreaterThan(0)
    const { origin } = new URL(desktop.control(data).controlUrl)
    const ask = `fetch('${origin}/').then(({ status }) => process.stdout.write(String(status)))`
    const inside = ['-t', String(desktop.runningPid(data)), '-n', process.execPath, '-e', ask]
    expect(execFileSync('nsenter', inside, { encoding: 'utf8' })).toBe('200')
    await keepPicture(stage, 'offline')
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  }),
]

const packedRows: readonly Row[] = [
  {
    title:
      'the packed folder and the .deb start: the page answers, the window is painted, and SIGTERM ends them with 0',
    only: 'packed',
    play: async (stage) => {
      const { desktop, packed } = stage
      for (const [name, folder] of [
        ['unpacked', packed?.folder],
        ['installed', join(packed?.root ?? '', 'opt/Handset')],
      ] as const) {
        const data = join(desktop.home, name)
        const { child, ended } = desktop.start(['--data', data], { program: join(folder ?? '', 'handset') })
        await expect.poll(() => desktop.runningPid(data)).toBeGreaterThan(0)
        expect((await fetch(new URL('/', desktop.control(data).controlUrl))).status).toBe(200)
        await expect.poll(() => windowsOnScreen(stage)).toBe(1)
        await keepPicture(stage, name)
        child.kill('SIGTERM')
        expect((await ended).code).toBe(0)
      }
    },
  },
  {
    title: 'the .deb’s menu entry is valid and named after its window, with icons where menus look for them',
    only: 'packed',
    play: async ({ packed: { root } = { root: '' } }) => {
      const [file = ''] = globSync(join(root, 'usr/share/applications/*'))
      execFileSync('desktop-file-validate', [file])
      const lines = readFileSync(file, 'utf8').split('\n')
      const entry = Object.fromEntries(lines.map((line) => line.split(/=(.*)/)))
      // Electron gives it to its windows from 41.6 on; older ones have the program’s name.
      expect(`${entry.StartupWMClass}.desktop`).toBe(basename(file))
      expect(entry).toMatchObject({ Name: 'Handset', Icon: 'handset', Categories: 'Development;' })
      expect(entry.Exec).toBe('/opt/Handset/handset %U')
      const theme = readFileSync('/usr/share/icons/hicolor/index.theme', 'utf8')
      const icons = globSync('*/apps/handset.png', { cwd: join(root, 'usr/share/icons/hicolor') })
      expect(icons).toContain('48x48/apps/handset.png')
      for (const icon of icons) {
        const png = readFileSync(join(root, 'usr/share/icons/hicolor', icon))
        expect(icon).toBe(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}/apps/handset.png`)
        expect(theme.split(/[=,\n]/)).toContain(dirname(icon))
      }
    },
  },
]

/** What the program keeps of its window. */
const keep = (
  desktop: Desktop,
  data: string,
  { x, maximised }: { readonly x: number; readonly maximised: boolean },
) => {
  const window = { bounds: { x, y: 100, width: 900, height: 700 }, maximised }
  desktop.file(join(data, 'desktop/shell.json'), JSON.stringify({ v: 1, theme: 'dark', window }))
}

export const STARTS: readonly Start[] = [
  {
    title: 'at first',
    begin: async (desktop) => ({
      desktop,
      program: await desktop.launch([], { switches: ['--use-fake-device-for-media-stream'] }),
    }),
    rows: [...firstRows, ...menuRows, ...lastingRows],
  },
  {
    title: 'again',
    begin: async (desktop) => {
      keep(desktop, desktop.data, { x: 5000, maximised: false })
      desktop.file(
        join(desktop.data, 'desktop/recent.json'),
        JSON.stringify({ v: 1, folders: [join(desktop.home, 'other')] }),
      )
      mkdirSync(join(desktop.home, 'other'))
      desktop.file('other/.keep', '')
      return { desktop, program: await desktop.launch() }
    },
    rows: againRows,
  },
  {
    title: 'maximised, in Chinese, on a small disk',
    begin: async (desktop) => {
      const small = join(desktop.home, 'small')
      mkdirSync(small)
      if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m,mode=777', 'none', small])
      keep(desktop, 'small/data', { x: 100, maximised: true })
      const env = { LANGUAGE: 'zh_CN:zh', LANG: 'zh_CN.UTF-8' }
      return { desktop, program: await desktop.launch(['--data', join(small, 'data')], { env }) }
    },
    rows: maximisedRows,
  },
  { title: 'offline', begin: async (desktop) => ({ desktop }), rows: offlineRows },
  {
    title: 'packed',
    begin: async (desktop) => ({ desktop, ...(PACKS ? { packed: desktop.pack() } : {}) }),
    rows: packedRows,
  },
]
