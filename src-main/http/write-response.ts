import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { isNamed, type RawResponse, type StreamWire } from './message.ts'

export type WriteOptions = {
  readonly close?: boolean
  readonly unreadMs: number
  /** A client that still sends when it is refused has this long to read the refusal. */
  readonly lingerMs: number
  readonly streamBytes: number
}

/** The part of an answer that HTTP cannot carry: Node would throw when sending it. */
export const findUnsendable = ({ status, headers, passed }: Omit<RawResponse, 'body'>): string | undefined => {
  if (!Number.isInteger(status) || status < 200 || status > 999) return `status ${status}`
  const reason = passed?.reason ?? ''
  if (UNSENDABLE.test(reason)) return `reason phrase ${JSON.stringify(reason)}`
  const wrong = headers.find(([name]) => !TOKEN.test(name))
  return wrong && `header ${JSON.stringify(wrong[0])}`
}

/** For an event stream, returns a function that ends the stream from this side. */
export const writeResponse = (
  outgoing: ServerResponse,
  response: RawResponse,
  options: WriteOptions,
): (() => void) | undefined => {
  if (response.lost) {
    outgoing.destroy()
    return undefined
  }
  if (response.raw !== undefined) return writeRaw(outgoing, response.raw, options)
  const head: string[] = []
  // Unsendable characters are replaced: Node would throw on them too late to report it.
  for (const [name, value] of response.headers) head.push(name, value.replaceAll(UNSENDABLE_ALL, '?'))
  if (response.stream !== undefined) return writeStream(outgoing, response, head, options)
  const stillSending = !outgoing.req.complete
  if (options.close === true || response.last === true || stillSending) head.push('Connection', 'close')
  const { body, passed } = response
  if (passed === undefined || !isSized(response, outgoing)) {
    head.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length))
  }
  if (passed === undefined) outgoing.writeHead(response.status, head)
  else {
    outgoing.sendDate = false
    outgoing.writeHead(response.status, passed.reason, head)
  }
  if (stillSending) endLater(outgoing, body, options.lingerMs)
  // Node writes a string together with the head, but bytes separately; Latin-1 makes a string of any bytes.
  else if (typeof body !== 'string' && body.length < FEW_BYTES) outgoing.end(latin1Of(body), 'latin1')
  else outgoing.end(body)
  if (outgoing.writableLength > 0) outgoing.socket?.setTimeout(options.unreadMs)
  return undefined
}

/** Copying more costs more than a second write. */
const FEW_BYTES = 16 * 1024

const latin1Of = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1')

/** RFC 9110 section 8.6: the response has a Content-Length, or needs none. */
const isSized = ({ headers, status }: RawResponse, { req }: ServerResponse): boolean =>
  headers.some(([name]) => isNamed(name, 'content-length')) || status === 204 || status === 304 || req.method === 'HEAD'

/** Closing while the client sends would reset the connection and lose the answer: further input is ignored. */
const endLater = (outgoing: ServerResponse, body: string | Uint8Array, lingerMs: number): void => {
  if (body.length > 0) outgoing.write(body)
  else outgoing.flushHeaders()
  const timer = setTimeout(() => outgoing.destroy(), lingerMs).unref()
  outgoing.once('close', () => clearTimeout(timer))
  outgoing.req.once('end', () => outgoing.end())
  outgoing.req.resume()
}

const writeStream = (
  outgoing: ServerResponse,
  response: RawResponse,
  head: readonly string[],
  { unreadMs, streamBytes }: WriteOptions,
): (() => void) => {
  const { socket } = outgoing
  outgoing.writeHead(response.status, [...head, 'Connection', 'close'])
  outgoing.flushHeaders()
  const end = (): void => {
    outgoing.end()
    socket?.setTimeout(unreadMs)
  }
  const wire: StreamWire = {
    write: (chunk) => {
      // `stop` is called a moment later, so a writer may not know yet that the stream has ended.
      if (outgoing.writableEnded || outgoing.destroyed) return false
      if (outgoing.write(chunk)) return true
      if (outgoing.writableLength > streamBytes) outgoing.destroy()
      else socket?.setTimeout(unreadMs)
      return false
    },
    onceDrained: (listener) => outgoing.once('drain', listener),
    end,
  }
  const stop = response.stream?.(wire)
  // All data was read, so the timeout for unread data is cleared.
  outgoing.on('drain', () => socket?.setTimeout(0))
  // A stream's client that ends its side counts as gone.
  socket?.once('end', end)
  outgoing.once('close', () => stop?.())
  return end
}

/** Bypasses Node's HTTP writer, which would refuse invalid output. */
const writeRaw = (outgoing: ServerResponse, begin: (wire: StreamWire) => () => void, { unreadMs }: WriteOptions) => {
  const { socket } = outgoing
  if (socket === null || socket.destroyed) return undefined
  // A client that neither reads nor leaves is cut off.
  socket.setTimeout(unreadMs)
  const cut = (): void => void socket.destroy()
  const stop = begin({
    write: (bytes) => (socket.writable ? socket.write(bytes) : false),
    onceDrained: (listener) => socket.once('drain', listener),
    end: () => socket.end(),
  })
  socket.once('end', cut)
  outgoing.once('close', stop)
  return cut
}

const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/
const UNSENDABLE_ALL = new RegExp(UNSENDABLE, 'g')
/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** The head of an answer that is written as octets, with its empty line. */
export const rawHead = ({ status, headers }: RawResponse, framing: readonly HeaderPair[]): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`,
    ...[...headers, ...framing].map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
