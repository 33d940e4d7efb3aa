import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlClient, createControlClient } from '../../../src-main/sdk/client.ts'
import { readRunningBench } from '../../../src-main/service/store/announce-bench.ts'
import { ALICE } from '../../support/bench.ts'
import type { Report } from './machine.ts'
import { type Machine, type Run, runInStandIn } from './run.ts'

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

/** The first RP and the first phone of the bench. */
export const firstOf = async (control: ControlClient): Promise<{ readonly rp: string; readonly phone: string }> => {
  const rp = (await control.call('rps.list')).rps[0]?.id
  const phone = (await control.call('phones.list')).phones[0]?.id
  if (rp === undefined || phone === undefined) throw new Error('the bench is empty')
  return { rp, phone }
}

/** The address in a registration's code. */
export const registrationCode = async (control: ControlClient): Promise<string> => {
  const { rp } = await firstOf(control)
  return (await control.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })).url
}

export const linkTo = (url: string): string => `handset:scan?url=${encodeURIComponent(url)}`

export const screenOf = async (control: ControlClient): Promise<string | undefined> =>
  (await control.call('phones.list')).phones[0]?.screen.kind
