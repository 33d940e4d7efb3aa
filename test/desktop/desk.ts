import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import * as fs from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { type ElectronApplication, _electron as electron, expect, type Page } from '@playwright/test'
import { defaultDataDirectory } from '../../src-main/cli/command.ts'
import { type ControlClient, createControlClient } from '../../src-main/sdk/client.ts'
import { readRunningBench } from '../../src-main/service/store/announce-bench.ts'
import type { Picture } from '../../src-main/testing/scenario/qr-picture.ts'
import { desk as deskOf, type Desk as PageDesk } from '../e2e/support/pages/desk.ts'
import { encodePng } from '../support/camera/encode-png.ts'
import { ROOT } from '../support/imports.ts'
import { spawnTied } from '../support/spawn-tied.ts'
import { type Packed, type Prepared, packProgram, prepareElectron33 } from './electron-33.ts'

/** `shipped`: the Electron of package.json, as GitHub's runners have it; else the one that npm carries. */
export const SHIPPED = process.env.HANDSET_DESKTOP_ELECTRON === 'shipped'
export const IS_X11 = process.platform === 'linux' && process.env.HANDSET_DESKTOP_DISPLAY !== 'wayland'
const MEASURES = process.env.MEASURE_LATENCY !== undefined
const SCREEN = MEASURES ? { width: 3840, height: 2160 } : { width: 1920, height: 1200 }

/** What the desktop’s services were given: a notification, a tray item. */
export type Shown = { readonly kind: string } & Readonly<Record<string, unknown>>

export type Program = {
  readonly app: ElectronApplication
  readonly page: Page
  readonly desk: PageDesk
  output(): string
  /** Ends it by a signal; gives its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export type Started = { readonly child: ChildProcess; readonly ended: Promise<Ended> }

export type Ended = { readonly code: number | null; readonly said: string }

type Setting = {
  readonly env?: NodeJS.ProcessEnv
  /** What starts it in another way: a network of its own, for example. */
  readonly within?: readonly string[]
  /** Of Chromium. */
  readonly switches?: readonly string[]
  /** A packed one, in the place of Electron with the built program. */
  readonly program?: string
}

/** One person’s desktop: a display, its services, and a home folder in which programs share their data. */
export type Desktop = Awaited<ReturnType<typeof openDesktop>>

/** Ends with us; as the plain user where we are none. */
const startTied = (
  command: readonly string[],
  prepared: Prepared,
  options: Parameters<typeof spawnTied>[2],
): ChildProcess => {
  const [program = '', ...args] = asPlainUser(command, prepared)
  return spawnTied(program, args, options)
}

const asPlainUser = (command: readonly string[], { user }: Prepared): readonly string[] =>
  user === undefined
    ? command
    : ['setpriv', '--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups', '--', ...command]

const firstLine = async (from: Readable): Promise<string> =>
  String((await once(createInterface({ input: from }), 'line'))[0])

/** The framebuffer of Xvfb: a file of X’s own kind of picture, which is also written to. */
const framebuffer = (file: string) => {
  const head = (): { at: number; line: number } => {
    const bytes = fs.readFileSync(file).subarray(0, 100)
    const word = (place: number): number => bytes.readUInt32BE(place * 4)
    return { at: word(0) + word(19) * 12, line: word(12) }
  }
  return {
    png: (): Uint8Array<ArrayBuffer> => {
      const { at, line } = head()
      const bytes = fs.readFileSync(file)
      const { width, height } = SCREEN
      const rgba = Buffer.alloc(width * height * 4, 255)
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const [from, to] = [at + y * line + x * 4, (y * width + x) * 4]
          rgba[to] = bytes[from + 2] ?? 0
          rgba[to + 1] = bytes[from + 1] ?? 0
          rgba[to + 2] = bytes[from] ?? 0
        }
      }
      return encodePng({ width, height, rgba })
    },
    /** Draws it into the lower right corner, where no window is. */
    draw: ({ width, height, rgba }: Picture): void => {
      const { at, line } = head()
      const opened = fs.openSync(file, 'r+')
      for (let y = 0; y < height; y++) {
        const place = at + (SCREEN.height - height + y) * line + (SCREEN.width - width) * 4
        fs.writeSync(opened, rgba, y * width * 4, width * 4, place)
      }
      fs.closeSync(opened)
    },
  }
}

