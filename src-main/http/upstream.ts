import { Buffer } from 'node:buffer'
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as TlsAgent } from 'node:https'
import { rootCertificates } from 'node:tls'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Reason } from '../core/contract/errors.ts'
import { type HeaderPair, headerPairs } from '../core/protocol/canonical-request.ts'
import { err, ok, orNothing, type Result } from '../core/protocol/result.ts'
import { findHeader, isNamed, type RawRequest, type RawResponse, type StreamWire } from './message.ts'
import { findUnsendable } from './write-response.ts'

export type UpstreamOptions = {
  /** Only the URL's origin is used. */
  readonly url: URL
  /** PEM certificates trusted in addition to the usual roots. */
  readonly ca?: string | undefined
  /** An answer after this time is ignored. */
  readonly patienceMs: number
}

export type UpstreamRequest = Pick<RawRequest, 'method' | 'target' | 'headers' | 'body'>

export type Upstream = ReturnType<typeof createUpstream>

/** A longer answer is not passed on. */
const MAX_BYTES = 8 * 1024 * 1024
/** Shorter than the five seconds after which Node's own servers close an idle connection, to avoid a race. */
const IDLE_MS = 4_000
const HEAD_BYTES = 64 * 1024

export const createUpstream = ({ url, ca, patienceMs }: UpstreamOptions) => {
  const secure = url.protocol === 'https:'
  const kept = { keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' } as const
  const agent = secure
    ? new TlsAgent({ ...kept, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) })
    : new Agent(kept)
  const where = {
    agent,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    setHost: false,
    maxHeaderSize: HEAD_BYTES,
  }
  const open = secure ? requestHttps : requestHttp

  /** Returns the answer, without hop-by-hop headers but with its body's exact bytes, or why there is none. */
  const send = ({
    method,
    target,
    headers,
    body,
  }: UpstreamRequest): Promise<Result<RawResponse & { readonly body: Uint8Array }, Reason>> =>
    new Promise((resolve) => {
      let asking: ClientRequest
      let hasAnswer = false
      const refused = (reason: Reason): void => {
        clearTimeout(timer)
        resolve(err(reason))
        asking?.destroy()
      }
      const failed = (reason: NodeJS.ErrnoException): void => refused(reasonOf(reason, hasAnswer))
      const timer = setTimeout(
        () => refused({ code: 'target_silent', params: { seconds: patienceMs / 1000 } }),
        patienceMs,
      )
      const answered = (answer: IncomingMessage): void => {
        hasAnswer = true
        const head = headOf(answer)
        const wrong = findUnsendable(head)
        if (wrong !== undefined) {
          refused({ code: 'target_no_http', params: { code: wrong } })
          return
        }
        if (answer.headers['content-type']?.startsWith('text/event-stream') === true) {
          clearTimeout(timer)
          resolve(ok({ ...head, body: Buffer.of(), stream: (wire) => passStream(answer, wire) }))
          return
        }
        const pieces: Buffer[] = []
        let size = 0
        answer.on('data', (piece: Buffer) => {
          pieces.push(piece)
          size += piece.length
          if (size > MAX_BYTES) refused({ code: 'target_too_much', params: { count: MAX_BYTES } })
        })
        answer.on('error', failed)
        answer.on('end', () => {
          clearTimeout(timer)
          resolve(ok({ ...head, body: pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, size) }))
        })
      }
      try {
        asking = open({ ...where, method, path: target, headers: flat(headers, body) }, answered)
        asking.on('error', failed)
        // Node closes the connection on an unexpected upgrade, without an error.
        asking.on('close', () => refused({ code: 'target_cut' }))
        asking.end(body.length === 0 ? undefined : body)
      } catch (reason) {
        failed(reason as NodeJS.ErrnoException)
      }
    })

  return { host: url.host, send, close: (): void => agent.destroy() }
}

/** RFC 9110 section 7.6.1: these headers concern one connection. */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
])

/** Without headers about the received connection, including those that its Connection header names. */
export const endToEndHeaders = (headers: readonly HeaderPair[]): readonly HeaderPair[] => {
  let dropped: ReadonlySet<string> = HOP_BY_HOP
  for (const [name, value] of headers) {
    if (!isNamed(name, 'connection')) continue
    const named = value.toLowerCase().split(',')
    dropped = new Set([...dropped, ...named.map((each) => each.trim())])
  }
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()) || isNamed(name, 'host'))
}

/**
 * Checks that a path stays below the base address for every way that a server may read it: escapes decoded more than
 * once, backslashes as slashes, several slashes as one, parameters after a semicolon ignored.
 */
export const staysBelowBase = (path: string): boolean => {
  // Most paths have nothing that is read in two ways.
  if (!/[%\\;]|\/[/.]/.test(path)) return true
  let read = path
  for (let last = ''; read !== last; ) {
    last = read
    read = read.replace(/%(2e|2f|5c|25|3b)/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)))
  }
  if (/^[/\\]{2}/.test(read)) return false
  let depth = 0
  for (const segment of read.split(/[/\\]+/)) {
    const name = segment.replace(/;.*/s, '')
    if (name === '..') depth -= 1
    else if (name !== '' && name !== '.') depth += 1
    if (depth < 0) return false
  }
  return true
}

/** A chunked body is passed on with its length. */
const flat = (headers: readonly HeaderPair[], body: Uint8Array): string[] => {
  const all = headers.flat()
  const isSized = headers.some(([name]) => isNamed(name, 'content-length'))
  return isSized || body.length === 0 ? all : [...all, 'Content-Length', String(body.length)]
}

const headOf = ({ statusCode = 0, statusMessage = '', rawHeaders }: IncomingMessage): RawResponse => ({
  ...{ status: statusCode, headers: endToEndHeaders(headerPairs(rawHeaders)), body: '' },
  passed: { reason: statusMessage },
})

const passStream = (answer: IncomingMessage, wire: StreamWire): (() => void) => {
  answer.on('data', (piece: Buffer) => {
    if (wire.write(piece)) return
    answer.pause()
    wire.onceDrained(() => answer.resume())
  })
  answer.once('close', () => wire.end())
  answer.on('error', () => wire.end())
  // The answer may have ended before the listener was added.
  if (answer.closed) wire.end()
  return () => answer.destroy()
}

const reasonOf = ({ code = '', message }: NodeJS.ErrnoException, answered: boolean): Reason => {
  if (code.startsWith('HPE_')) return { code: 'target_no_http', params: { code } }
  if (answered || code === 'ECONNRESET' || code === 'EPIPE') return { code: 'target_cut' }
  return { code: 'target_unreachable', params: { problem: code || message } }
}

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/** Undefined if its Content-Encoding cannot be decoded. */
export const decodeBody = (headers: readonly HeaderPair[], body: Uint8Array): string | undefined => {
  const coding = findHeader(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || body.length === 0) return textIn(body)
  const decode = DECODERS.get(coding)
  return decode && orNothing(() => textIn(decode(body, { maxOutputLength: MAX_BYTES })))
}

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
