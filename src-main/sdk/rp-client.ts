import { Agent, request as httpRequest } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { clearTimeout, setTimeout } from 'node:timers'
import { ANSWER_SHAPES, type AnswerShape, shapeMismatch } from '../core/contract/rp/believable-answer.ts'
import type { MessageAddressData, RpData, RpInput } from '../core/contract/rp/routes.ts'
import { utf8 } from '../core/protocol/bytes.ts'
import { type HeaderPair, headerPairs } from '../core/protocol/canonical-request.ts'
import { isObject, withoutUndefined } from '../core/protocol/json.ts'
import { messageIdOf } from '../core/protocol/message-address.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { type RpClientProblem, rpProblemText, type SignedPart } from '../core/protocol/rp-client-problems.ts'
import type { Millis } from '../core/protocol/time.ts'
import { parseEnvelope } from './errors.ts'
import { trustOnly } from './fetch-trusting.ts'
import { type SignedRequest, type SigningKey, signRequest } from './sign-request.ts'

export type RpClientOptions = SigningKey & {
  /** `http://localhost:7420/fido` */
  readonly baseUrl: string
  /** PEM of the certificates to trust instead of the system's, if the service uses https. */
  readonly ca?: string | undefined
  /** The time in X-Svc-Date, in milliseconds: `Date.now`, except for tests with another clock. */
  readonly now: () => Millis | Promise<Millis>
  /** Timeout of an answer, to its last byte; 30 s by default. */
  readonly timeoutMs?: number
  /** Called with the signed texts when the service reports that the signature does not match. */
  readonly onMismatch?: (signed: SignedRequest) => void
  /** Called with every request before it is sent. */
  readonly onSigned?: (signed: SignedRequest) => void
  /** The trace of a call, as W3C Trace Context; the service records it with the exchange. */
  readonly traceparent?: () => string | undefined
  /** @internal Shares connections with other clients: the owner of the agent closes it. */
  readonly agent?: Agent
}

/** `msg_id`: the text after `#`, first character removed, for the result calls. */
export type Message = MessageAddressData & { readonly msg_id: string }

export type RegistrationResult = RpData<'attestation.result'>
export type AuthenticationResult = RpData<'assertion.result'>

export type RpRefusal = {
  /** The envelope's code; 0 without an envelope. */
  readonly code: number
  readonly httpStatus: number
  /** The service's error text or, without an envelope, the problem's text. */
  readonly error: string
  readonly data: unknown
  /** The client's own diagnosis. */
  readonly problem?: RpClientProblem
}

export type RpAnswer = {
  readonly httpStatus: number
  readonly headers: readonly HeaderPair[]
  readonly body: Uint8Array
}

type OnAnswer = (answer: RpAnswer) => void

type Outcome<T> = Promise<Result<T, RpRefusal>>

export type RegistrationRequest = RpInput<'attestation.options'>['body']
export type AuthenticationRequest = RpInput<'assertion.options'>['body']

/** An RP's side of docs/interface/relying-party.md. It signs every call and keeps its connections open. */
export type RpClient = ReturnType<typeof createRpClient>