/** Without them it would be waited for the display, or for the services. */
const needPrograms = (): void => {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const forPacking = SHIPPED ? [] : ['unzip', 'desktop-file-validate', 'dpkg-deb']
  const programs = ['Xvfb', 'dbus-daemon', 'openbox', 'xdotool', ...forPacking]
  const lacking = programs.filter((name) => !folders.some((folder) => fs.existsSync(join(folder, name))))
  if (spawnSync('/usr/bin/python3', ['-c', 'import dbus, gi']).status !== 0) lacking.push('python3-dbus and python3-gi')
  if (lacking.length > 0)
    throw new Error(`There is no ${lacking.join(', ')}. Install what test/desktop/debian.txt lists.`)
}

/** Display, window manager, D-Bus and the services on it. */
const openX11 = async (scratch: string, prepared: Prepared) => {
  const screen = join(scratch, 'screen')
  fs.mkdirSync(screen)
  const size = `${SCREEN.width}x${SCREEN.height}x24`
  const xvfb = spawnTied(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', size, '-fbdir', screen, '-nolisten', 'tcp', '-ac'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  const display = `:${await firstLine(xvfb.stdio[3] as Readable)}`
  const bus = startTied(
    ['dbus-daemon', '--session', '--nofork', '--print-address=1', `--address=unix:dir=${scratch}`],
    prepared,
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const env = { DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: await firstLine(bus.stdout as Readable) }
  const manager = startTied(['openbox', '--sm-disable'], prepared, {
    stdio: 'ignore',
    env: { ...process.env, ...env, HOME: scratch },
  })
  const script = fs.readFileSync(join(import.meta.dirname, 'desk.py'), 'utf8')
  const services = startTied(['/usr/bin/python3', '-uc', script], prepared, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const shown: Shown[] = []
  const news = new EventEmitter()
  createInterface({ input: services.stdout as Readable }).on('line', (line) => {
    shown.push(JSON.parse(line))
    news.emit('shown')
  })
  await once(news, 'shown')
  return {
    env,
    shown,
    person: (what: string, value: unknown = ''): void =>
      void (services.stdin as Writable).write(`${JSON.stringify({ what, value })}\n`),
    xdotool: (...args: readonly string[]): string => {
      try {
        return execFileSync('xdotool', args, {
          env: { ...process.env, ...env },
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      } catch {
        // It finds no window.
        return ''
      }
    },
    ...framebuffer(join(screen, 'Xvfb_screen0')),
    close: (): void => {
      for (const each of [services, manager, bus, xvfb]) each.kill()
    },
  }
}

export const openDesktop = async () => {
  if (IS_X11) needPrograms()
  const scratch = fs.mkdtempSync(join(tmpdir(), 'handset-desktop-'))
  fs.chmodSync(scratch, 0o755)
  const prepared = SHIPPED ? { program: '', folder: ROOT } : await prepareElectron33(scratch)
  const x11 = IS_X11 ? await openX11(scratch, prepared) : undefined
  const home = join(scratch, 'home')
  const bin = join(scratch, 'bin')
  const opened = join(scratch, 'opened')
  for (const folder of [home, bin]) fs.mkdirSync(folder)
  const own = (folder: string): void => {
    const { user } = prepared
    if (user !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  }
  own(home)
  fs.writeFileSync(opened, '')
  fs.chmodSync(opened, 0o666)
  // What a desktop opens in other programs.
  fs.writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 })
  const base: NodeJS.ProcessEnv = {
    ...process.env,
    ...x11?.env,
    ...{ HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: join(home, 'config'), LOCALAPPDATA: home },
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    LANG: 'en_GB.UTF-8',
    HANDSET_PORT: '0',
  }
  delete base.NODE_OPTIONS
  const data = defaultDataDirectory({ env: base, platform: process.platform })
  const programs: Program[] = []

  const startOf = (args: readonly string[], { env = {}, switches = [] }: Setting) => ({
    args: [...switches, prepared.folder, ...(SHIPPED ? ['--'] : []), ...args],
    env: { ...base, ...env },
  })

  /** A script, since Playwright starts one program with arguments of its own. */
  const script = join(bin, 'start')
  const quoted = asPlainUser([prepared.program], prepared).map((each) => `'${each}'`)
  fs.writeFileSync(script, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o755 })

  /** Without Playwright. */
  const start = (given: readonly string[], setting: Setting = {}): Started => {
    const { program, within = [] } = setting
    const { args, env } = startOf(given, setting)
    const electronProgram = SHIPPED ? shippedProgram() : prepared.program
    const [first = '', ...others] = [...within, ...asPlainUser([program ?? electronProgram], prepared)]
    const child = spawn(first, [...others, ...(program === undefined ? args : given)], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)))
    return { child, ended: once(child, 'close').then(([code]) => ({ code, said: said.join('') })) }
  }

  return {
    home,
    data,
    x11,
    file: (name: string, bytes: Uint8Array | string): string => {
      const path = resolve(home, name)
      fs.mkdirSync(dirname(path), { recursive: true })
      fs.writeFileSync(path, bytes)
      own(home)
      return path
    },
    /** What other programs were asked to open. */
    opened: (): readonly string[] => fs.readFileSync(opened, 'utf8').split('\n').slice(0, -1),
    launch: async (args: readonly string[] = [], setting: Setting = {}): Promise<Program> => {
      const { args: given, env } = startOf(args, setting)
      const app = await electron.launch({
        ...(SHIPPED ? {} : { executablePath: script }),
        args: given,
        cwd: home,
        env: env as Record<string, string>,
        chromiumSandbox: true,
        colorScheme: null,
      })
      const said: string[] = []
      for (const stream of [app.process().stdout, app.process().stderr])
        stream?.on('data', (text) => said.push(String(text)))
      const page = await app.firstWindow()
      await page.waitForURL(/^http:/)
      const program: Program = {
        app,
        page,
        desk: deskOf(page),
        output: () => said.join(''),
        end: async (signal) => {
          const child = app.process()
          const ended = child.exitCode === null ? once(child, 'close') : undefined
          if (signal === undefined) await app.close()
          else child.kill(signal)
          await ended
          programs.splice(programs.indexOf(program), 1)
          return child.exitCode
        },
      }
      programs.push(program)
      return program
    },
    start,
    pack: (): Packed => packProgram(prepared, join(scratch, 'packed')),
    /** Starts it as a file manager or a browser does, until it ends by itself. */
    runToEnd: (args: readonly string[], setting: Setting = {}): Promise<Ended> => start(args, setting).ended,
    control: (at = data): ControlClient => {
      const running = readRunningBench(at)
      if (!running.ok || running.value === undefined) throw new Error(`no bench runs in ${at}`)
      return createControlClient({ controlUrl: running.value.control_url, token: running.value.token })
    },
    runningPid: (at: string): number | undefined => {
      const running = readRunningBench(at)
      return running.ok ? running.value?.pid : undefined
    },
    close: async (): Promise<void> => {
      for (const { app } of [...programs]) await app.close().catch(() => undefined)
      x11?.close()
      if (fs.existsSync(join(home, 'small'))) spawnSync('umount', [join(home, 'small')])
      await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

const shippedProgram = (): string => {
  const folder = join(ROOT, 'node_modules/electron')
  return join(folder, 'dist', fs.readFileSync(join(folder, 'path.txt'), 'utf8').trim())
}

/** Waits for what the desktop’s services are given, from a place on. */
/** A program that hangs is not waited for. */
export const kill = ({ app }: Program): void => void app.process().kill('SIGKILL')

export const untilShown = async ({ x11 }: Desktop, fits: (shown: Shown) => boolean, from = 0): Promise<Shown> => {
  let found: Shown | undefined
  await expect
    .poll(() => {
      found = x11?.shown.slice(from).find(fits)
      return found !== undefined || x11?.shown.slice(from)
    }, 'what the desktop shows')
    .toBe(true)
  return found as Shown
}
