import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../imports.ts'
import { spawnTied } from '../spawn-tied.ts'

export type Child = {
  readonly name: string
  /** The first line of its last start. */
  readonly ready: () => Readonly<Record<string, string>>
  readonly stderr: () => string
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<number | null>
}

export type ChildOptions = {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Of the program. */
  readonly root?: string
}

/** A process of ours that is killed and started again, always with the same arguments. */
export const createChild = (name: string, { args, env = {}, root = ROOT }: ChildOptions): Child => {
  let child: ChildProcess | undefined
  let ended: Promise<number | null> = Promise.resolve(null)
  let first: Readonly<Record<string, string>> = {}
  let err = ''
  const end = (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    child?.kill(signal)
    return ended
  }
  return {
    name,
    ready: () => first,
    stderr: () => err,
    start: () =>
      new Promise((resolve, reject) => {
        const begun = spawnTied(process.execPath, [join(root, 'src-main/cli.ts'), 'serve', '--json', ...args], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, ...env },
        })
        child = begun
        let out = ''
        err = ''
        begun.stderr?.on('data', (chunk) => {
          err += chunk
        })
        begun.stdout?.on('data', (chunk) => {
          out += chunk
          if (!out.includes('\n')) return
          begun.stdout?.removeAllListeners('data').resume()
          first = JSON.parse(out.slice(0, out.indexOf('\n')))
          resolve()
        })
        ended = new Promise((gone) => begun.once('close', gone))
        void ended.then((code) => reject(new Error(`${name} ended with ${code} before it was ready: ${err}`)))
      }),
    kill: async () => {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
  }
}
