import { Agent, request as httpRequest } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { clearTimeout, setTimeout } from 'node:timers'
import type { MessageAddressData, RpData, RpInput } from '../contract/rp/routes.ts'
import { utf8 } from '../protocol/bytes.ts'
import type { HeaderPair } from '../protocol/canonical-request.ts'
import { messageIdOf } from '../protocol/message-address.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Millis } from '../protocol/time.ts'
import { parseEnvelope } from './envelope.ts'
import { explainMismatch } from './explain-mismatch.ts'
import { trusting } from './fetch-trusting.ts'
import { type SignedRequest, type SigningKey, signRequest } from './sign-request.ts'

export type RpClientOptions = SigningKey & {
  /** `http://localhost:7420/fido` */
  readonly baseUrl: string
  /** PEM of the certificates to trust instead of the system's, where the service speaks https. */
  readonly ca?: string | undefined
  /** The time that X-Svc-Date shows, in milliseconds: `Date.now` for all but those who test with another clock. */
  readonly now: () => Millis | Promise<Millis>
  /** How long an answer may take, to its last byte; 30 s by default. */
  readonly timeoutMs?: number
  /** Called with what was signed when the service finds that the signature does not match. */
  readonly onMismatch?: (signed: SignedRequest) => void
  /** Called with every request before it is sent. */
  readonly onSigned?: (signed: SignedRequest) => void
  /** @internal Connections to share with other clients: whoever made the agent closes it. */
  readonly agent?: Agent
}

/** `msg_id`: the text after `#`, first character removed, which the result calls want. */
export type Message = MessageAddressData & { readonly msg_id: string }

export type RegistrationResult = RpData<'attestation.result'>
export type AuthenticationResult = RpData<'assertion.result'>

export type RpRefusal = {
  /** Of the envelope; 0 when there was none. */
  readonly code: number
  readonly httpStatus: number
  readonly error: string
  readonly data: unknown
  /** What the client can add to it: what differs in a signature, which clock is wrong. */
  readonly hint?: string
}

type RpAnswer = { readonly httpStatus: number; readonly headers: readonly HeaderPair[]; readonly body: Buffer }

type Outcome<T> = Promise<Result<T, RpRefusal>>

export type RegistrationRequest = RpInput<'attestation.options'>['body']
export type AuthenticationRequest = RpInput<'assertion.options'>['body']

/** An RP's side of docs/interface/relying-party.md. It signs every call and keeps its connections open. */
export type RpClient = {
  register(request: RegistrationRequest): Outcome<Message>
  registrationResult(msgId: string): Outcome<RegistrationResult>
  authenticate(request: AuthenticationRequest): Outcome<Message>
  authenticationResult(msgId: string): Outcome<AuthenticationResult>
  credentials(userId: string): Outcome<RpData<'credentials.list'>>
  deleteCredentials(what: {
    readonly user_id: string
    readonly credential_ids: readonly string[]
  }): Outcome<RpData<'credentials.delete'>>
  /** Any call, signed: `send('GET', '/rp/credentials?user_id=1')`. */
  send(method: string, pathAndQuery: string, body?: unknown): Outcome<unknown>
  close(): void
}

export const createRpClient = (options: RpClientOptions): RpClient => {
  const base = new URL(options.baseUrl)
  const tls = base.protocol === 'https:'
  const trust = options.ca === undefined ? {} : trusting(options.ca)
  const agent = options.agent ?? (tls ? new TlsAgent({ keepAlive: true, ...trust }) : new Agent({ keepAlive: true }))
  const prefix = base.pathname.replace(/\/$/, '')

  const send = async (method: string, pathAndQuery: string, body?: unknown): Outcome<unknown> => {
    const bytes = body === undefined ? new Uint8Array(0) : utf8(JSON.stringify(body))
    const target = prefix + pathAndQuery
    const made = signRequest({ method, host: base.host, target, body: bytes }, options, await options.now())
    if (!made.ok) return err(unanswered(made.error))
    const signed = made.value
    options.onSigned?.(signed)
    const headers: HeaderPair[] = [...signed.headers]
    if (body !== undefined) headers.push(['Content-Type', 'application/json'], ['Content-Length', String(bytes.length)])
    const answer = await exchange({
      tls,
      base,
      agent,
      method,
      target,
      headers,
      bytes,
      timeoutMs: options.timeoutMs ?? 30_000,
    })
    if (!answer.ok) return answer
    const opened = openAnswer(answer.value, signed)
    if (!opened.ok && opened.error.code === SIGNATURE_MISMATCH) options.onMismatch?.(signed)
    return opened
  }

  const get = async (path: string, name: string, value: string): Outcome<unknown> =>
    value.isWellFormed()
      ? send('GET', `${path}?${name}=${encodeURIComponent(value)}`)
      : err(unanswered(`${name} must be valid Unicode; got ${JSON.stringify(value)}.`))

  return {
    register: async (request) => messageIn(await send('POST', '/rp/attestation/options', request)),
    registrationResult: async (msgId) =>
      shaped(await get('/rp/attestation/result', 'msg_id', msgId), REGISTRATION_RESULT),
    authenticate: async (request) => messageIn(await send('POST', '/rp/assertion/options', request)),
    authenticationResult: async (msgId) =>
      shaped(await get('/rp/assertion/result', 'msg_id', msgId), AUTHENTICATION_RESULT),
    credentials: async (userId) => shaped(await get('/rp/credentials', 'user_id', userId), CREDENTIALS),
    deleteCredentials: async (what) => shaped(await send('DELETE', '/rp/credentials', what), DELETION),
    send,
    close: () => {
      if (options.agent === undefined) agent.destroy()
    },
  }
}

