import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, posix, win32 } from 'node:path'
import type { Environment } from './command.ts'

export type Machine = Pick<Environment, 'env' | 'platform'>

/** True if a window could be seen. */
export const hasDisplay = ({ env, platform }: Machine): boolean => {
  if (platform === 'win32' || platform === 'darwin') return env.SSH_CONNECTION === undefined
  return Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY)
}

export const onPath = (program: string, { env, platform }: Machine): string | undefined => {
  const names = platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program]
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file))
}

/** The platform's folder for data of programs. */
export const defaultDataDirectory = ({ env, platform }: Machine): string => {
  if (platform === 'win32') {
    // A shell that comes from Unix sets HOME there, to a folder that the system does not know.
    const home = env.USERPROFILE || env.HOME || homedir()
    return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'Handset')
  }
  const home = env.HOME || homedir()
  if (platform === 'darwin') return posix.join(home, 'Library/Application Support/Handset')
  const data = env.XDG_DATA_HOME ?? ''
  // XDG Base Directory Specification: a relative path is invalid, and ignored.
  return posix.join(posix.isAbsolute(data) ? data : posix.join(home, '.local/share'), 'handset')
}

/**
 * Signals that ask the program to end in its own time. Windows sends SIGHUP when the console is closed; elsewhere a
 * listener to it would undo nohup, which has it ignored.
 */
export const endingSignals = (platform: NodeJS.Platform): readonly NodeJS.Signals[] =>
  platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM']

/** Its exit code or signal, or why it did not start. */
export const childClosed = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 1))
  })
