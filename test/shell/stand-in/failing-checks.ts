import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atDesk, demand, linkTo, registrationCode } from './desk.ts'
import type { Run } from './run.ts'
import type { Checks } from './straight-checks.ts'

const PACKED = { packaged: true } as const

/** Without a window the reason is all that a person gets: on the terminal, and packed in a box as well. */
const givesUp = async (run: Run, says: RegExp): Promise<void> => {
  const shown = run.until('window').catch(() => undefined)
  demand((await Promise.race([run.ended, shown])) === 1, 'it ends with 1', run.output())
  demand(says.test(run.output()), `it says ${says}`, run.output())
  demand(!run.output().includes('    at '), 'without a stack', run.output())
  demand(!run.reports.some(({ kind }) => kind === 'window'), 'and without a window')
}

const boxed = async (run: Run, says: RegExp): Promise<void> => {
  await givesUp(run, says)
  const box = run.reports.find(({ kind }) => kind === 'error-box')
  demand(says.test(String(box?.content)), `the box says ${says}`, box)
}

export const FAILING_CHECKS = {
  'gives up on a damaged phones.db, by name': (entry) =>
    atDesk(entry, async ({ start, data }) => {
      mkdirSync(data)
      writeFileSync(join(data, 'phones.db'), 'not a database '.repeat(100))
      await givesUp(start(), /phones\.db cannot be used/)
      await boxed(start([], PACKED), /phones\.db cannot be used/)
    }),

  'gives up on a port that is taken': (entry) =>
    atDesk(entry, async ({ start }) => {
      const server = createServer()
      const port = await new Promise<number>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
      )
      await givesUp(start(['--memory', '--port', String(port)]), new RegExp(String(port)))
      server.close()
    }),

  'gives up with a reason when the start throws, and packed in a box once there can be one': (entry) =>
    atDesk(entry, async ({ start, data }) => {
      mkdirSync(data)
      writeFileSync(join(data, 'desktop'), 'a file where a folder should be')
      await givesUp(start(), /unexpected error/)
      await boxed(start([], { ...PACKED, platform: 'linux' }), /unexpected error/)
    }),

  'says in its window that the page was not built': (entry) =>
    atDesk(entry, async ({ start }) => {
      const root = join(import.meta.dirname, '../../..')
      const bare = mkdtempSync(join(tmpdir(), 'handset-bare-'))
      for (const name of ['package.json', 'out/main', 'out/preload']) {
        cpSync(join(root, name), join(bare, name), { recursive: true })
      }
      symlinkSync(join(root, 'node_modules'), join(bare, 'node_modules'), 'junction')
      const main = entry === undefined ? 'index.js' : (entry.split(/[\\/]/).at(-1) ?? '')
      const run = start(['--memory', '--port', '0'], { entry: join(bare, 'out/main', main) })
      const page = await run.page()
      demand(/built|build/.test(await page.locator('body').innerText()), 'the window says so')
      rmSync(bare, { recursive: true, maxRetries: 10, retryDelay: 100 })
    }),

  'offers to try again when the page cannot be loaded, and when it has crashed': (entry) =>
    atDesk(entry, async ({ start, data }) => {
      const run = start([], { failLoads: 1, answers: [0, 0] })
      const { message } = await run.until('message-box')
      demand(String(message).includes('could not be loaded'), 'the person is told', message)
      await run.until('loaded')
      const from = run.reports.length
      run.tell({ do: 'window', action: 'crash' })
      await run.until('gone', from)
      const told = run.reports.slice(from).find(({ kind }) => kind === 'message-box')
      demand(String(told?.message).includes('crashed'), 'the person is told', told)
      await run.until('loaded', from)
      const log = readFileSync(join(data, 'desktop/logs/handset.log'), 'utf8')
      demand(/^\d{4}-\d\d-\d\dT.*crashed/m.test(log), 'and the log tells it', log)
      const hopeless = start(['--memory', '--port', '0'], { failLoads: 9, answers: [0, 1] })
      demand((await hopeless.ended) === 0, 'and may quit')
    }),

  'does not start packed with a switch that opens its window to others': (entry) =>
    atDesk(entry, async ({ start }) => {
      await boxed(start(['--remote-debugging-port=9222', '--memory'], PACKED), /let other programs into its window/)
      await boxed(start(['--no-sandbox', '--memory'], PACKED), /sandbox/)
    }),

  'is sandboxed and without developer tools when packed, and takes its links behind two dashes': (entry) =>
    atDesk(entry, async ({ start, control }) => {
      const run = start([], PACKED)
      await run.until('loaded')
      demand(
        run.reports.some(({ kind }) => kind === 'sandbox'),
        'every page is sandboxed',
      )
      const { options } = await run.until('window')
      const { webPreferences } = options as { webPreferences: { devTools?: boolean; sandbox?: boolean } }
      demand(webPreferences.devTools === false && webPreferences.sandbox === true, 'its page is shut', webPreferences)
      const { args } = await run.until('protocol')
      demand(JSON.stringify(args) === '["--"]', 'a link from Windows comes behind two dashes', args)
      const second = start(['--', linkTo(await registrationCode(control()))], PACKED)
      demand((await second.ended) === 0, 'such a link is followed')
      await run.until(({ kind, title }) => kind === 'notification' && title === 'Scanning a code')
    }),

  'shows its window where there is no tray': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start(['--memory', '--port', '0'], { tray: 'failing' })
      await run.until('shown')
      await run.says('tray icon could not be shown')
      run.tell({ do: 'menu', label: 'Quit Handset' })
      demand((await run.ended) === 0, 'its menu works')
    }),

  'answers in a box where no notification can be shown': (entry) =>
    atDesk(entry, async ({ start }) => {
      for (const notifications of ['unsupported', 'failing'] as const) {
        const run = start(['--memory', '--port', '0'], { notifications, answers: [0] })
        await run.until('loaded')
        run.tell({ do: 'open-url', url: 'handset:nothing' })
        const { message } = await run.until('message-box')
        demand(message === 'This link was not followed', 'the person is told', message)
      }
    }),

  'has macOS ask for the screen, and says what to do after a no': (entry) =>
    atDesk(entry, async ({ start }) => {
      for (const [screenPrompt, says] of [
        ['yes', /no QR code/],
        ['no', /privacy settings/],
      ] as const) {
        const run = start(['--memory', '--port', '0'], { platform: 'darwin', screenAccess: 'denied', screenPrompt })
        await run.until('loaded')
        run.tell({ do: 'menu', label: 'Scan a Code on the Screen' })
        const { body } = await run.until(
          ({ kind, title }) => kind === 'notification' && title === 'Scanning the screen',
        )
        demand(
          run.reports.some(({ kind }) => kind === 'screen-prompt'),
          'the system asks',
        )
        demand(says.test(String(body)), `it says ${says}`, body)
      }
    }),

  'opens again for whoever asks for it while it closes': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start(['--memory', '--port', '0'])
      await run.until('loaded')
      run.tell({ do: 'quit-and-second-instance', data: { v: 1, args: ['handset:show'] } })
      const { relaunch } = await run.until('exit')
      demand(JSON.stringify(relaunch ?? []).includes('"--","handset:show"'), 'a new one is started for it', relaunch)
    }),

  'opens again from an AppImage, which is gone with its program': (entry) =>
    atDesk(entry, async ({ start, home }) => {
      const image = join(home, 'Handset.AppImage')
      const opened = join(home, 'opened')
      mkdirSync(opened)
      writeFileSync(
        image,
        `#!/bin/sh\necho "$@" > "${opened}/arguments.new"\nmv "${opened}/arguments.new" "${opened}/arguments"\n`,
      )
      chmodSync(image, 0o755)
      const run = start(['--memory', '--port', '0'], { ...PACKED, env: { APPIMAGE: image } })
      await run.until('loaded')
      const written = new Promise<void>((resolve) => {
        const watcher = watch(opened, (_, name) => {
          if (name !== 'arguments') return
          watcher.close()
          resolve()
        })
      })
      run.tell({ do: 'quit-and-second-instance', data: { v: 1, args: ['handset:show'] } })
      const { relaunch } = await run.until('exit')
      demand(relaunch === undefined, 'Electron does not wait for it', relaunch)
      await written
      demand(readFileSync(join(opened, 'arguments'), 'utf8') === '-- handset:show\n', 'the image is started again')
    }),
} as const satisfies Checks

/** The image in it is a script, which Windows does not run. */
export const POSIX_ONLY: ReadonlySet<string> = new Set<keyof typeof FAILING_CHECKS>([
  'opens again from an AppImage, which is gone with its program',
])
