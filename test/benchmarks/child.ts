import type { StdioOptions } from 'node:child_process'
import { join } from 'node:path'
import { begin } from '../support/spawn-tied.ts'

const OWN = join(import.meta.dirname, '../..')

/** Starts a Node program and waits for its first line. What it says of itself can be left out. */
export const startChild = async <T>(
  file: string,
  args: readonly string[],
  { quiet = false, root = OWN }: { readonly quiet?: boolean; readonly root?: string | undefined } = {},
) => {
  const began = performance.now()
  const stdio: StdioOptions = ['ignore', 'pipe', quiet ? 'ignore' : 'inherit']
  const { ready, stop } = begin<T>([process.execPath, join(root, file), ...args], { stdio })
  return { ready: await ready, startedIn: performance.now() - began, stop }
}

export type Ready = {
  readonly base_url: string
  readonly control_url: string
  readonly token: string
  readonly access_key_id: string
  readonly secret_key: string
  readonly pid: number
}

export const startHandset = (args: readonly string[] = [], root?: string) =>
  startChild<Ready>('src-main/bin.mjs', ['serve', '--port', '0', '--json', ...args], { root })

/** The same with a line of log for each request, which goes nowhere but is written. */
export const startLogging = (args: readonly string[], root?: string) =>
  startChild<Ready>('src-main/bin.mjs', ['serve', '--port', '0', '--json', '--verbose', ...args], { quiet: true, root })

export { cpuTimeMs as cpuMs } from '../../src-main/cli/load/measure.ts'
