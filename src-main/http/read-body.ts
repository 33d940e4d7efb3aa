import type { IncomingMessage } from 'node:http'
import { type Refusal, refuse } from '../core/contract/errors.ts'
import { type Bytes, joined } from '../core/protocol/bytes.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import type { Connection } from './connection.ts'
import { isNamed } from './message.ts'

/** RFC 9112 section 6.3: only these headers announce a body. */
export const hasBody = (headers: readonly HeaderPair[]): boolean =>
  headers.some(
    ([name, value]) => (isNamed(name, 'content-length') && value !== '0') || isNamed(name, 'transfer-encoding'),
  )

export type BodyReader = (
  connection: Connection,
  request: IncomingMessage,
  /** Bodies of one sender share a limit. */
  how: { readonly limit: number; readonly sender: string },
) => Promise<Result<Bytes, Refusal | 'gone'>>

/**
 * Reads whole bodies; refuses one as soon as it is known to be too large, or to come to nothing. All bodies that are
 * being read take at most so many bytes together: beyond that, the connection of the largest one is ended, of the sender
 * whose bodies take most.
 */
export const createBodyReader = (mostBytes: number): BodyReader => {
  const reading = new Map<Connection, { readonly sender: string; size: number }>()
  let total = 0

  const leave = (connection: Connection): void => {
    total -= reading.get(connection)?.size ?? 0
    reading.delete(connection)
  }

  const take = (connection: Connection, size: number): void => {
    const taken = reading.get(connection)
    if (taken === undefined) return
    taken.size += size
    total += size
    if (total <= mostBytes) return
    const shares = new Map<string, number>()
    for (const each of reading.values()) shares.set(each.sender, (shares.get(each.sender) ?? 0) + each.size)
    const share = Math.max(...shares.values())
    const ofLargest = [...reading].filter(([, { sender }]) => shares.get(sender) === share)
    const [largest] = ofLargest.toSorted(([, one], [, other]) => other.size - one.size)[0] ?? []
    if (largest === undefined) return
    leave(largest)
    largest.socket.destroy()
  }

  return (connection, request, { limit, sender }) => {
    const tooLarge = (): Result<Bytes, Refusal> =>
      err(refuse('body_too_large', { code: 'bytes_at_most', params: { count: limit } }))
    if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLarge())
    if (connection.broken !== undefined) return Promise.resolve(err(connection.broken))
    // It no longer reports that it is closed.
    if (request.destroyed) return Promise.resolve(err('gone'))
    // Most arrive together with their head.
    if (request.complete) {
      const whole = readWhole(request)
      return Promise.resolve(whole.length > limit ? tooLarge() : ok(whole))
    }
    const { promise, resolve } = Promise.withResolvers<Result<Bytes, Refusal | 'gone'>>()
    const chunks: Uint8Array[] = []
    let size = 0
    let over = false
    const finish = (outcome: Result<Bytes, Refusal | 'gone'>): void => {
      if (over) return
      over = true
      leave(connection)
      chunks.length = 0
      connection.onBroken = undefined
      connection.phase = 'working'
      resolve(outcome)
    }
    reading.set(connection, { sender, size: 0 })
    connection.phase = 'receiving'
    connection.onBroken = (refusal) => finish(err(refusal))
    request.on('data', (chunk: Uint8Array) => {
      if (over) return
      size += chunk.length
      chunks.push(chunk)
      take(connection, chunk.length)
      if (size > limit) finish(tooLarge())
    })
    request.on('end', () => finish(ok(joined(chunks))))
    request.on('close', () => finish(err('gone')))
    request.on('error', () => finish(err('gone')))
    return promise
  }
}

/** Of a request that is there to its end. From Node 26 on each read gives one chunk. */
const readWhole = (request: IncomingMessage): Bytes => {
  const chunks: Uint8Array[] = []
  for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk)
  return joined(chunks)
}
