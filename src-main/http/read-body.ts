import type { IncomingMessage } from 'node:http'
import type { Bytes } from '../protocol/bytes.ts'
import type { HeaderPair } from '../protocol/canonical-request.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { isNamed } from './message.ts'

/** RFC 9112 section 6.3: a request has one only when it says so. */
export const hasBody = (headers: readonly HeaderPair[]): boolean =>
  headers.some(
    ([name, value]) => (isNamed(name, 'content-length') && value !== '0') || isNamed(name, 'transfer-encoding'),
  )

/** The whole body; `too_large` as soon as that is known, `gone` when the client broke off. */
export const readBody = (request: IncomingMessage, limit: number): Promise<Result<Bytes, 'too_large' | 'gone'>> => {
  const length = request.headers['content-length']
  if (length !== undefined && Number(length) > limit) return TOO_LARGE
  // It tells nobody any more that it is closed.
  if (request.destroyed) return GONE
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size > limit) resolve(err('too_large'))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(ok(join(chunks, size))))
    request.on('close', () => resolve(err('gone')))
    request.on('error', () => resolve(err('gone')))
  })
}

const TOO_LARGE = Promise.resolve(err('too_large' as const))
const GONE = Promise.resolve(err('gone' as const))

const join = (chunks: readonly Uint8Array[], size: number): Bytes => {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
