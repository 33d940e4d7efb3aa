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
import { browserOpener, openBrowser, openWindowFolder, writeRedirectPage } from './open-browser.ts'
import { offerNewAddress, readyText } from './ready.ts'
import { failIfLost, launchBench, prepareData, warnIfNoPage } from './serve.ts'

export const showPage = (
  host: WindowHost,
  invite: () => string,
  { environment, dataDirectory }: { readonly environment: Environment; readonly dataDirectory: string | undefined },
) => {
  const { out } = environment.terminal
  const folder = host.kind === 'none' ? undefined : openWindowFolder(dataDirectory)
  let window: ChildProcess | undefined
  if (host.kind === 'app-window' && folder !== undefined) {
    out(`Opening a window in ${host.name}: ${host.why}.`)
    const own = [`--app=${writeRedirectPage(folder.path, invite())}`, `--user-data-dir=${join(folder.path, 'window')}`]
    const usual = ['--window-size=1440,900', '--no-first-run', '--no-default-browser-check']
    window = spawn(host.program, [...own, ...usual], { stdio: 'ignore' })
  } else {
    const opened = folder !== undefined && openBrowser(invite(), { folder: folder.path, environment })
    out(
      opened
        ? `Opening the page in the default browser: ${host.why}.`
        : `No window: ${host.why}. Open the page's address above in a browser.`,
    )
  }
  return {
    /** Resolves when the person closes the window or, without one, when the program is stopped. */
    closedByPerson: windowClosed(window, environment),
    end: async (): Promise<void> => {
      if (window !== undefined) await endWindow(window)
      folder?.remove()
    },
  }
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

/** Where Chromium and its kin are: files on macOS, below a folder for programs on Windows, elsewhere names on the PATH. */
const CHROMIUMS: Readonly<Record<'darwin' | 'win32' | 'others', readonly (readonly [string, string])[]>> = {
  darwin: [
    ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', 'Chrome'],
    ['/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge', 'Edge'],
    ['/Applications/Chromium.app/Contents/MacOS/Chromium', 'Chromium'],
  ],
  win32: [
    ['Google\\Chrome\\Application\\chrome.exe', 'Chrome'],
    ['Microsoft\\Edge\\Application\\msedge.exe', 'Edge'],
  ],
  others: [
    ['google-chrome', 'Chrome'],
    ['google-chrome-stable', 'Chrome'],
    ['chromium', 'Chromium'],
    ['chromium-browser', 'Chromium'],
    ['microsoft-edge', 'Edge'],
    ['microsoft-edge-stable', 'Edge'],
  ],
}

const chromiumProgram = (
  surroundings: Surroundings,
): { readonly program: string; readonly name: string } | undefined => {
  const { env, platform } = surroundings
  const system = platform === 'win32' || platform === 'darwin' ? platform : 'others'
  const folders = platform === 'win32' ? [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA] : ['']
  const find = (file: string): string | undefined =>
    system === 'others'
      ? findOnPath(file, surroundings)
      : folders.map((folder) => (folder ? join(folder, file) : file)).find((path) => existsSync(path))
  for (const [file, name] of CHROMIUMS[system]) {
    const program = find(file)
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
