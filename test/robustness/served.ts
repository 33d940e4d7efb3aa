import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { spawnTied } from '../support/spawn-tied.ts'
import type { Site } from './callers.ts'
import { KEY, RP_ID } from './cast.ts'

const ROOT = join(import.meta.dirname, '../..')

export type Served = Site & {
  readonly child: ChildProcess
  /** From the start of the process to its first line. */
  readonly readyMs: number
  readonly stderr: () => string
  /** Ends it as the power switch does, and resolves when it is gone. */
  kill(): Promise<void>
  /** Ends it as a person does; its exit code. */
  stop(): Promise<number | null>
}

export type Launch = {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  readonly ready: Promise<Served>
}

export type LaunchOptions = {
  readonly args?: readonly string[]
  readonly node?: readonly string[]
  readonly program?: string
  /** The most file descriptors the process may have, where the system has `ulimit`. */
  readonly descriptors?: number
}

/** These tests need no page; whether it was built is all the same to them. */
const PAGE_NOT_BUILT = /^handset serve: the page is not built.*\n/m

/** `handset serve --json` in a process of its own, on a free port. */
export const launch = (options: LaunchOptions = {}): Launch => {
  const { args = [], node = [], program = 'src-main/cli.ts', descriptors } = options
  const own = ['--port', '0', '--json', '--rp-id', RP_ID, '--origin', 'https://shop.example']
  const key = ['--access-key', `${KEY.accessKeyId}:${KEY.secretKey}`]
  const started = performance.now()
  const command = [process.execPath, ...node, join(ROOT, program), 'serve', ...own, ...key, ...args]
  const [file = '', ...rest] = descriptors === undefined ? command : limited(descriptors, command)
  const child = spawnTied(file, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<Served>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      const before = out.includes('\n')
      out += chunk
      if (before || !out.includes('\n')) return
      const { control_url, token } = JSON.parse(out.slice(0, out.indexOf('\n')))
      resolve({
        port: Number(new URL(control_url).port),
        token,
        key: KEY,
        child,
        readyMs: performance.now() - started,
        stderr: () => err.replace(PAGE_NOT_BUILT, ''),
        kill: async () => {
          child.kill('SIGKILL')
          await ended
        },
        stop: () => {
          child.kill('SIGTERM')
          return ended
        },
      })
    })
    void ended.then((code) => reject(new Error(`serve ended with ${code} before it was ready: ${err}`)))
  })
  // A test that kills it before it is ready does not wait for it.
  ready.catch(() => undefined)
  return { child, ended, ready }
}

/** The shell replaces itself, so that the child is the program. */
const limited = (descriptors: number, command: readonly string[]): readonly string[] => [
  'sh',
  '-c',
  `ulimit -n ${descriptors} && exec "$0" "$@"`,
  ...command,
]

export const serve = (options?: LaunchOptions): Promise<Served> => launch(options).ready
