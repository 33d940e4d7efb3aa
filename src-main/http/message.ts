import { AsyncLocalStorage } from 'node:async_hooks'
import type { Refusal } from '../core/contract/errors.ts'
import type { Bytes } from '../core/protocol/bytes.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { orNothing } from '../core/protocol/result.ts'

/** Only the request line and the headers have been parsed. */
export type RawRequest = {
  /** `req_…`; appears in the log line, in events as cause, and in the text of 50001. */
  readonly id: string
  /** `nowMicros()` when its head was complete. */
  readonly arrived: number
  /** The workspace named by the path (`/w/<id>`), else `main`. */
  readonly workspace: string
  readonly method: string
  /** Path and query exactly as on the request line and as signed, including the workspace's prefix. */
  readonly target: string
  /** The path as on the request line, without workspace prefix, mount prefix and query. */
  readonly path: string
  readonly query: string
  /** In order, names as sent, values as latin1 (one character for each octet). */
  readonly headers: readonly HeaderPair[]
  readonly body: Bytes
  readonly gone: AbortSignal
}

export type RawResponse = {
  readonly status: number
  readonly headers: readonly HeaderPair[]
  readonly body: string | Uint8Array
  /** For event streams: called with the open socket after the head; returns the cleanup for when the client leaves. */
  readonly stream?: (wire: StreamWire) => () => void
  /** The answer is lost on the wire: the socket is closed without it. */
  readonly lost?: true
  /** Passed on as the other server sent it: with its reason phrase, its Date if any, and its length. */
  readonly passed?: { readonly reason: string }
  /** The connection ends after this answer. */
  readonly last?: true
  /** Raw octets instead of an answer: called with the bare socket; returns the cleanup for its end. */
  readonly raw?: (wire: StreamWire) => () => void
}

export type StreamWire = {
  /** False while the client reads too slowly; one that is far behind is cut off. */
  write(chunk: string | Uint8Array): boolean
  onceDrained(listener: () => void): void
  end(): void
}

export type RequestHead = Omit<RawRequest, 'body' | 'gone'>

/** The server passes whole requests and sends whole responses. */
export type Mount = {
  /** `/fido`, `/app`, `/control/v1`, `/` */
  readonly prefix: string
  /** The mount answers even if the workspace is unknown because the store is unreachable. */
  readonly ofProcess?: true
  /** The mount answers also for a missing workspace, with its own refusal. */
  readonly ofAbsent?: true
  /** The longest body that this request may have. 0: the body is not read, and `answer` gets none. */
  bodyLimit(head: RequestHead): number | Promise<number>
  /** Sender of this body, if several share a workspace: the sender that uses most memory is cut off first. */
  senderOf?(head: RequestHead): string
  answer(request: RawRequest): Promise<RawResponse>
  /** A request's route name, if any: for metrics, and for the log when refused outside the mount. */
  routeOf?(asked: Pick<RequestHead, 'method' | 'path'>): string | undefined
  /**
   * Answers and logs a refusal made outside this mount (a body over the limit) or an error thrown inside it. Without
   * this function the server logs the line and answers with the plain envelope.
   */
  refuse?(request: RawRequest, refusal: Refusal): RawResponse
}

/** Compares a received header's name with one in lower case. */
export const isNamed = (key: string, name: string): boolean => key.length === name.length && key.toLowerCase() === name

export const findHeader = (headers: readonly HeaderPair[], name: string): string | undefined => {
  for (const [key, value] of headers) if (isNamed(key, name)) return value
  return undefined
}

export const countHeaders = (headers: readonly HeaderPair[], name: string): number => {
  let count = 0
  for (const [key] of headers) if (isNamed(key, name)) count++
  return count
}

export const decodePercent = (text: string): string | undefined =>
  text.includes('%') ? orNothing(() => decodeURIComponent(text)) : text

/** For durations only: microseconds from an arbitrary point. */
export const nowMicros = (): number => Math.round(performance.now() * 1000)

/** W3C Trace Context, section 3.2: version 00 has exactly four parts; a later one may have more. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

export type TraceContext = { readonly traceparent: string; readonly traceId: string }

export const readTraceContext = (headers: readonly HeaderPair[]): TraceContext | undefined => {
  const traceparent = findHeader(headers, 'traceparent')
  if (traceparent === undefined) return undefined
  const [, version, traceId, , , more] = TRACEPARENT.exec(traceparent) ?? []
  return traceId === undefined || (version === '00' && more !== undefined) ? undefined : { traceparent, traceId }
}

const traces = new AsyncLocalStorage<string>()

/** Calls made by `run` belong to the trace of the request. */
export const runInTrace = <T>(headers: readonly HeaderPair[], run: () => T): T => {
  const trace = readTraceContext(headers)
  return trace === undefined ? run() : traces.run(trace.traceparent, run)
}

/** W3C Trace Context, section 3.4: a service without spans passes the header on unchanged. */
export const currentTraceparent = (): string | undefined => traces.getStore()
