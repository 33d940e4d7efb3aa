import { chmodSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ALICE, cast, register } from '../../support/bench.ts'
import { atDesk, demand, notification, type Run } from './desk.ts'

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

/** Three seconds are promised. */
const late = async (): Promise<never> => {
  await sleep(20_000, undefined, { ref: false })
  throw new Error('nothing is shown')
}

/** What Electron 33 on Linux does not show: Windows, macOS, packed programs, and what goes wrong there; each by its title. */
export const CHECKS = {
  'shows its window once, whether or not it is ever ready to show': (entry) =>
    atDesk(entry, async ({ start }) => {
      for (const pageEvents of [['did-finish-load', 'ready-to-show'], ['did-finish-load'], []] as const) {
        const run = start(['--memory', '--port', '0'], { pageEvents })
        const { options } = await run.until('window')
        demand((options as { show?: boolean }).show === false, 'it is hidden at first', options)
        await Promise.race([run.until('shown'), late()])
        demand((await run.stop()) === 0, 'a signal ends it with 0')
        demand(run.reports.filter(({ kind }) => kind === 'shown').length === 1, 'it is shown once', pageEvents)
      }
    }),

  'marks the taskbar of Windows while a push waits': (entry) =>
    atDesk(entry, async ({ start, control, data }) => {
      const run = start(['--data', data], { platform: 'win32' })
      await run.until('loaded')
      const client = control()
      const { rp, phone } = await cast(client)
      await register(client, { rp, phone })
      const body = { ...ALICE, method: 'push', poll: false } as const
      const { msg_id } = await client.call('simulator.sign-in', { params: { rp }, body })
      const { description } = await run.until(({ kind, image }) => kind === 'overlay' && image === true)
      demand(String(description).includes('1'), 'it is said to a reader of the screen', description)
      const from = run.reports.length
      await client.call('phones.open', { params: { id: phone }, body: { msg_id } })
      await run.until(({ kind, image }) => kind === 'overlay' && image === false, from)
    }),

  'takes the links and files that macOS hands to a running program': (entry) =>
    atDesk(entry, async ({ start, control, home, data }) => {
      const run = start(['--data', data], { platform: 'darwin' })
      await run.until('loaded')
      const client = control()
      const { rp } = await cast(client)
      const { url } = await client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
      run.tell({ do: 'open-url', url: `handset:scan?url=${encodeURIComponent(url)}` })
      demand((await run.until('opened-url')).prevented === true, 'the system is told that the link is taken care of')
      await run.until(notification('Scanning a code'))
      const { phones } = await client.call('phones.list')
      demand(phones[0]?.screen.kind === 'request', 'the phone asks', phones)
      run.tell({ do: 'open-url', url: 'handset:approve' })
      await run.until(notification('This link was not followed'))
      const file = join(home, 'it.handset')
      writeFileSync(file, 'bytes')
      run.tell({ do: 'open-file', path: file })
      demand((await run.until('opened-file')).prevented === true, 'and so it is of the file')
      await run.until('script')
      const from = run.reports.length
      run.tell({ do: 'activate' })
      await run.until('focused', from)
      run.tell({ do: 'window', action: 'close' })
      await run.until('closed', from)
      run.tell({ do: 'activate' })
      await run.until('window', from)
    }),

  'gives up with a reason when the start throws, and packed in a box once there can be one': (entry) =>
    atDesk(entry, async ({ start, data }) => {
      mkdirSync(data)
      writeFileSync(join(data, 'desktop'), 'a file where a folder should be')
      await givesUp(start(), /unexpected error/)
      await boxed(start([], { ...PACKED, platform: 'linux' }), /unexpected error/)
    }),

  'offers to try again when the page cannot be loaded': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start(['--memory', '--port', '0'], { failLoads: 1, answers: [0] })
      const { message } = await run.until('message-box')
      demand(String(message).includes('could not be loaded'), 'the person is told', message)
      await run.until('loaded')
      const hopeless = start(['--memory', '--port', '0'], { failLoads: 9, answers: [0, 1] })
      demand((await hopeless.ended) === 0, 'and may quit')
    }),

  'does not start packed with a switch that opens its window to others': (entry) =>
    atDesk(entry, async ({ start }) => {
      await boxed(start(['--remote-debugging-port=9222', '--memory'], PACKED), /let other programs into its window/)
      await boxed(start(['--no-sandbox', '--memory'], PACKED), /sandbox/)
    }),

  'is sandboxed and without developer tools when packed, and takes its links behind two dashes': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start([], PACKED)
      await run.until('loaded')
      const kinds = run.reports.map(({ kind }) => kind)
      demand(kinds.includes('sandbox'), 'every page is sandboxed', kinds)
      const { options } = await run.until('window')
      const { webPreferences } = options as { webPreferences: { devTools?: boolean; sandbox?: boolean } }
      demand(webPreferences.devTools === false && webPreferences.sandbox === true, 'its page is shut', webPreferences)
      const { args } = await run.until('protocol')
      demand(JSON.stringify(args) === '["--"]', 'a link from Windows comes behind two dashes', args)
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
} as const satisfies Readonly<Record<string, (entry: string | undefined) => Promise<void>>>

/** The image in it is a script, which Windows does not run. */
export const POSIX_ONLY: ReadonlySet<string> = new Set<keyof typeof CHECKS>([
  'opens again from an AppImage, which is gone with its program',
])
