import { Buffer } from 'node:buffer'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { CheckVerdict } from '../../core/contract/check-report.ts'
import { type HeaderPair, headerPairs } from '../../core/protocol/canonical-request.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../core/protocol/json.ts'

/** A request as it goes over the wire. Texts have one character for each octet. */
export type WireRequest = {
  readonly method: string
  readonly target: string
  readonly headers: readonly HeaderPair[]
  readonly body: Uint8Array
}

export type WireResponse = { readonly status: number; readonly headers: readonly HeaderPair[]; readonly text: string }

/** The request and its response: the evidence for a verdict. `problem` is set if no complete response came. */
export type Exchange = {
  readonly origin: string
  readonly request: WireRequest
  readonly response?: WireResponse
  /** `not sendable`: HTTP cannot carry an ID or a token that the service gave. */
  readonly problem?: 'refused' | 'broken off' | 'timed out' | 'too large' | 'not sendable'
  readonly tookMs: number
}

/** Longest wait for a complete response. */
const RESPONSE_TIMEOUT_MS = 10_000
/** Enough for the longest envelope, a list of credentials. */
const MAX_BYTES = 1024 * 1024

/** `at`: when the exchange began, in milliseconds of real time. */
export type TimedExchange = Exchange & { readonly at: number }

export type SendOptions = {
  readonly ca?: string | undefined
  readonly patienceMs?: number | undefined
  /** A response that never ends counts as complete as soon as it contains this text. */
  readonly until?: string
}

/** Sends the request unchanged, on a new connection: no library adds a header or retries. */
export const sendRequest = (origin: string, request: WireRequest, options: SendOptions = {}): Promise<Exchange> =>
  new Promise((resolve) => {
    const { ca, patienceMs = RESPONSE_TIMEOUT_MS, until } = options
    const began = performance.now()
    const end = (came: Pick<Exchange, 'response' | 'problem'>): void => {
      clearTimeout(patience)
      outgoing.destroy()
      resolve({ origin, request, ...came, tookMs: performance.now() - began })
    }
    const { protocol, hostname, port } = new URL(origin)
    const open = (): ClientRequest =>
      (protocol === 'https:' ? requestHttps : requestHttp)({
        hostname: hostname.replace(/^\[|\]$/g, ''),
        ...(port === '' ? {} : { port }),
        ...(ca === undefined ? {} : { ca }),
        method: request.method,
        path: request.target,
        headers: [...request.headers, ...lengthOf(request)].flat(),
        setHost: false,
        agent: false,
      })
    let outgoing: ClientRequest
    try {
      outgoing = open()
    } catch {
      resolve({ origin, request, problem: 'not sendable', tookMs: 0 })
      return
    }
    const patience = setTimeout(() => end({ problem: 'timed out' }), patienceMs)
    outgoing.once('error', ({ code }: NodeJS.ErrnoException) =>
      end({ problem: code === 'ECONNREFUSED' || code === 'ENOTFOUND' ? 'refused' : 'broken off' }),
    )
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = []
      let size = 0
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > MAX_BYTES) end({ problem: 'too large' })
        else chunks.push(chunk)
        if (until !== undefined && Buffer.concat(chunks).includes(until)) whole()
      })
      const whole = (): void => {
        const headers = headerPairs(incoming.rawHeaders)
        end({ response: { status: incoming.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString('utf8') } })
      }
      incoming.once('end', whole)
      incoming.once('aborted', () => end({ problem: 'broken off' }))
    })
    outgoing.end(request.body)
  })

const lengthOf = ({ body, method }: WireRequest): readonly HeaderPair[] =>
  body.length > 0 || method === 'POST' || method === 'PUT' ? [['Content-Length', String(body.length)]] : []

/** The value of a header, whatever its case. */
export const findHeader = (message: Pick<WireRequest, 'headers'> | undefined, name: string): string | undefined =>
  message?.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

/** The members of an envelope; without a code where the response is not one. */
export const readEnvelope = ({ response }: Exchange) => {
  const parsed = parseJsonOrNothing(response?.text ?? '')
  const { code, data, error }: JsonObject = isObject(parsed) && 'code' in parsed ? parsed : {}
  const members: JsonObject = isObject(data) ? data : {}
  return { code, data: members, error }
}

/** The case cannot continue, for a reason other than the one it tests. */
export class CaseEnded extends Error {
  readonly verdict: CheckVerdict

  constructor(message: string, verdict: CheckVerdict = 'vacuous') {
    super(message)
    this.verdict = verdict
  }
}

/** True for HTTP 200 with code 0 in a complete envelope. */
export const isSuccess = (exchange: Exchange): boolean =>
  exchange.response?.status === 200 && readEnvelope(exchange).code === 0

/** Data of a successful answer. Without one, the case cannot go on. */
export const successData = (exchange: Exchange): JsonObject => {
  const { method, target } = exchange.request
  if (!isSuccess(exchange)) throw new CaseEnded(`${method} ${target.replace(/\?.*/s, '')}: ${responseLine(exchange)}`)
  return readEnvelope(exchange).data
}

/** The response in one line, or the reason why none came. */
export const responseLine = (exchange: Exchange): string => {
  const { response, problem } = exchange
  if (response === undefined) return problem ?? 'nothing'
  const code = readEnvelope(exchange).code
  return `HTTP ${response.status}, ${code === undefined ? 'no envelope' : `code ${JSON.stringify(code)}`}`
}
