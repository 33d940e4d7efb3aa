import { createHash, createHmac } from 'node:crypto'
import { encodeAuthorization } from '../protocol/authorization.ts'
import { canonicalRequest, type HeaderPair } from '../protocol/canonical-request.ts'
import type { Millis } from '../protocol/clock.ts'
import { scopeOf, stringToSign } from '../protocol/string-to-sign.ts'
import { formatSvcDate } from '../protocol/time.ts'

export type SigningKey = {
  readonly accessKeyId: string
  readonly secretKey: string
  /** `general` names the key and is the default; `short` leaves the service to find it. */
  readonly form?: 'general' | 'short'
  /** The identifier of the credential scope, `fido-server/<identifier>`; empty by default. */
  readonly scopeIdentifier?: string
}

export type UnsignedRequest = {
  readonly method: string
  /** Exactly as it will be sent in the Host header, with its port. */
  readonly host: string
  /** Path and query exactly as they will stand on the request line. */
  readonly target: string
  readonly body: Uint8Array
  /** Other headers that are to be signed as well. */
  readonly headers?: readonly HeaderPair[]
}

export type SignedRequest = {
  readonly headers: readonly HeaderPair[]
  readonly signature: string
  /** What was signed, for comparing it with what the service computed. */
  readonly canonicalRequest: string
  readonly stringToSign: string
}

/** The only signer: interface.md, "Authentication". */
export const signRequest = (request: UnsignedRequest, key: SigningKey, time: Millis): SignedRequest => {
  const date = formatSvcDate(time)
  const scope = scopeOf(key.scopeIdentifier ?? '')
  const headers: readonly HeaderPair[] = [['Host', request.host], ['X-Svc-Date', date], ...(request.headers ?? [])]
  const signedHeaders = [...new Set(headers.map(([name]) => name.toLowerCase()))].sort()
  const question = request.target.indexOf('?')
  const canonical = canonicalRequest(
    {
      method: request.method,
      path: question < 0 ? request.target : request.target.slice(0, question),
      query: question < 0 ? '' : request.target.slice(question + 1),
      headers,
      signedHeaders,
      payloadHash: sha256Hex(request.body),
    },
    'as-sent',
  )
  if (!canonical.ok) throw new Error(`This query cannot be signed: ${canonical.error}`)
  const text = stringToSign({ date, scope, canonicalRequestHash: sha256Hex(canonical.value) })
  const signature = createHmac('sha256', key.secretKey).update(text).digest('hex')
  const authorization = encodeAuthorization(
    key.form === 'short'
      ? { form: 'short', signedHeaders, signature }
      : { form: 'general', accessKeyId: key.accessKeyId, scope, signedHeaders, signature },
  )
  return {
    headers: [...headers, ['Authorization', authorization]],
    signature,
    canonicalRequest: canonical.value,
    stringToSign: text,
  }
}

const sha256Hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
