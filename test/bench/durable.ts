import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMs, startLogging } from './child.ts'
import { fillStore } from './fill-store.ts'
import { makePeople, ORIGIN, type Person, signInFor } from './people.ts'

/** Sign-ins against one server for a while. */
export type DurableSample = {
  readonly perSecond: number
  readonly latencies: readonly number[]
  readonly cpuMicros: number | undefined
  readonly busy: number | undefined
}

export type DurableRound = { readonly empty: DurableSample; readonly full: DurableSample }

type Side = { readonly pid: number; readonly people: readonly Person[]; stop(): Promise<void> }

/**
 * Whole sign-ins over HTTP on a data directory, each step committed with synchronous FULL before it is answered: in
 * turn at a service that is new and at one whose store is full.
 */
export const compareDurable = async (options: {
  readonly rounds: number
  readonly seconds: number
  readonly people: number
  readonly credentials: number
  readonly messages: number
  readonly say: (text: string) => void
}): Promise<readonly DurableRound[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-bench-'))
  const sides: Side[] = []
  try {
    const start = async (name: keyof DurableRound): Promise<Side> => {
      const args = ['--data', join(folder, name), '--rp-id', 'shop.example', '--origin', ORIGIN]
      if (name === 'full') {
        // The service makes its tables and its RP by itself.
        await (await startLogging(...args)).stop()
        fillStore(join(folder, name, 'handset.db'), options)
      }
      const { ready, stop } = await startLogging(...args)
      const side: Side = { pid: ready.pid, people: await makePeople(ready, options.people), stop }
      sides.push(side)
      return side
    }
    const empty = await start('empty')
    options.say(`Filling a store with ${options.credentials} credentials and ${options.messages} messages …`)
    const full = await start('full')
    const rounds: DurableRound[] = []
    for (let round = -1; round < options.rounds; round++) {
      const first = await measure(round % 2 === 0 ? empty : full, options.seconds)
      const second = await measure(round % 2 === 0 ? full : empty, options.seconds)
      // The first round only warms up.
      if (round >= 0) rounds.push(round % 2 === 0 ? { empty: first, full: second } : { empty: second, full: first })
    }
    return rounds
  } finally {
    await Promise.all(sides.map((side) => side.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

const measure = async ({ pid, people }: Side, seconds: number): Promise<DurableSample> => {
  const before = cpuMs(pid)
  const round = await signInFor(people, seconds)
  const after = cpuMs(pid)
  if (before === undefined || after === undefined) return { ...round, cpuMicros: undefined, busy: undefined }
  const used = after - before
  return { ...round, cpuMicros: (used * 1000) / round.latencies.length, busy: used / (round.took * 10) }
}
