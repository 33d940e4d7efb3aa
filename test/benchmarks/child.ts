import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const OWN = join(import.meta.dirname, '../..')

export type Started<T> = {
  readonly child: ChildProcess
  readonly ready: T
  readonly startedIn: number
  stop(): Promise<void>
}

/** Starts a Node program and waits for its first line, which is JSON. What it says of itself can be left out. */
export const startChild = <T>(
  file: string,
  args: readonly string[],
  { quiet = false, root = OWN }: { readonly quiet?: boolean; readonly root?: string | undefined } = {},
): Promise<Started<T>> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const stderr = quiet ? 'ignore' : 'inherit'
    const child = spawn(process.execPath, [join(root, file), ...args], { stdio: ['ignore', 'pipe', stderr] })
    const ended = new Promise<void>((done) => child.once('close', () => done()))
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`${file} ended with ${code}`)))
    createInterface(child.stdout).once('line', (line) =>
      resolve({
        child,
        ready: JSON.parse(line) as T,
        startedIn: performance.now() - began,
        stop: async () => {
          child.kill()
          await ended
        },
      }),
    )
  })

export type Ready = {
  readonly base_url: string
  readonly control_url: string
  readonly token: string
  readonly access_key_id: string
  readonly secret_key: string
  readonly pid: number
}

export const startHandset = (args: readonly string[] = [], root?: string): Promise<Started<Ready>> =>
  startChild<Ready>('src-main/bin.mjs', ['serve', '--port', '0', '--json', ...args], { root })

/** The same with a line of log for each request, which goes nowhere but is written. */
export const startLogging = (args: readonly string[], root?: string): Promise<Started<Ready>> =>
  startChild<Ready>('src-main/bin.mjs', ['serve', '--port', '0', '--json', '--verbose', ...args], { quiet: true, root })

export { processorMs as cpuMs } from '../../src-main/testing/load/processor-time.ts'

/** Resident memory in MiB; undefined where the system has no /proc. */
export const residentMib = (pid: number): number | undefined => {
  try {
    const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return match === null ? undefined : Number(match[1]) / 1024
  } catch {
    return undefined
  }
}
