import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { WindowHost } from './choose-window-host.ts'
import type { Environment } from './command.ts'
import { childClosed } from './machine.ts'
import { openBrowser, writeRedirectPage } from './open-browser.ts'

import { stopped } from './serve.ts'
import { openWindowFolder, type WindowFolder } from './window-folder.ts'

export type ShownPage = {
  /** When the person closes the window. One that could not open is no reason to stop. */
  readonly closedByPerson: Promise<void>
  /** Closes the window and removes what was made for it. */
  end(): Promise<void>
}

type Invite = () => string

/** Shows the page and says in one line how, and why so. */
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
  const code = window === undefined ? undefined : await childClosed(window)
  if (code === 0) return
  if (code !== undefined && !stop.aborted) {
    terminal.error(`The window could not be opened (${code}). Open the page’s address above in a browser.`)
  }
  await stopped(stop)
}

/** Its profile can be removed when it has ended; one that does not end is ended. */
const endWindow = async (window: ChildProcess): Promise<void> => {
  if (window.exitCode !== null || window.signalCode !== null || window.pid === undefined) return
  const ended = childClosed(window)
  window.kill()
  const limit = setTimeout(() => window.kill('SIGKILL'), 1000)
  await ended
  clearTimeout(limit)
}
