import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AgentOptions, request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { parseReason, type Reason } from '../../core/contract/errors.ts'
import { type Bytes, fromUtf8, utf8 } from '../../core/protocol/bytes.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import { readBounded } from '../../core/protocol/read-bounded.ts'
import type { PhoneWord } from '../../core/protocol/reasons.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { type Account, accountProof } from './account-secret.ts'
import { type PhoneRefusal, type PhoneResult, refusePhone, type Traceparent } from './phone-state.ts'

export type AppCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly conduct?: UploadConduct
}

/** `token` is given only for calls as a device other than the phone's own. */
export type PathCall = Omit<AppCall, 'url'> & { readonly path: string }

export type AppAnswer = {
  readonly status: number
  readonly code: number
  readonly data: Readonly<Record<string, unknown>>
  readonly error: string
}

export type Exchange = (call: AppCall) => PhoneResult<AppAnswer>

export type StreamHandlers = {
  open(): void
  chunk(text: Buffer): void
  /** Called once, when the stream ended or never began; with the answer that came in place of a stream. */
  end(answer?: AppAnswer): void
}

export type AppClient = ReturnType<typeof createAppClient>

const ANSWER_LIMIT = 1024 * 1024
const BROKEN_OFF: Reason = { code: 'connection_broke_off' }
const PATIENCE_MS = 15_000
/** Below the service's idle timeout: a request on a connection that is being closed would fail. */
const IDLE_MS = 30_000

const parseAnswer = (response: IncomingMessage, body: Uint8Array): Result<AppAnswer, PhoneRefusal> => {
  const status = response.statusCode ?? 0
  const garbled = (form: 'UTF-8' | 'JSON' | 'envelope') =>
    err(refusePhone('garbled', { reason: { code: 'answer_is_not', params: { form, status } } }))
  const text = fromUtf8(body)
  if (text === undefined) return garbled('UTF-8')
  const envelope = parseJsonOrNothing(text)
  if (envelope === undefined) return garbled('JSON')
  if (!isObject(envelope)) return garbled('envelope')
  const { code, data, error } = envelope
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof error !== 'string' || !isObject(data)) {
    return garbled('envelope')
  }
  return ok({ status, code, data, error })
}

const readAnswer = (response: IncomingMessage): PhoneResult<AppAnswer> =>
  readBounded(response, ANSWER_LIMIT).then(
    (body) =>
      body === undefined
        ? err(refusePhone('garbled', { reason: { code: 'answer_too_long' } }))
        : parseAnswer(response, body),
    () => err(refusePhone('unreachable', { reason: BROKEN_OFF })),
  )

/** Maximum numbers of open connections and of idle ones among them; streams have separate connections. */
const POOL = { maxSockets: 64, maxFreeSockets: 16 }

