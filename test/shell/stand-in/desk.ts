import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlClient, createControlClient } from '../../../src-main/sdk/client.ts'
import { readRunningBench } from '../../../src-main/service/store/announce-bench.ts'
import type { Command, Report, Setting } from './machine.ts'

const root = join(import.meta.dirname, '../../..')

/** The machine that the shell finds, and which shell it is. */
type Machine = Partial<Setting> & { readonly entry?: string; readonly env?: NodeJS.ProcessEnv; readonly cwd?: string }

export type Run = {
  readonly reports: readonly Report[]
  /** Everything that it wrote. */
  output(): string
  /** The first report that fits, from the given place on; the program's end before it is an error. */
  until(fits: string | ((report: Report) => boolean), from?: number): Promise<Report>
  /** Until it has written this: what it writes may come later than what it reports. */
  says(part: string): Promise<void>
  tell(command: Command): void
  readonly ended: Promise<number | null>
  stop(): Promise<number | null>
}

/** The built shell in the stand-in: a process of its own, as Electron's main process is. */
const runInStandIn = (
  args: readonly string[],
  { entry = join(root, 'out/main/index.js'), env = {}, cwd = root, ...setting }: Machine,
): Run => {
  const program = join(import.meta.dirname, 'main.ts')
  // Electron warns of a rejection that nobody handles, and goes on (shell/common/node_bindings.cc).
  const child = spawn(process.execPath, ['--unhandled-rejections=warn', program, entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    cwd,
    env: { ...process.env, ...env, ELECTRON_STAND_IN: JSON.stringify(setting) },
  })
  const endWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const reports: Report[] = []
  const said: string[] = []
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said.push(text)
      for (const wake of waiting) wake()
    })
  }
  child.on('message', (report) => {
    reports.push(report as Report)
    for (const wake of waiting) wake()
  })
  let code: number | null | undefined
  const ended = once(child, 'close').then(([status]) => {
    code = status as number | null
    process.off('exit', endWithUs)
    for (const wake of waiting) wake()
    return code
  })
  const first = <T>(search: () => T | undefined, what: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = search()
        const uncaught = reports.find(({ kind }) => kind === 'uncaught')
        if (found === undefined && code === undefined && uncaught === undefined) return
        waiting.delete(look)
        if (found !== undefined) resolve(found)
        else if (uncaught !== undefined) reject(new Error(`nobody caught ${uncaught.message}`))
        else reject(new Error(`the shell ended with ${code} before ${what}: ${said.join('')}`))
      }
      waiting.add(look)
      look()
    })
  const until: Run['until'] = (fits, from = 0) =>
    first(() => reports.slice(from).find(typeof fits === 'string' ? ({ kind }) => kind === fits : fits), fits)
  return {
    reports,
    output: () => said.join(''),
    until,
    says: async (part) => void (await first(() => said.join('').includes(part) || undefined, `"${part}"`)),
    tell: (command) => void child.send(command),
    ended,
    stop: async () => {
      // Windows knows no gentle signal.
      if (code === undefined && process.platform === 'win32') child.send({ do: 'SIGTERM' })
      else if (code === undefined) child.kill('SIGTERM')
      return ended
    },
  }
}

/** One person at one machine: the programs they start share a data directory, which is gone afterwards. */
export type Desk = {
  /** What is in it is gone afterwards. */
  readonly home: string
  readonly data: string
  /** Starts the program; with no arguments it finds the data directory as a person's program does. */
  start(args?: readonly string[], machine?: Partial<Machine>): Run
  /** The control interface of the bench in that data directory. */
  control(): ControlClient
}

export const atDesk = async (entry: string | undefined, use: (desk: Desk) => Promise<void>): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'handset-desk-'))
  const data = join(home, 'handset')
  const runs: Run[] = []
  const env = { XDG_DATA_HOME: home, HANDSET_PORT: '0' }
  try {
    await use({
      home,
      data,
      start: (args = [], machine = {}) => {
        const run = runInStandIn(args, {
          // Paths of a simulated Windows are relative here: what is written there stays in the desk.
          cwd: home,
          ...(entry === undefined ? {} : { entry }),
          ...machine,
          env: { ...env, ...machine.env },
        })
        runs.push(run)
        return run
      },
      control: () => {
        const running = readRunningBench(data)
        if (!running.ok || running.value === undefined) throw new Error(`no bench runs in ${data}`)
        return createControlClient({ controlUrl: running.value.control_url, token: running.value.token })
      },
    })
  } finally {
    for (const run of runs) await run.stop()
    // Windows removes no file that a process which is just ending still holds.
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

export const demand = (holds: boolean, what: string, seen?: unknown): void => {
  if (!holds) throw new Error(`${what}${seen === undefined ? '' : `, but: ${JSON.stringify(seen)}`}`)
}

export const notification = (title: string) => (report: Report) =>
  report.kind === 'notification' && report.title === title
