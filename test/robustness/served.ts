import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/imports.ts'
import { begin } from '../support/spawn-tied.ts'
import type { Site } from './callers.ts'
import { KEY, RP_ID } from './cast.ts'

export type LaunchOptions = {
  readonly args?: readonly string[]
  readonly node?: readonly string[]
  /** The most file descriptors the process may have, where the system has `ulimit`. */
  readonly descriptors?: number
}

/** These tests need no page; whether it was built is all the same to them. */
const PAGE_NOT_BUILT = /^handset serve: the page is not built.*\n/m

/** `handset serve --json` in a process of its own, on a free port. */
export const launch = ({ args = [], node = [], descriptors }: LaunchOptions = {}) => {
  const own = ['--port', '0', '--json', '--rp-id', RP_ID, '--origin', 'https://shop.example']
  const key = ['--access-key', `${KEY.accessKeyId}:${KEY.secretKey}`]
  const command = [process.execPath, ...node, join(ROOT, 'src-main/cli.ts'), 'serve', ...own, ...key, ...args]
  const begun = begin(descriptors === undefined ? command : limited(descriptors, command))
  const site = async (): Promise<Site> => {
    const { control_url = '', token = '' } = await begun.ready
    return { port: Number(new URL(control_url).port), token, key: KEY }
  }
  return { ...begun, site, stderr: () => begun.stderr().replace(PAGE_NOT_BUILT, '') }
}

/** The shell replaces itself, so that the child is the program. */
const limited = (descriptors: number, command: readonly string[]): readonly string[] => [
  'sh',
  '-c',
  `ulimit -n ${descriptors} && exec "$0" "$@"`,
  ...command,
]

export const serve = async (options?: LaunchOptions) => {
  const launched = launch(options)
  return { ...launched, ...(await launched.site()) }
}

export type Served = Awaited<ReturnType<typeof serve>>

/** Resident memory of a process, at the moment or at its most, from /proc; undefined where the system has none. */
export const memoryMib = (pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined => {
  try {
    const match = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return match === null ? undefined : Number(match[1]) / 1024
  } catch {
    return undefined
  }
}
