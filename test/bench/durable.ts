import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMs, startLogging } from './child.ts'
import { makePeople, ORIGIN, type Person, signInFor } from './people.ts'

/** A service on a data directory of its own, and the people who sign in there. */
export type DurableSide = { readonly pid: number; readonly people: readonly Person[] }

export type SideOptions = {
  readonly people: number
  /** Of another checkout. */
  readonly root?: string
}

type Start = (options: SideOptions) => Promise<DurableSide>

/** Starts services in folders that last as long as the work. */
export const withDurable = async <T>(work: (start: Start) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-bench-'))
  const stops: (() => Promise<void>)[] = []
  try {
    return await work(async ({ people, root }) => {
      const data = join(folder, String(stops.length))
      const args = ['--data', data, '--rp-id', 'shop.example', '--origin', ORIGIN]
      const { ready, stop } = await startLogging(args, root)
      stops.push(stop)
      return { pid: ready.pid, people: await makePeople(ready, people) }
    })
  } finally {
    await Promise.all(stops.map((stop) => stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

const WARM_UP = 4

/** Whole sign-ins a second at each of them in turn, each round beginning with another one. A long first round only warms up. */
export const inTurn = async (
  sides: readonly DurableSide[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<readonly (readonly number[])[]> => {
  const rates: number[][] = sides.map(() => [])
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const index = (turn + round + sides.length) % sides.length
      const side = sides[index]
      const rate = side && (await signInFor(side.people, round < 0 ? WARM_UP * seconds : seconds)).perSecond
      if (side !== undefined) await settled(side)
      if (round >= 0 && rate !== undefined) rates[index]?.push(rate)
    }
  }
  return rates
}

/** What a side still does after its turn, second opinions above all, must not slow the one after it. */
const settled = async ({ pid }: DurableSide): Promise<void> => {
  for (let waited = 0; waited < 100; waited++) {
    const before = cpuMs(pid)
    await new Promise((resolve) => setTimeout(resolve, 100))
    if ((cpuMs(pid) ?? 0) - (before ?? 0) <= 10) return
  }
}
