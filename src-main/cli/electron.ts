import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../core/protocol/result.ts'
import { type Environment, hasDisplay, waitForChild } from './command.ts'
import { fail } from './command-end.ts'

const folderIn = (root: string): string => join(root, 'node_modules/electron')

/** The path is read from a file, because requiring the package would download the program. */
export const electronProgram = (root: string): string | undefined => {
  const named = join(folderIn(root), 'path.txt')
  if (!existsSync(named)) return undefined
  const program = join(folderIn(root), 'dist', readFileSync(named, 'utf8').trim())
  return existsSync(program) ? program : undefined
}

/** Undefined in the published package, which has no Electron installer. */
export const electronInstaller = (root: string): string | undefined => {
  const installer = join(folderIn(root), 'install.js')
  return existsSync(installer) ? installer : undefined
}

export type Surroundings = Pick<Environment, 'env' | 'platform' | 'root' | 'isRoot'> & {
  /** Folder of the kernel's settings, instead of the usual one. */
  readonly settings?: string
}

export const windowObstacle = (surroundings: Surroundings): string | undefined => {
  if (!hasDisplay(surroundings)) return 'there is no display'
  // Chromium's sandbox does not start as root, and we never start Chromium without it.
  return surroundings.isRoot === true ? 'this is root, for whom Chromium has no sandbox' : undefined
}

export const sandboxObstacle = (program: string, surroundings: Surroundings): string | undefined =>
  canSandbox(program, surroundings) ? undefined : 'this system denies Electron its sandbox (unprivileged namespaces)'

/** Starts Electron, which runs the bench from its own composition root. Resolves when Electron exits. */
export const openElectron = async (
  program: string,
  { root, stop }: Environment,
  args: readonly string[],
): Promise<0> => {
  // `--` keeps Electron from reading the arguments as switches; on Windows it also allows arguments after a link.
  const window = spawn(program, [root, '--', ...args], { stdio: 'inherit' })
  stop.addEventListener('abort', () => window.kill('SIGTERM'), { once: true })
  const code = await waitForChild(window)
  return code === 0 || stop.aborted ? 0 : fail(`Electron ended with ${code}.`)
}

/** Kernel settings that refuse namespaces to programs unknown to the system. */
const RESTRICTED = [
  ['kernel/apparmor_restrict_unprivileged_userns', '1'],
  ['kernel/unprivileged_userns_clone', '0'],
  ['user/max_user_namespaces', '0'],
] as const

type System = { readonly platform: NodeJS.Platform; readonly settings?: string }

/** True if Electron's Chromium can have its sandbox: by namespaces, or by a helper that belongs to root. */
const canSandbox = (program: string, { platform, settings = '/proc/sys' }: System): boolean =>
  platform !== 'linux' ||
  !RESTRICTED.some(([name, value]) => orNothing(() => readFileSync(join(settings, name), 'utf8').trim()) === value) ||
  isRootsHelper(join(dirname(program), 'chrome-sandbox'))

const isRootsHelper = (file: string): boolean => {
  const found = orNothing(() => statSync(file))
  return found?.uid === 0 && (found.mode & 0o4111) === 0o4111
}
