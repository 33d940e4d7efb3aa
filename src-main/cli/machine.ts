import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Environment } from './command.ts'

type Machine = Pick<Environment, 'env' | 'platform'>

/** Whether a window could be seen. */
export const hasDisplay = ({ env, platform }: Machine): boolean => {
  if (platform === 'win32' || platform === 'darwin') return env.SSH_CONNECTION === undefined
  return Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY)
}

export const onPath = (program: string, { env, platform }: Machine): string | undefined => {
  const names = platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program]
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file))
}

/** Where the platform wants a program to keep its data. */
export const defaultDataDirectory = ({ env, platform }: Machine): string => {
  const home = env.HOME ?? env.USERPROFILE ?? homedir()
  if (platform === 'darwin') return join(home, 'Library/Application Support/Handset')
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData/Local'), 'Handset')
  return join(env.XDG_DATA_HOME || join(home, '.local/share'), 'handset')
}