export const createRpClient = (options: RpClientOptions) => {
  const base = new URL(options.baseUrl)
  const tls = base.protocol === 'https:'
  const trust = options.ca === undefined ? {} : trustOnly(options.ca)
  const agent = options.agent ?? (tls ? new TlsAgent({ keepAlive: true, ...trust }) : new Agent({ keepAlive: true }))
  const prefix = base.pathname.replace(/\/$/, '')

  const send = async (method: string, pathAndQuery: string, body?: unknown, onAnswer?: OnAnswer): Outcome<unknown> => {
    const bytes = body === undefined ? new Uint8Array(0) : utf8(JSON.stringify(body))
    const target = prefix + pathAndQuery
    const made = signRequest({ method, host: base.host, target, body: bytes }, options, await options.now())
    if (!made.ok) return err(unanswered({ code: 'not_signable', params: { problem: made.error } }))
    const signed = made.value
    options.onSigned?.(signed)
    const headers: HeaderPair[] = [...signed.headers]
    const traceparent = options.traceparent?.()
    if (traceparent !== undefined) headers.push(['traceparent', traceparent])
    if (body !== undefined) headers.push(['Content-Type', 'application/json'], ['Content-Length', String(bytes.length)])
    const { timeoutMs = 30_000 } = options
    const answer = await exchange({ base, agent, method, target, headers, body: bytes, timeoutMs })
    if (!answer.ok) return err(unanswered(answer.error))
    onAnswer?.(answer.value)
    const opened = openAnswer(answer.value, signed)
    if (!opened.ok && opened.error.code === SIGNATURE_MISMATCH) options.onMismatch?.(signed)
    return opened
  }

  const get = async (path: string, name: string, value: string, onAnswer?: OnAnswer): Outcome<unknown> =>
    value.isWellFormed()
      ? send('GET', `${path}?${name}=${encodeURIComponent(value)}`, undefined, onAnswer)
      : err(unanswered({ code: 'not_unicode', params: { name, got: value } }))

  return {
    register: async (request: RegistrationRequest): Outcome<Message> =>
      messageIn(await send('POST', '/rp/attestation/options', request)),
    /** Calls `onAnswer` with the raw answer before it is parsed. */
    registrationResult: async (msgId: string, onAnswer?: OnAnswer): Outcome<RegistrationResult> =>
      shaped(await get('/rp/attestation/result', 'msg_id', msgId, onAnswer), ANSWER_SHAPES.registration),
    authenticate: async (request: AuthenticationRequest): Outcome<Message> =>
      messageIn(await send('POST', '/rp/assertion/options', request)),
    authenticationResult: async (msgId: string, onAnswer?: OnAnswer): Outcome<AuthenticationResult> =>
      shaped(await get('/rp/assertion/result', 'msg_id', msgId, onAnswer), ANSWER_SHAPES.authentication),
    credentials: async (userId: string): Outcome<RpData<'credentials.list'>> =>
      shaped(await get('/rp/credentials', 'user_id', userId), ANSWER_SHAPES.credentials),
    deleteCredentials: async (
      what: Required<RpInput<'credentials.delete'>['body']>,
    ): Outcome<RpData<'credentials.delete'>> =>
      shaped(await send('DELETE', '/rp/credentials', what), ANSWER_SHAPES.deletion),
    /** Signs and sends any call: `send('GET', '/rp/credentials?user_id=1')`. */
    send,
    close: () => {
      if (options.agent === undefined) agent.destroy()
    },
  }
}

const unusable = (problem: RpClientProblem, answer: Pick<RpRefusal, 'httpStatus' | 'data'>): RpRefusal => ({
  ...{ code: 0, error: rpProblemText(problem), problem },
  ...answer,
})

const unanswered = (problem: RpClientProblem): RpRefusal => unusable(problem, { httpStatus: 0, data: {} })

const shaped = <T>(answer: Result<unknown, RpRefusal>, shape: AnswerShape): Result<T, RpRefusal> => {
  if (!answer.ok) return answer
  const data = isObject(answer.value) ? answer.value : {}
  const params = shapeMismatch(data, shape)
  if (params === undefined) return ok(data as T)
  return err(unusable({ code: 'answer_unfit', params }, { httpStatus: 200, data }))
}

const messageIn = (answer: Result<unknown, RpRefusal>): Result<Message, RpRefusal> => {
  const message = shaped<Omit<Message, 'msg_id'>>(answer, ANSWER_SHAPES.message)
  return message.ok ? ok({ ...message.value, msg_id: messageIdOf(message.value.url) }) : message
}

/** @internal */
type Exchange = {
  readonly base: URL
  readonly agent: Agent | TlsAgent
  readonly method: string
  readonly target: string
  /** Values have one character for each octet. */
  readonly headers: readonly HeaderPair[]
  readonly body: Uint8Array
  readonly timeoutMs: number
}

