import { ALGORITHM, type Authorization } from '../../protocol/authorization.ts'
import type { Bytes } from '../../protocol/bytes.ts'
import {
  type CanonicalUriRule,
  canonicalQuery,
  canonicalUri,
  type HeaderPair,
  pathAndQuery,
  trimAll,
} from '../../protocol/canonical-request.ts'

/** Texts have one character for each octet, as everywhere in signing. */
export type SigningCrypto = {
  sha256(octets: string): Bytes
  /** In hex, like hmacSha256Hex: both are called some 100,000 times. */
  sha256Hex(octets: string): string
  hmacSha256Hex(key: Bytes, octets: string): string
}

/** The request as sent, with the values that the service read from it. */
export type SignedMessage = {
  readonly method: string
  readonly target: string
  readonly headers: readonly HeaderPair[]
  /** The part of the body that is text. */
  readonly body: string
  /** Hash of the received body, if it is not all text and `body` would give a wrong hash. */
  readonly payloadHash?: string
  /** The signed texts, where the client reported them. */
  readonly signed?: { readonly canonicalRequest: string; readonly stringToSign: string }
  readonly authorization: Authorization
  readonly date: string
  readonly scope: string
  readonly rule: CanonicalUriRule
}

export type SigningKeyCandidate = {
  readonly id: string
  readonly secret: string
  readonly active: boolean
  /** The scopes that the service tries with this key when the header names none. */
  readonly shortFormScopes: readonly string[]
}

/** The inputs and steps of a signature, in which the client may differ from the service. */
export type Draft = {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: readonly HeaderPair[]
  readonly headerText: (headers: readonly HeaderPair[]) => string
  readonly signed: string
  readonly payload: string
  /** The body hashed in `payload`, when it is not the one that was sent. */
  readonly body?: string
  readonly canonical: (parts: readonly string[]) => string
  readonly algorithm: string
  readonly date: string
  readonly scope: string
  readonly requestHash: (canonical: string) => string
  readonly toSign: (lines: readonly string[]) => string
  readonly key: Bytes
  /** In hex. */
  readonly mac: (crypto: SigningCrypto, key: Bytes, text: string) => string
}

export const headerLines = (headers: readonly HeaderPair[]): string =>
  headers.map(([name, value]) => `${name}:${value}\n`).join('')

export const headerValue = (headers: readonly HeaderPair[], name: string): string | undefined => {
  const values = headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => trimAll(value))
  return values.length === 0 ? undefined : values.join(',')
}

export const replaced = (headers: readonly HeaderPair[], name: string, value: string): readonly HeaderPair[] =>
  headers.map((pair) => (pair[0] === name ? [name, value] : pair))

export const createDraft = (
  message: SignedMessage,
  key: { readonly bytes: Bytes; readonly payloadHash: string; readonly crypto: SigningCrypto },
): Draft => {
  const { path, query } = pathAndQuery(message.target)
  const canonical = canonicalQuery(query)
  const { signedHeaders } = message.authorization
  return {
    method: message.method.toUpperCase(),
    path: canonicalUri(path, message.rule),
    query: canonical.ok ? canonical.value : query,
    headers: signedHeaders.map((name) => [name, headerValue(message.headers, name) ?? '']),
    headerText: headerLines,
    signed: signedHeaders.join(';'),
    payload: key.payloadHash,
    canonical: (parts) => parts.join('\n'),
    algorithm: ALGORITHM,
    date: message.date,
    scope: message.scope,
    requestHash: key.crypto.sha256Hex,
    toSign: (lines) => lines.join('\n'),
    key: key.bytes,
    mac: (crypto, secret, text) => crypto.hmacSha256Hex(secret, text),
  }
}

export const canonicalText = (draft: Draft): string =>
  draft.canonical([draft.method, draft.path, draft.query, draft.headerText(draft.headers), draft.signed, draft.payload])

export const hashRequest = (draft: Draft): string => draft.requestHash(canonicalText(draft))

export const textToSign = (draft: Draft, requestHash = hashRequest(draft)): string =>
  draft.toSign([draft.algorithm, draft.date, draft.scope, requestHash])
