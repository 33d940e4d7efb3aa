import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'

/** Below those that a system hands out by itself, for port 0 and outgoing connections: such a one may be taken before it is used. */
const LOWEST = 20_000
const HIGHEST = 31_999
/** Runs and their threads take ports in turn, so that none is given to two of them. */
const TURNS = 8
const OF_A_TURN = (HIGHEST - LOWEST + 1) / TURNS
const MOST_TRIES = 100

const turn = (process.pid + threadId) % TURNS
/** Each process begins elsewhere. */
let next = process.pid % OF_A_TURN

/** A port of this machine without a listener that was not handed out a moment ago. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const port = LOWEST + next * TURNS + turn
    next = (next + 1) % OF_A_TURN
    if (await isFree(port)) return port
  }
  throw new Error(`no free port from ${LOWEST} to ${HIGHEST} on 127.0.0.1`)
}

/** The port has no listener. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
