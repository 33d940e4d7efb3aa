import { expect } from '@playwright/test'
import { writeTrace } from '../../src-main/trace/write-trace.ts'
import { registerByCamera } from '../e2e/support/register-by-camera.ts'
import { type Desktop, IS_X11, type Program } from './desk.ts'

export type Stage = { readonly desktop: Desktop; program?: Program }

export type Row = {
  /** What is done, and what must be seen in the page and on the screen. */
  readonly title: string
  /** Where alone it can be seen. */
  readonly only?: 'X11'
  /** A picture of the whole screen is kept. */
  readonly picture?: true
  play(stage: Stage): Promise<void>
}

export const missing = ({ only }: Row): string | undefined =>
  only === 'X11' && !IS_X11 ? 'needs a display of X11 and its services' : undefined

type Start = {
  readonly title: string
  begin(desktop: Desktop): Promise<Stage>
  readonly rows: readonly Row[]
}

const running = ({ program }: Stage): Program => {
  if (program === undefined) throw new Error('the program does not run')
  return program
}

const first: Start = {
  title: 'started for the first time',
  begin: async (desktop) => ({ desktop, program: await desktop.launch() }),
  rows: [
    {
      title: 'the window opens on a running service with one RP and one phone, and the screen shows it',
      picture: true,
      play: async (stage) => {
        const { desk, app } = running(stage)
        await expect(desk.statusBar).toHaveText(/^Running/)
        await expect(desk.phone('Alice').root).toBeVisible()
        expect(
          await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((each) => each.isVisible())),
        ).toEqual([true])
      },
    },
    {
      title: 'a phone registers by reading the code from the pixels of the window',
      picture: true,
      play: async (stage) => {
        await registerByCamera(running(stage).desk, { addPhone: false })
      },
    },
  ],
}

/** A trace of this many bytes: what is not said in it is a comment, which gzip skips. */
const traceOf = async (title: string, bytes?: number): Promise<Uint8Array> => {
  const packed = Buffer.from(await writeTrace({ handset: '1.0.0', workspace: 'main', title, saved: 0 }, []))
  if (bytes === undefined) return packed
  const head = Buffer.from(packed.subarray(0, 10))
  // RFC 1952 §2.3.1: FCOMMENT.
  head.writeUInt8(16, 3)
  return Buffer.concat([head, Buffer.alloc(bytes - packed.length - 1, 'x'), Buffer.of(0), packed.subarray(10)])
}

const traces: Start = {
  title: 'asked for files and notes',
  begin: async (desktop) => ({ desktop, program: await desktop.launch() }),
  rows: [
    {
      title: 'a trace of 256 MiB that a second instance is given is on the page',
      play: async (stage) => {
        const file = stage.desktop.file('largest.handset', await traceOf('The largest', 256 * 1024 * 1024))
        expect((await stage.desktop.runToEnd([file])).code).toBe(0)
        await expect(running(stage).page.getByRole('heading', { name: 'The largest' })).toBeVisible()
      },
    },
    {
      title: 'closed before the main window, the notes do not keep the program from its end',
      play: async (stage) => {
        const { app, page } = running(stage)
        const opening = app.waitForEvent('window')
        await page.evaluate(() => void window.open('/w/main/present/key/notes', 'handset-notes'))
        const notes = await opening
        await notes.close()
        expect(await running(stage).end()).toBe(0)
      },
    },
  ],
}

const maximised: Start = {
  title: 'maximised at its last end',
  begin: async (desktop) => {
    const kept = { v: 1, window: { bounds: { x: 100, y: 100, width: 900, height: 700 }, maximised: true } }
    desktop.file('handset/desktop/shell.json', JSON.stringify(kept))
    return { desktop, program: await desktop.launch([]) }
  },
  rows: [
    {
      title: 'the window is shown once its page is there, and fills the screen',
      play: async (stage) => {
        const { app } = running(stage)
        const heard = () => app.evaluate(() => (globalThis as { heard?: string[] }).heard)
        await expect.poll(heard).toContain('show')
        expect((await heard())?.[0]).not.toBe('show')
        const isMaximised = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMaximized())
        await expect.poll(isMaximised).toBe(true)
      },
    },
  ],
}

export const STARTS: readonly Start[] = [first, traces, maximised]
