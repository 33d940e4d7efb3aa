import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { parseStartBench } from './bench-options.ts'
import { type Environment, findOnPath, makeCommand, waitForChild, waitForStop } from './command.ts'
import {
  electronInstaller,
  electronProgram,
  openElectron,
  type Surroundings,
  sandboxObstacle,
  windowObstacle,
} from './electron.ts'
import { defaultConfig } from './find-project-file.ts'
import { QUIET_LOG } from './log.ts'
import { browserOpener, openBrowser, openWindowFolder, type WindowFolder, writeRedirectPage } from './open-browser.ts'
import { offerNewAddress, readyText } from './ready.ts'
import { failIfLost, launchBench, prepareData, warnIfNoPage } from './serve.ts'

type ShownPage = {
  /** Resolves when the person closes the window or, without one, when the program is stopped. */
  readonly closedByPerson: Promise<void>
  end(): Promise<void>
}

type Invite = () => string

export const showPage = (
  host: WindowHost,
  invite: Invite,
  { environment, dataDirectory }: { readonly environment: Environment; readonly dataDirectory: string | undefined },
): ShownPage => {
  const folder = host.kind === 'none' ? undefined : openWindowFolder(dataDirectory)
  const window = folder === undefined ? undefined : open(host, invite, { environment, folder })
  if (window === undefined && host.kind === 'none') {
    environment.terminal.out(`No window: ${host.why}. Open the page's address above in a browser.`)
  }
  return {
    closedByPerson: windowClosed(window, environment),
    end: async () => {
      if (window !== undefined) await endWindow(window)
      folder?.remove()
    },
  }
}

const open = (
  host: WindowHost,
  invite: Invite,
  { environment, folder }: { readonly environment: Environment; readonly folder: WindowFolder },
): ChildProcess | undefined => {
  const { out } = environment.terminal
  if (host.kind === 'app-window') {
    out(`Opening a window in ${host.name}: ${host.why}.`)
    return spawn(
      host.program,
      [
        `--app=${writeRedirectPage(folder.path, invite())}`,
        `--user-data-dir=${join(folder.path, 'window')}`,
        '--window-size=1440,900',
        '--no-first-run',
        '--no-default-browser-check',
      ],
      { stdio: 'ignore' },
    )
  }
  const opened = openBrowser(invite(), { folder: folder.path, environment })
  out(
    opened
      ? `Opening the page in the default browser: ${host.why}.`
      : `No window: ${host.why}. Open the page's address above in a browser.`,
  )
  return undefined
}

const windowClosed = async (window: ChildProcess | undefined, { terminal, stop }: Environment): Promise<void> => {
  const code = window === undefined ? undefined : await waitForChild(window)
  if (code === 0) return
  if (code !== undefined && !stop.aborted) {
    terminal.error(`The window could not be opened (${code}). Open the page’s address above in a browser.`)
  }
  await waitForStop(stop)
}

/** Ends the window, by force if needed: only then can its profile be removed. */
const endWindow = async (window: ChildProcess): Promise<void> => {
  if (window.exitCode !== null || window.signalCode !== null || window.pid === undefined) return
  const ended = waitForChild(window)
  window.kill()
  const limit = setTimeout(() => window.kill('SIGKILL'), 1000)
  await ended
  clearTimeout(limit)
}

type WindowHost =
  | { readonly kind: 'electron'; readonly program: string; readonly why: string }
  | { readonly kind: 'app-window'; readonly program: string; readonly name: string; readonly why: string }
  | { readonly kind: 'browser'; readonly why: string }
  | { readonly kind: 'none'; readonly why: string }

export const chooseWindowHost = (surroundings: Surroundings): WindowHost => {
  const obstacle = windowObstacle(surroundings)
  if (obstacle !== undefined) {
    const isSeen = surroundings.isRoot === true && browserOpener(surroundings) !== undefined
    return { kind: isSeen ? 'browser' : 'none', why: obstacle }
  }
  const electron = usableElectron(surroundings)
  if (electron.ok) return { kind: 'electron', program: electron.value, why: 'Electron is installed' }
  const chromium = chromiumProgram(surroundings)
  if (chromium !== undefined) return { kind: 'app-window', ...chromium, why: electron.error }
  return browserOpener(surroundings) === undefined
    ? { kind: 'none', why: `${electron.error}, and there is no browser` }
    : { kind: 'browser', why: `${electron.error}, and there is no Chromium` }
}