/** There is no answer: it never went out, or nothing came back. */
const unanswered = (error: string): RpRefusal => ({
  code: 0,
  httpStatus: 0,
  error,
  data: {},
})

/** The fields an answer must have, and of which type: a service that leaves one out is told apart from one that refuses. */
type Shape = Readonly<Record<string, 'string' | 'number' | 'object'>>

const MESSAGE: Shape = { url: 'string', expires_at: 'number' }
const REGISTRATION_RESULT: Shape = { svc_user: 'string', status: 'string', error: 'string' }
const AUTHENTICATION_RESULT: Shape = { ...REGISTRATION_RESULT, user_id: 'string' }
const CREDENTIALS: Shape = { total: 'number', list: 'object' }
const DELETION: Shape = { total: 'number' }

const shaped = <T>(answer: Result<unknown, RpRefusal>, shape: Shape): Result<T, RpRefusal> => {
  if (!answer.ok) return answer
  const data = (answer.value ?? {}) as Readonly<Record<string, unknown>>
  const wrong = Object.keys(shape).find((key) => typeof data[key] !== shape[key])
  if (wrong === undefined) return ok(data as T)
  const got = wrong in data ? typeof data[wrong] : 'nothing'
  const error = `The answer does not fit: "${wrong}" must be a ${shape[wrong]}; got ${got}.`
  return err({ code: 0, httpStatus: 200, error, data })
}

const messageIn = (answer: Result<unknown, RpRefusal>): Result<Message, RpRefusal> => {
  const message = shaped<Omit<Message, 'msg_id'>>(answer, MESSAGE)
  return message.ok ? ok({ ...message.value, msg_id: messageIdOf(message.value.url) }) : message
}

type Exchange = {
  readonly tls: boolean
  readonly base: URL
  readonly agent: Agent | TlsAgent
  readonly method: string
  readonly target: string
  readonly headers: readonly HeaderPair[]
  readonly bytes: Uint8Array
  readonly timeoutMs: number
}

/** No answer of the service comes near: one that does is no answer. */
const MOST_BYTES = 8 * 1024 * 1024

const exchange = (what: Exchange): Promise<Result<RpAnswer, RpRefusal>> =>
  new Promise((settle) => {
    const resolve = (answer: Result<RpAnswer, RpRefusal>): void => {
      clearTimeout(tooLate)
      settle(answer)
    }
    const fail = (error: Error): void => resolve(err(unanswered(`No answer from ${what.base.host}: ${error.message}`)))
    const giveUp = (why: string): void => {
      const error = new Error(why)
      fail(error)
      sent.destroy(error)
    }
    const tooLate = setTimeout(() => giveUp(`it was not whole within ${what.timeoutMs} ms`), what.timeoutMs)
    const send = what.tls ? httpsRequest : httpRequest
    const sent = send({
      host: what.base.hostname.replace(/^\[|\]$/g, ''),
      port: what.base.port === '' ? (what.tls ? 443 : 80) : what.base.port,
      agent: what.agent,
      method: what.method,
      path: what.target,
      headers: what.headers.flat(),
      setHost: false,
    })
    sent.on('error', fail)
    sent.on('response', (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > MOST_BYTES) return giveUp(`it has more than ${MOST_BYTES} bytes`)
        parts.push(part)
      })
      response.on('error', fail)
      response.on('end', () => {
        const headers: HeaderPair[] = []
        for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) {
          headers.push([response.rawHeaders[i] ?? '', response.rawHeaders[i + 1] ?? ''])
        }
        resolve(ok({ httpStatus: response.statusCode ?? 0, headers, body: Buffer.concat(parts) }))
      })
    })
    sent.end(what.bytes)
  })

const openAnswer = ({ httpStatus, body }: RpAnswer, signed: SignedRequest): Result<unknown, RpRefusal> => {
  const text = body.toString('utf8')
  const envelope = parseEnvelope(text)
  if (envelope === undefined) {
    return err({ code: 0, httpStatus, error: `HTTP ${httpStatus}: the answer is not an envelope.`, data: text })
  }
  if (envelope.code === 0) return ok(envelope.data)
  const refusal = { ...envelope, httpStatus }
  const hint = hintFor(refusal, signed)
  return err(hint === undefined ? refusal : { ...refusal, hint })
}

const SIGNATURE_MISMATCH = 40104

const hintFor = ({ code, data }: RpRefusal, signed: SignedRequest): string | undefined => {
  if (code !== SIGNATURE_MISMATCH || typeof data !== 'object' || data === null || !('canonical_request' in data)) {
    return undefined
  }
  return (
    explainMismatch(signed.canonicalRequest, String(data.canonical_request)) ??
    'Both sides computed the same canonical request: the secret key or the scope is not the one of this access key.'
  )
}
