import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Of util-linux, which every Debian has. */
const SETPRIV = '/usr/bin/setpriv'

/**
 * A program that the kernel ends with this process, whatever ends that: a worker of Vitest that is killed closes nothing
 * itself. Elsewhere than on Linux it ends with a regular exit only.
 */
export const spawnTied = (
  program: string,
  args: readonly string[],
  { endWith = 'KILL', ...options }: SpawnOptions & { readonly endWith?: 'KILL' | 'QUIT' },
): ChildProcess => {
  const isTied = existsSync(SETPRIV)
  const child = isTied
    ? spawn(SETPRIV, ['--pdeathsig', endWith, '--', program, ...args], options)
    : spawn(program, args, options)
  const end = (): void => void child.kill(`SIG${endWith}`)
  process.once('exit', end)
  child.once('close', () => process.off('exit', end))
  return child
}
