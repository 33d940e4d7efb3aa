import { connect, type Socket } from 'node:net'
import { requestBytes, takeAnswer, type WireAnswer, type WireRequest } from './wire.ts'

/** One kept-alive connection; a request waits for the answer to the one before. */
export type Line = {
  ask(request: WireRequest): Promise<WireAnswer>
  /** The same with octets of one's own. */
  say(octets: Uint8Array, method: string): Promise<WireAnswer>
  close(): void
}

/** Opens a connection when it has none; a connection that ends rejects what was asked on it. */
export const openLine = (port: number): Line => {
  let socket: Socket | undefined
  let heard: Buffer = Buffer.alloc(0)
  let waiting: { method: string; resolve: (answer: WireAnswer) => void; reject: (reason: Error) => void } | undefined

  const drop = (reason: Error): void => {
    socket?.destroy()
    socket = undefined
    heard = Buffer.alloc(0)
    const { reject } = waiting ?? {}
    waiting = undefined
    reject?.(reason)
  }

  const open = (): Socket => {
    const made = connect({ host: '127.0.0.1', port, noDelay: true })
    made.on('error', (reason) => made === socket && drop(reason))
    made.on('close', () => made === socket && drop(new Error('the connection ended')))
    made.on('data', (chunk) => {
      heard = heard.length === 0 ? chunk : Buffer.concat([heard, chunk])
      const taken = waiting && takeAnswer(heard, waiting.method)
      if (taken === undefined || waiting === undefined) return
      heard = taken.rest
      const { resolve } = waiting
      waiting = undefined
      if (taken.answer.headers.connection === 'close') {
        socket?.destroy()
        socket = undefined
      }
      resolve(taken.answer)
    })
    return made
  }

  const say = (octets: Uint8Array, method: string): Promise<WireAnswer> =>
    new Promise((resolve, reject) => {
      socket ??= open()
      waiting = { method, resolve, reject }
      socket.write(octets)
    })

  return { ask: (request) => say(requestBytes(request), request.method), say, close: () => drop(new Error('closed')) }
}
