import type { Socket } from 'node:net'
import { type ErrorName, type Refusal, refuse } from '../core/contract/errors.ts'
import type { Reason } from '../core/contract/reasons.ts'
import type { RawResponse } from './message.ts'
import { reasonPhrase } from './reason-phrase.ts'

type ParserError = Error & { readonly code?: string; readonly rawPacket?: Uint8Array }

/** What Node's parser refuses, by its error code; everything else is a request that is not well formed. */
const NAMES: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Why a request could not be read; undefined when the client has gone. */
export const clientErrorRefusal = (reason: ParserError): Refusal | undefined => {
  if (reason.code === 'ECONNRESET' || reason.code === 'EPIPE') return undefined
  const name = NAMES[reason.code ?? ''] ?? 'malformed_request'
  if (name === 'headers_too_large' && isOverlongLine(reason.rawPacket)) return refuse('target_too_long')
  return refuse(name, reasonOf(reason))
}

/** The first line counts as headers too: when it is most of what overflowed, it is the target's fault. */
const isOverlongLine = (packet: Uint8Array = new Uint8Array(0)): boolean => {
  const start = Buffer.from(packet.subarray(0, 32)).toString('latin1')
  const end = packet.indexOf(10)
  return /^[A-Z]{3,10} [/h]/.test(start) && (end < 0 || end > LONG_LINE)
}

const LONG_LINE = 8 * 1024

/** llhttp's codes are words by themselves: `HPE_INVALID_METHOD` is "invalid method". */
const reasonOf = ({ code = '' }: ParserError): Reason | undefined =>
  code.startsWith('HPE_') && NAMES[code] === undefined
    ? { code: 'parser_says', params: { words: code.slice(4).toLowerCase().replaceAll('_', ' ') } }
    : undefined

/** Writes a whole response where Node has made no response object, and ends the connection in any case. */
export const answerSocket = (
  socket: Socket,
  response: RawResponse,
  { lingerMs }: { readonly lingerMs: number },
): void => {
  const body = Buffer.from(response.body)
  const head = [
    `HTTP/1.1 ${response.status} ${reasonPhrase(response.status)}`,
    ...response.headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
