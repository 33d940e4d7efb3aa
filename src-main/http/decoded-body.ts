import { Buffer } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { headerOf } from './message.ts'

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/** No answer that a person reads unpacks to more. */
const MOST_BYTES = 8 * 1024 * 1024

/** The text of a body without its Content-Encoding; undefined where it cannot be decoded. */
export const decodedBody = (headers: readonly HeaderPair[], body: Uint8Array): string | undefined => {
  const coding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || body.length === 0) return textIn(body)
  const decode = DECODERS.get(coding)
  try {
    return decode === undefined ? undefined : textIn(decode(body, { maxOutputLength: MOST_BYTES }))
  } catch {
    return undefined
  }
}

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
