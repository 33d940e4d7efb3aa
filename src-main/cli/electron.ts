import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { childClosed } from './child-closed.ts'
import { canSandbox } from './chromium-sandbox.ts'
import { type Environment, type ExitCode, failed } from './command.ts'
import { hasDisplay } from './machine.ts'

const folderIn = (root: string): string => join(root, 'node_modules/electron')

/** Electron's program, once it was downloaded. Looked for as a file: asking Electron's package for it would download it. */
export const electronProgram = (root: string): string | undefined => {
  const named = join(folderIn(root), 'path.txt')
  if (!existsSync(named)) return undefined
  const program = join(folderIn(root), 'dist', readFileSync(named, 'utf8').trim())
  return existsSync(program) ? program : undefined
}

/** What downloads it; the published package has none. */
export const electronInstaller = (root: string): string | undefined => {
  const installer = join(folderIn(root), 'install.js')
  return existsSync(installer) ? installer : undefined
}

export type Surroundings = Pick<Environment, 'env' | 'platform' | 'root' | 'isRoot'> & {
  /** Where the kernel's settings are, if not where Linux has them. */
  readonly settings?: string
}

/** Why this system could show no window of Electron's, whether it is there or not. */
export const windowObstacle = (surroundings: Surroundings): string | undefined => {
  if (!hasDisplay(surroundings)) return 'there is no display'
  // As root, Chromium's sandbox does not start, and without it nothing of ours does.
  return surroundings.isRoot === true ? 'this is root, for whom Chromium has no sandbox' : undefined
}

export const sandboxObstacle = (program: string, surroundings: Surroundings): string | undefined =>
  canSandbox(program, surroundings) ? undefined : 'this system denies Electron its sandbox (unprivileged namespaces)'

/** Runs the bench in Electron's own process, from its own composition root, and ends with it. */
export const openElectron = async (
  program: string,
  {
    environment,
    command,
    args,
  }: { readonly environment: Environment; readonly command: string; readonly args: readonly string[] },
): Promise<ExitCode> => {
  // Behind `--` no argument is a switch of Electron, and Windows lets others follow one that looks like a link.
  const window = spawn(program, [environment.root, '--', ...args], { stdio: 'inherit' })
  environment.stop.addEventListener('abort', () => window.kill('SIGTERM'), { once: true })
  const code = await childClosed(window)
  return code === 0 || environment.stop.aborted ? 0 : failed(environment, command, `Electron ended with ${code}.`)
}
