import type { IncomingMessage } from 'node:http'
import { type Refusal, refuse } from '../contract/errors.ts'
import type { Bytes } from '../protocol/bytes.ts'
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
    // It tells nobody any more that it is closed.
    if (request.destroyed) return Promise.resolve(err('gone'))
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
    request.on('end', () => finish(ok(join(chunks, size))))
    request.on('close', () => finish(err('gone')))
    request.on('error', () => finish(err('gone')))
    return promise
  }
}

const join = (chunks: readonly Uint8Array[], size: number): Bytes => {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
