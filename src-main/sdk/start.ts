import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { withoutUndefined } from '../core/protocol/json.ts'
import { StartError } from './errors.ts'
import { settleWithin } from './real-time.ts'

/** The options of `handset serve`. Environment variables `HANDSET_…` are ignored. */
export type ServeOptions = {
  /** A free one by default. */
  readonly port?: number
  /** In memory by default. */
  readonly data?: string
  /** `postgres://…` keeps the service's data in that database. Needs the package `pg`. */
  readonly store?: string
  readonly config?: string
  /** Files with the list of a metadata service, and with the certificates to trust for its signature, PEM. */
  readonly mds?: { readonly list: string; readonly root: string }
  readonly seed?: number
  readonly prefix?: string
  readonly publicUrl?: string
  readonly hosts?: readonly string[]
  readonly allowHosts?: readonly string[]
  readonly rpId?: string
  readonly origins?: readonly string[]
  /** Uses https, with a new CA or with the PEM files of a certificate chain and its key. */
  readonly tls?: true | { readonly cert: string; readonly key: string }
  readonly accessKey?: { readonly id: string; readonly secret: string }
  /** Token for the control interface, at least 24 characters; random when absent. */
  readonly token?: string
  /** A token that may only read `/metrics`. */
  readonly metricsToken?: string
  /** A file that ends in `.handset`, or a folder: events are written there as they happen. */
  readonly trace?: string
  /** Maximum MiB for all files of `trace` together; 256 by default. */
  readonly traceLimit?: number
  /** The format of the lines for `onLog`; `text` by default. */
  readonly log?: 'text' | 'json' | 'off'
  /** `warn` by default; `info` logs each request. */
  readonly logLevel?: 'error' | 'warn' | 'info' | 'debug'
  /** Timeout of the start; 30 s by default. */
  readonly readyTimeoutMs?: number
  /** Called with each line that the program writes on stderr. */
  readonly onLog?: (line: string) => void
}

/** The first line of `handset serve --json`. */
export type Ready = {
  readonly base_url: string
  readonly app_url: string
  readonly control_url: string
  readonly ui_url: string
  readonly token: string
  /** PEM of the CA that was made for this bench. */
  readonly ca: string | null
  readonly pid: number
}

const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 5000
const MAX_OUTPUT = 8192

/** Runs `handset serve` as a child that ends with this process, even if this process is killed. */
export const serve = async (options: ServeOptions = {}) => {
  const child = spawn(process.execPath, [createRequire(import.meta.url).resolve('#handset'), ...argumentsOf(options)], {
    // The child ends when its standard input closes, which the system does when this process ends.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environmentOf(options),
    windowsHide: true,
  })
  child.stdin.on('error', () => undefined)
  const exited = new Promise<number>((resolve) => {
    child.once('error', () => resolve(-1))
    child.once('close', (code) => resolve(code ?? -1))
  })
  const ready = await firstLine(child, exited, options)
  // A test that forgets to stop the child must still end.
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
  return {
    ready,
    /** Ends the bench and waits until it has ended. */
    stop: () => stop(child, exited),
  }
}

const stop = async (child: ChildProcessWithoutNullStreams, exited: Promise<unknown>): Promise<void> => {
  child.ref()
  child.stdin.end()
  if ((await settleWithin(STOP_TIMEOUT_MS, exited)) === 'late') child.kill('SIGKILL')
  await exited
}

const firstLine = async (
  child: ChildProcessWithoutNullStreams,
  exited: Promise<number>,
  { readyTimeoutMs = READY_TIMEOUT_MS, onLog }: ServeOptions,
): Promise<Ready> => {
  let output = ''
  createInterface(child.stderr).on('line', (line) => {
    output = `${output}${line}\n`.slice(-MAX_OUTPUT)
    onLog?.(line)
  })
  const line = new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
  const first = await settleWithin(readyTimeoutMs, Promise.race([line, exited]))
  if (typeof first === 'string' && first !== 'late') return JSON.parse(first) as Ready
  child.kill('SIGKILL')
  const how = first === 'late' ? `was not ready within ${readyTimeoutMs} ms` : `ended with exit code ${first}`
  throw new StartError({
    code: first === 'late' ? 'timeout' : Number(first),
    error: `handset serve ${how}. ${output.trim() || 'It wrote nothing.'}`,
    output,
  })
}

const argumentsOf = (options: ServeOptions): readonly string[] => {
  const { port = 0, data, store, config, seed, prefix, publicUrl, rpId, hosts = [], allowHosts = [] } = options
  const { origins = [], trace, traceLimit, log, logLevel, tls, mds } = options
  const files = typeof tls === 'object' ? tls : undefined
  const one = {
    ...{ port, data, config, seed, prefix, 'public-url': publicUrl, 'rp-id': rpId },
    ...{ 'tls-cert': files?.cert, 'tls-key': files?.key, mds: mds?.list, 'mds-root': mds?.root },
    ...{ trace, 'trace-limit': traceLimit, log, 'log-level': logLevel },
  }
  const many = { host: hosts, 'allow-host': allowHosts, origin: origins }
  return [
    ...['serve', '--json', '--until-input-ends'],
    ...(data === undefined && store === undefined ? ['--memory'] : []),
    ...(tls === true ? ['--tls'] : []),
    ...Object.entries(one).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)])),
    ...Object.entries(many).flatMap(([name, values]) => values.flatMap((value) => [`--${name}`, value])),
  ]
}

/** Secrets are passed in the environment, since command lines are visible to all users. */
const environmentOf = ({ accessKey, token, store, metricsToken }: ServeOptions): NodeJS.ProcessEnv => {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HANDSET_'))),
    // `onLog` needs plain lines, but Playwright sets FORCE_COLOR for its workers.
    FORCE_COLOR: '0',
    ...withoutUndefined({
      HANDSET_ACCESS_KEY: accessKey && `${accessKey.id}:${accessKey.secret}`,
      HANDSET_TOKEN: token,
      HANDSET_STORE: store,
      HANDSET_METRICS_TOKEN: metricsToken,
    }),
  }
}
