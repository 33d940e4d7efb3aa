import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Of util-linux, which every Debian has. */
const SETPRIV = '/usr/bin/setpriv'

/** What ends each program that runs. */
const ends = new Set<() => void>()
process.once('exit', () => {
  for (const end of ends) end()
})

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
  ends.add(end)
  child.once('close', () => ends.delete(end))
  return child
}

/** The same for a program whose first line is JSON, as that of `handset serve --json`; whoever kills it before need not await it. */
export const begin = <T = Readonly<Record<string, string>>>(command: readonly string[], options: SpawnOptions = {}) => {
  const [program = '', ...args] = command
  const child = spawnTied(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<T>((resolve, reject) => {
    child.once('error', reject)
    if (child.stdout !== null) createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)))
    void ended.then((code) =>
      reject(new Error(`${command.join(' ')} ended with ${code} before it was ready: ${errors}`)),
    )
  })
  ready.catch(() => undefined)
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return ended
  }
  return {
    child,
    ready,
    ended,
    stderr: () => errors,
    /** As the power switch does it, and as a person does; the exit code. */
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

export type Begun = ReturnType<typeof begin<Readonly<Record<string, string>>>>
