import {
  canonicalText,
  createDraft,
  type SignedMessage,
  type SigningKeyCandidate,
  textToSign,
} from '../../core/judge/signing/draft.ts'
import { explainSignature } from '../../core/judge/signing/explain-signature.ts'
import { encodeScope, parseAuthorization, shortFormScopes } from '../../core/protocol/authorization.ts'
import { utf8, utf8Octets } from '../../core/protocol/bytes.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { parseSvcDate } from '../../core/protocol/time.ts'
import { type Check, type Fact, factsIn, type InspectContext, type Recognised, refusedAs } from './inspection.ts'

type Message = { readonly headers: readonly HeaderPair[]; readonly body: string }

/** In the form of HTTP/1.1; copying may have changed the line ends. */
const messageIn = (text: string): Message | undefined => {
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/)
  const [, ...lines] = head.split(/\r?\n/)
  const headers = lines.map((line): HeaderPair => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), utf8Octets(line.slice(colon + 1).trim())]
  })
  return headers.every(([name]) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
    ? { headers, body: rest.join('\n\n') }
    : undefined
}

export const recogniseResponse = async (text: string, bench: InspectContext): Promise<Recognised | undefined> => {
  const status = /^HTTP\/(?:1\.[01]|2|3) (\d{3})/.exec(text)?.[1]
  const message = status === undefined ? undefined : messageIn(text)
  if (message === undefined) return undefined
  const body = await bench.inspect(message.body, ['body'])
  return { kind: 'http-response', facts: [['status', status ?? '']], within: body === undefined ? [] : [body] }
}

export const recogniseRequest = async (text: string, bench: InspectContext): Promise<Recognised | undefined> => {
  const [, method, target] = /^([A-Z]{3,10}) (\/\S*) HTTP\/(?:1\.[01]|2|3)\r?(?:\n|$)/.exec(text) ?? []
  const message = method === undefined ? undefined : messageIn(text)
  if (method === undefined || target === undefined || message === undefined) return undefined
  const inner = await bench.inspect(message.body, ['body'])
  const body = { within: inner === undefined || inner.kind === 'empty' ? [] : [inner] }
  const facts: readonly Fact[] = [['request', `${method} ${target}`]]
  const header = (name: string): string | undefined => message.headers.find(([key]) => key.toLowerCase() === name)?.[1]
  const written = header('authorization')
  if (written === undefined || !written.startsWith('SVC-')) return { kind: 'http-request', facts, ...body }
  const authorization = parseAuthorization(written)
  if (!authorization.ok) return { ...refusedAs('http-request', authorization.error.code), facts, ...body }
  const date = header('x-svc-date') ?? ''
  const signed: SignedMessage = {
    ...{ method, target, headers: message.headers, body: message.body, date, rule: 'as-sent' },
    authorization: authorization.value,
    scope: authorization.value.form === 'general' ? authorization.value.scope : encodeScope(''),
  }
  return { kind: 'http-request', ...(await signatureFound(signed, facts, bench)), ...body }
}

const signatureFound = async (
  message: SignedMessage,
  facts: readonly Fact[],
  { given, signing: crypto, pause = async () => undefined }: InspectContext,
) => {
  const { authorization, date } = message
  const named = authorization.form === 'general' ? authorization.accessKeyId : undefined
  const form =
    named === undefined
      ? ({ code: 'short_form', params: { date } } as const)
      : ({ code: 'general_form', params: { key: named, date } } as const)
  const known = [...facts, ...factsIn({ signed: form })]
  if (given.accessKey === undefined) return { facts: known, missing: ['access-key'] as const }
  const { id, secret } = given.accessKey
  const time = parseSvcDate(date)
  const dated: Check = time.ok
    ? { name: 'date', outcome: 'passed', received: date }
    : { name: time.error, outcome: 'failed', received: date }
  if (named !== undefined && named !== id) {
    const other: Check = { name: 'access_key', outcome: 'failed', expected: named, received: id }
    return { facts: known, checks: [dated, other], verdict: 'refused' as const }
  }
  const scopes = shortFormScopes({ accessKeyId: id, rp: '', rpId: given.rpId ?? '', named: [] }, date)
  const key: SigningKeyCandidate = { id, secret, active: true, shortFormScopes: scopes }
  const found = await explainSignature({ message, keys: [key], others: [], crypto, pause })
  const holds = found.outcome === 'holds'
  const payloadHash = crypto.sha256Hex(utf8Octets(message.body))
  const draft = createDraft(message, { bytes: utf8(secret), payloadHash, crypto })
  const { difference, mistakes } = found
  const signature: Check = {
    name: 'signature',
    outcome: holds ? 'passed' : 'failed',
    ...withoutUndefined({ expected: difference?.computed, received: difference?.signed }),
  }
  return {
    facts: [...known, ['canonical request', canonicalText(draft)], ['string to sign', textToSign(draft)]] as const,
    checks: [dated, signature, ...mistakes.map(({ id: word }): Check => ({ name: word, outcome: 'failed' }))],
    verdict: holds && time.ok ? ('verified' as const) : ('refused' as const),
  }
}
