import { createSocket } from 'node:dgram'
import { isPortFree } from '../../src-main/testing/scenario/words/own-rp-words.ts'

/** Below those that a system hands out for port 0 and outgoing connections, and below those that Handset gives to RPs. */
const LOWEST = 10_000
const HIGHEST = 19_999
const COUNT = HIGHEST - LOWEST + 1

/** Each process begins elsewhere. */
let next = process.pid

/** Keeps other tests of this machine off a port while this process lives. UDP and TCP have ports of their own: TCP stays free. */
const hold = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4').unref()
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind(port, '127.0.0.1', () => resolve(true))
  })

/** A port for a listener that must know its own before it listens, or that listens again. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = LOWEST + (next++ % COUNT)
    if ((await hold(port)) && (await isPortFree(port))) return port
  }
  throw new Error(`no free port from ${LOWEST} to ${HIGHEST} on 127.0.0.1`)
}
