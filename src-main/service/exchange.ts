import { isNamed, type RawRequest, type RawResponse } from '../http/message.ts'
import type { HeaderPair } from '../protocol/canonical-request.ts'
import type { Actor, ExchangeFact } from '../protocol/exchange-event.ts'
import { MASK } from '../protocol/secret.ts'
import type { Trace, Turn } from './services.ts'

/** One request and its answer, as everybody may see them: tokens and proofs are masked. */
export const exchangeFact = (
  side: 'rp' | 'app',
  turn: Turn,
  answer: { readonly response: RawResponse; readonly code: number; readonly took_us: number },
): ExchangeFact => {
  const { request, trace } = turn
  const asked: Mutable<ExchangeFact['request']> = {
    id: request.id,
    method: request.method,
    target: request.target,
    headers: maskHeaders(request.headers),
    body: maskBody(textOf(request.body)),
    body_bytes: request.body.length,
  }
  if (trace.route !== undefined) asked.route = trace.route
  const fact: Mutable<ExchangeFact> = {
    kind: 'exchange',
    interface: side,
    request: asked,
    response: {
      status: answer.response.status,
      code: answer.code,
      headers: answer.response.headers,
      body: maskBody(textOf(answer.response.body)),
    },
    took_us: answer.took_us,
  }
  for (const name of KNOWN) {
    const value = trace[name]
    if (value !== undefined) fact[name] = value
  }
  return fact
}

/** What is known of a request only on its way is put in as it is known: spreading it in cost more than all the rest. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const KNOWN = ['rp_id', 'access_key_id', 'device_id', 'msg_id', 'weather'] as const

export const actorOf = (side: 'rp' | 'app', { rp_id, device_id }: Trace): Actor => {
  const id = side === 'rp' ? rp_id : device_id
  return { kind: side === 'rp' ? 'rp' : 'phone', ...(id === undefined ? {} : { id }) }
}

const decoder = new TextDecoder()

const textOf = (body: RawRequest['body'] | RawResponse['body']): string =>
  typeof body === 'string' ? body : body.length === 0 ? '' : decoder.decode(body)

const maskHeaders = (headers: readonly HeaderPair[]): readonly HeaderPair[] =>
  headers.some(isSecret) ? headers.map((pair) => (isSecret(pair) ? [pair[0], MASK] : pair)) : headers

const isSecret = ([name, value]: HeaderPair): boolean => isNamed(name, 'authorization') && !value.startsWith('SVC-')

const SECRET_MEMBERS = new Set(['proof', 'device_token'])

/** Only bodies that may hold a secret are taken apart; one without stays to the byte. What is no JSON is not shown. */
const maskBody = (text: string): string => {
  if (!/proof|device_token|\\u/.test(text)) return text
  let masked = false
  const hide = (key: string, value: unknown): unknown => {
    if (!SECRET_MEMBERS.has(key)) return value
    masked = true
    return MASK
  }
  try {
    const written = JSON.stringify(JSON.parse(text, hide))
    return masked ? written : text
  } catch {
    return MASK
  }
}