/** Far above any answer of the service: a longer one is from another server. */
const MAX_BYTES = 8 * 1024 * 1024

/** @internal Sends a request unchanged. The base alone decides where it goes. */
export const exchange = (what: Exchange): Promise<Result<RpAnswer, RpClientProblem>> =>
  new Promise((settle) => {
    const { base, agent, method, target: path, headers, body, timeoutMs: ms } = what
    const { host } = base
    const resolve = (answer: Result<RpAnswer, RpClientProblem>): void => {
      clearTimeout(tooLate)
      settle(answer)
    }
    const fail = ({ message }: Error): void => resolve(err({ code: 'not_answered', params: { host, why: message } }))
    const giveUp = (problem: RpClientProblem): void => {
      resolve(err(problem))
      sent.destroy()
    }
    const isSecure = base.protocol === 'https:'
    const sent = (isSecure ? httpsRequest : httpRequest)({
      host: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port === '' ? (isSecure ? 443 : 80) : base.port,
      ...{ agent, method, path, headers: headers.flat(), setHost: false },
    })
    // After the request: making one throws for a path that HTTP does not have, and no timer must outlive that.
    const tooLate = setTimeout(() => giveUp({ code: 'answer_late', params: { host, ms } }), ms)
    sent.on('error', fail)
    sent.on('response', (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > MAX_BYTES) giveUp({ code: 'answer_too_large', params: { host, bytes: MAX_BYTES } })
        else parts.push(part)
      })
      response.on('error', fail)
      response.on('end', () => {
        const { statusCode: httpStatus = 0, rawHeaders } = response
        resolve(ok({ httpStatus, headers: headerPairs(rawHeaders), body: Buffer.concat(parts) }))
      })
    })
    sent.end(body.length === 0 ? undefined : body)
  })

const openAnswer = ({ httpStatus, body }: RpAnswer, signed: SignedRequest): Result<unknown, RpRefusal> => {
  const text = Buffer.from(body).toString('utf8')
  const envelope = parseEnvelope(text)
  if (envelope === undefined) {
    const problem = { code: 'answer_no_envelope', params: { status: httpStatus } } as const
    return err(unusable(problem, { httpStatus, data: text }))
  }
  if (envelope.code === 0) return ok(envelope.data)
  return err({ ...envelope, httpStatus, ...withoutUndefined({ problem: mismatchIn(envelope, signed) }) })
}

const SIGNATURE_MISMATCH = 40104

const mismatchIn = ({ code, data }: Pick<RpRefusal, 'code' | 'data'>, signed: SignedRequest) =>
  code === SIGNATURE_MISMATCH && isObject(data) && 'canonical_request' in data
    ? explainMismatch(signed.canonicalRequest, String(data.canonical_request))
    : undefined

const FIXED_PARTS = ['method', 'path', 'query'] as const

/** The first difference between the signed canonical request and the one that the service computed. */
export const explainMismatch = (signed: string, computed: string): RpClientProblem => {
  if (signed === computed) return { code: 'signed_alike' }
  const [ours, theirs] = [signed.split('\n'), computed.split('\n')]
  const line = ours.findIndex((text, i) => text !== theirs[i])
  const at = line < 0 ? ours.length : line
  const part = partAt(at, ours)
  const [own, other] = [ours[at], theirs[at]]
  return {
    code: 'signed_otherwise',
    params: {
      part,
      ...(part === 'header' ? { header: (own ?? '').split(':')[0] ?? '' } : {}),
      ...withoutUndefined({ signed: own, computed: other }),
    },
  }
}

/** Order of lines: three fixed lines, one per signed header, a blank line, the header names, the payload's hash. */
const partAt = (line: number, lines: readonly string[]): SignedPart => {
  const fixed = FIXED_PARTS[line]
  if (fixed !== undefined) return fixed
  if (line >= lines.length - 1) return 'body_hash'
  return line === lines.length - 2 ? 'signed_headers' : 'header'
}