/** The phones' client for the service, with one connection pool; no answer throws. `tls`: the service uses https. */
export const createAppClient = (
  wall: Clock,
  tls?: AgentOptions,
  { traceparent, size = POOL }: { readonly traceparent?: Traceparent | undefined; readonly size?: typeof POOL } = {},
) => {
  const agentOf = (options: AgentOptions): Agent =>
    tls === undefined ? new Agent(options) : new TlsAgent({ ...options, ...tls })
  const request = tls === undefined ? httpRequest : httpsRequest
  const pool = agentOf({ keepAlive: true, timeout: IDLE_MS, ...size })
  const streams = agentOf({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

  const headersOf = (call: Pick<AppCall, 'token' | 'headers'>, body?: Uint8Array): Record<string, string> => ({
    ...call.headers,
    ...(call.token === undefined || call.token === '' ? {} : { Authorization: `Bearer ${call.token}` }),
    ...(body === undefined ? {} : { 'Content-Length': String(body.length) }),
  })

  const exchange: Exchange = (call) =>
    new Promise((resolve) => {
      const { bend = (plain: Bytes) => plain, contentType = 'application/json', write, hangsUp } = call.conduct ?? {}
      const body = call.body === undefined ? undefined : bend(utf8(JSON.stringify(call.body)))
      const type = body === undefined ? {} : { 'Content-Type': contentType }
      const trace = traceparent?.()
      const headers = { ...headersOf(call, body), ...type, ...(trace === undefined ? {} : { traceparent: trace }) }
      const req = request(call.url, { method: call.method, agent: pool, headers })
      const settle = (result: Result<AppAnswer, PhoneRefusal>): void => {
        cancelPatience()
        resolve(result)
      }
      const giveUp = (refusal: PhoneRefusal): void => {
        settle(err(refusal))
        req.destroy()
      }
      const cancelPatience = wall.at(wall.now() + PATIENCE_MS, () => giveUp(refusePhone('timed_out')))
      // No automatic retry: the outcome would then depend on a kept connection.
      req.on('error', (error: NodeJS.ErrnoException) =>
        settle(err(refusePhone('unreachable', { reason: REASONS[error.code ?? ''] }))),
      )
      req.on('response', (response) => {
        if (hangsUp) return giveUp(refusePhone('unreachable', { reason: BROKEN_OFF }))
        void readAnswer(response).then(settle)
      })
      if (body === undefined || write === undefined) req.end(body)
      else write(req, body)
    })

  return {
    exchange,
    stream(call: Omit<AppCall, 'method' | 'body'>, handlers: StreamHandlers): () => void {
      const req = request(call.url, { agent: streams, headers: headersOf(call) })
      let over = false
      const end = (answer?: AppAnswer): void => {
        if (over) return
        over = true
        req.destroy()
        handlers.end(answer)
      }
      req.on('error', () => end())
      req.on('response', (response) => {
        if (over) return
        const type = response.headers['content-type'] ?? ''
        if (response.statusCode !== 200 || !type.startsWith('text/event-stream')) {
          return void readAnswer(response).then((answer) => end(answer.ok ? answer.value : undefined))
        }
        handlers.open()
        response.on('data', (chunk: Buffer) => {
          if (!over) handlers.chunk(chunk)
        })
        response.on('close', () => end())
        response.on('error', () => end())
      })
      req.end()
      return () => {
        over = true
        req.destroy()
      }
    },
    close(): void {
      pool.destroy()
      streams.destroy()
    },
  }
}

type Service = { readonly client: Pick<AppClient, 'exchange'>; appUrl(): string }

/** POST /devices with the account's proof. */
export const registerDevice = ({ client, appUrl }: Service, account: Account, deviceName: string) => {
  const { name, phone } = account
  const body = { account: { name, phone, proof: accountProof(account) }, device_name: deviceName }
  return client.exchange({ method: 'POST', url: `${appUrl()}/devices`, body })
}

export const removeDevice = ({ client, appUrl }: Service, token: string) =>
  client.exchange({ method: 'DELETE', url: `${appUrl()}/devices/self`, token })

const REASONS: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: { code: 'nothing_listens' },
  ECONNRESET: BROKEN_OFF,
  ENOTFOUND: { code: 'host_name_unknown' },
}

/** How an upload differs from a plain one. */
export type UploadConduct = {
  readonly bend?: (body: Bytes) => Bytes
  readonly contentType?: string
  readonly write?: (request: ClientRequest, body: Bytes) => void
  /** The phone hangs up once the response begins. */
  readonly hangsUp?: true
}

/** The codes with a separate meaning for a phone; any other is shown with the service's reason. */
const WORDS: Readonly<Record<number, PhoneWord>> = {
  40110: 'signed_out',
  40301: 'bound_elsewhere',
  40402: 'message_not_found',
  40902: 'wrong_state',
  40903: 'answered_differently',
  41002: 'expired',
  41201: 'vault_conflict',
}

export const serviceRefusal = (answer: AppAnswer): PhoneRefusal => {
  const word = WORDS[answer.code]
  return word === undefined
    ? refusePhone('service_refused', { reason: parseReason(answer.data.reason), code: answer.code })
    : refusePhone(word, { code: answer.code })
}

/** True if sending the call again makes sense, even though the service may have received it. */
export const isTransient = ({ word }: PhoneRefusal): boolean =>
  word === 'unreachable' || word === 'timed_out' || word === 'garbled' || word === 'offline'