const usableElectron = (surroundings: Surroundings): Result<string, string> => {
  const { root } = surroundings
  const program = existsSync(join(root, 'out/main/index.js')) ? electronProgram(root) : undefined
  if (program === undefined) return err('Electron is not installed')
  const denied = sandboxObstacle(program, surroundings)
  return denied === undefined ? ok(program) : err(denied)
}

const ON_PATH = [
  ['google-chrome', 'Chrome'],
  ['google-chrome-stable', 'Chrome'],
  ['chromium', 'Chromium'],
  ['chromium-browser', 'Chromium'],
  ['microsoft-edge', 'Edge'],
  ['microsoft-edge-stable', 'Edge'],
] as const

const AS_FILES: Readonly<Partial<Record<NodeJS.Platform, readonly (readonly [string, string])[]>>> = {
  darwin: [
    ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', 'Chrome'],
    ['/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge', 'Edge'],
    ['/Applications/Chromium.app/Contents/MacOS/Chromium', 'Chromium'],
  ],
  win32: [
    ['Google\\Chrome\\Application\\chrome.exe', 'Chrome'],
    ['Microsoft\\Edge\\Application\\msedge.exe', 'Edge'],
  ],
}

const chromiumProgram = (
  surroundings: Surroundings,
): { readonly program: string; readonly name: string } | undefined => {
  const { env, platform } = surroundings
  const folders = platform === 'win32' ? [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA] : ['']
  for (const [file, name] of AS_FILES[platform] ?? []) {
    const program = folders.map((folder) => (folder ? join(folder, file) : file)).find((path) => existsSync(path))
    if (program !== undefined) return { program, name }
  }
  if (platform === 'win32' || platform === 'darwin') return undefined
  for (const [command, name] of ON_PATH) {
    const program = findOnPath(command, surroundings)
    if (program !== undefined) return { program, name }
  }
  return undefined
}

export const start = makeCommand(
  {
    name: 'start',
    usage: '[OPTIONS]',
    more: [
      'The window is the first that works: Electron, an installed Chromium, Chrome or Edge, the default browser.',
      'Without --data or --memory everything is kept where this system keeps the data of programs.',
    ],
    defaults: async (given, { terminal }) => defaultConfig('start', given, terminal),
  },
  async ({ options, named, file }, environment, args) => {
    const wanted = parseStartBench(options, environment, named)
    const { dataDirectory } = wanted
    prepareData('start', { dataDirectory, named }, environment)
    const host: WindowHost =
      options['no-window'] === true ? { kind: 'none', why: 'none was wanted' } : chooseWindowHost(environment)
    if (host.kind === 'electron') {
      environment.terminal.out(`Opening a window of its own: ${host.why}.`)
      // Electron reads arguments and variables only.
      const found = file === undefined ? [] : ['--config', String(file.values.config)]
      return openElectron(host.program, environment, [...found, ...args])
    }
    const bench = await launchBench(wanted, environment, QUIET_LOG)
    environment.terminal.out(readyText(bench, { ...wanted, config: options.config }, environment))
    warnIfNoPage(environment, 'start')
    const window = showPage(host, bench.invite, { environment, dataDirectory })
    if (host.kind !== 'none' && couldBeDesktop(environment)) {
      environment.terminal.out(
        'The desktop program has a window of its own, notifications and a tray: npm run desktop.',
      )
    }
    offerNewAddress(bench, environment)
    const lost = await Promise.race([waitForStop(environment.stop), window.closedByPerson, bench.lost])
    environment.terminal.out('\nStopping.')
    await Promise.all([bench.close(), window.end()])
    return failIfLost(typeof lost === 'object' ? lost : undefined)
  },
)

const couldBeDesktop = (environment: Environment): boolean =>
  environment.isRoot !== true &&
  electronProgram(environment.root) === undefined &&
  electronInstaller(environment.root) !== undefined
