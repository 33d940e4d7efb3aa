import type { IncomingMessage } from 'node:http'
import { type Refusal, refuse } from '../contract/errors.ts'
import { type Bytes, joined } from '../protocol/bytes.ts'
import type { HeaderPair } from '../protocol/canonical-request.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Connection } from './connection.ts'
import { isNamed } from './message.ts'

/** RFC 9112 section 6.3: a request has one only when it says so. */
export const hasBody = (headers: readonly HeaderPair[]): boolean =>
  headers.some(
    ([name, value]) => (isNamed(name, 'content-length') && value !== '0') || isNamed(name, 'transfer-encoding'),
  )

export type BodyReader = (
  connection: Connection,
  request: IncomingMessage,
  limit: number,
) => Promise<Result<Bytes, Refusal | 'gone'>>

/**
 * Reads whole bodies; refuses one as soon as it is known to be too large, or to come to nothing. All bodies that are
 * being read take at most so many bytes together: beyond that, the connection of the oldest one is ended.
 */
export const createBodyReader = (mostBytes: number): BodyReader => {
  const reading = new Set<Connection>()
  let total = 0

  const take = (size: number): void => {
    total += size
    if (total <= mostBytes) return
    const [oldest] = reading
    if (oldest === undefined) return
    reading.delete(oldest)
    oldest.socket.destroy()
  }

  return (connection, request, limit) => {
    const tooLarge = (): Result<Bytes, Refusal> =>
      err(refuse('body_too_large', { code: 'bytes_at_most', params: { count: limit } }))
    if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLarge())
    if (connection.broken !== undefined) return Promise.resolve(err(connection.broken))
    // It no longer reports that it is closed.
    if (request.destroyed) return Promise.resolve(err('gone'))
    // Most come together with their head.
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
      total -= size
      chunks.length = 0
      reading.delete(connection)
      connection.onBroken = undefined
      connection.phase = 'working'
      resolve(outcome)
    }
    reading.add(connection)
    connection.phase = 'receiving'
    connection.onBroken = (refusal) => finish(err(refusal))
    request.on('data', (chunk: Uint8Array) => {
      if (over) return
      size += chunk.length
      chunks.push(chunk)
      take(chunk.length)
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
