import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { type Environment, type ExitCode, failed, makeCommand, misuse } from './command.ts'
import { prepareDataFolder } from './data-folder.ts'
import { openBrowser } from './open-browser.ts'
import { offerKeys, readyText } from './ready.ts'
import { launch, stopped } from './serve.ts'
import { startOptions, wantedByStart } from './start-options.ts'
import { chooseWindowHost, type WindowHost } from './window-host.ts'

export const start = makeCommand(
  {
    name: 'start',
    usage: '[OPTIONS]',
    summary: 'Everything, with a window where there can be one.',
    options: startOptions,
    more: [
      'The window is the first that works: Electron, an installed Chromium, Chrome or Edge, the default browser.',
      'Without --data or --memory everything is kept where this system keeps the data of programs.',
    ],
  },
  async ({ options, positionals }, environment, args) => {
    const [stranger] = positionals
    if (stranger !== undefined) return misuse(environment, 'start', `it takes no "${stranger}".`)
    const wanted = wantedByStart(options, environment)
    if (!wanted.ok) return misuse(environment, 'start', wanted.error)
    const folder = prepareDataFolder(wanted.value.dataDirectory)
    if (!folder.ok) return misuse(environment, 'start', folder.error)
    const host: WindowHost =
      options['no-window'] === true
        ? { kind: 'none', why: 'none was wanted' }
        : chooseWindowHost({ ...environment, isRoot: process.getuid?.() === 0 })
    // Electron runs the bench in its own process, from its own composition root.
    if (host.kind === 'electron') return inElectron(host, environment, args)
    const bench = await launch(wanted.value, environment, false)
    if (typeof bench === 'string') return failed(environment, 'start', bench)
    environment.terminal.out(readyText(bench, wanted.value, environment))
    const window = openWindow(host, bench, {
      environment,
      profile: join(wanted.value.dataDirectory ?? tmpdir(), 'window'),
    })
    offerKeys(bench, environment)
    await Promise.race([stopped(environment.stop), windowClosed(window, environment)])
    window?.kill()
    environment.terminal.out('\nStopping.')
    await bench.close()
    return 0
  },
)

const inElectron = async (
  host: WindowHost & { readonly kind: 'electron' },
  environment: Environment,
  args: readonly string[],
): Promise<ExitCode> => {
  environment.terminal.out(`Opening a window of its own: ${host.why}.`)
  const window = spawn(host.program, [environment.root, ...args], { stdio: 'inherit' })
  environment.stop.addEventListener('abort', () => window.kill('SIGTERM'), { once: true })
  const code = await closed(window)
  return code === 0 || environment.stop.aborted ? 0 : failed(environment, 'start', `Electron ended with ${code}.`)
}

/** Shows the page and says in one line how, and why so. */
const openWindow = (
  host: WindowHost,
  bench: Bench,
  { environment, profile }: { readonly environment: Environment; readonly profile: string },
): ChildProcess | undefined => {
  const { out } = environment.terminal
  if (host.kind === 'app-window') {
    out(`Opening a window in ${host.name}: ${host.why}.`)
    return spawn(
      host.program,
      [
        `--app=${bench.invite()}`,
        `--user-data-dir=${profile}`,
        '--window-size=1440,900',
        '--no-first-run',
        '--no-default-browser-check',
      ],
      { stdio: 'ignore' },
    )
  }
  if (host.kind === 'browser' && openBrowser(bench.invite(), environment)) {
    out(`Opening the page in the default browser: ${host.why}.`)
    return undefined
  }
  out(`No window: ${host.why}. Open the page's address above in a browser.`)
  return undefined
}

/** When the person closes the window. One that could not open is no reason to stop. */
const windowClosed = async (window: ChildProcess | undefined, { terminal, stop }: Environment): Promise<void> => {
  const code = window === undefined ? undefined : await closed(window)
  if (code === 0) return
  if (code !== undefined && !stop.aborted) {
    terminal.error(`The window could not be opened (${code}). Open the page’s address above in a browser.`)
  }
  await stopped(stop)
}

const closed = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 1))
  })
