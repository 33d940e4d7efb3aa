import { randomInt } from 'node:crypto'
import { isFree } from '../../src-main/scenario/own-rp/free-port.ts'

/** Below those that a system hands out for port 0 and for its outgoing connections: such a one may be gone again before it is used. */
const lowest = 20_000
const highest = 32_000

/** Workers that run side by side take ports in turn, so that none is given to two: Vitest counts its own from 1, Playwright from 0. */
const TURNS = 8
const { VITEST_POOL_ID: unit = '0', TEST_PARALLEL_INDEX: e2e } = process.env
const turn = (e2e === undefined ? Number(unit) : Number(e2e) + TURNS / 2) % TURNS

const given = new Set<number>()

/** A free one, and that this process was not given before: its first user may not listen yet. */
export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(lowest / TURNS, highest / TURNS) * TURNS + turn
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port from ${lowest} to ${highest} on 127.0.0.1`)
}
