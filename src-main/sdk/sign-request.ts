import { createHash, createHmac } from 'node:crypto'
import { encodeAuthorization, encodeScope } from '../core/protocol/authorization.ts'
import { decodeOctets, latin1, utf8Octets } from '../core/protocol/bytes.ts'
import { canonicalRequest, type HeaderPair, stringToSign } from '../core/protocol/canonical-request.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import type { SigningProblem } from '../core/protocol/rp-client-problems.ts'
import { formatSvcDate, type Millis } from '../core/protocol/time.ts'

export type SigningKey = {
  readonly accessKeyId: string
  readonly secretKey: string
  /** `general`, the default, names the key; with `short` the service must find it. */
  readonly form?: 'general' | 'short'
  /** The identifier of the credential scope, `fido-server/<identifier>`; empty by default. */
  readonly scopeIdentifier?: string
}

export type UnsignedRequest = {
  readonly method: string
  /** The exact value of the Host header, with its port. */
  readonly host: string
  /** Path and query exactly as on the request line. */
  readonly target: string
  readonly body: Uint8Array
  /** Additional headers to sign; values are sent as UTF-8. */
  readonly headers?: readonly HeaderPair[]
}

export type SignedRequest = {
  /** Values have one character for each octet, as node:http sends them. */
  readonly headers: readonly HeaderPair[]
  readonly signature: string
  /** The signed texts, for comparing them with those of the service. */
  readonly canonicalRequest: string
  readonly stringToSign: string
}

/** The only signer: docs/interface/signing.md. An error names the part that cannot be sent, and why. */
export const signRequest = (
  request: UnsignedRequest,
  key: SigningKey,
  time: Millis,
): Result<SignedRequest, SigningProblem> => {
  const problem = unsendable(request, key)
  if (problem !== undefined) return err(problem)
  const date = formatSvcDate(time)
  const scope = encodeScope(key.scopeIdentifier ?? '')
  const headers: readonly HeaderPair[] = [
    ['Host', request.host],
    ['X-Svc-Date', date],
    ...(request.headers ?? []).map(([name, value]): HeaderPair => [name, utf8Octets(trimmed(value))]),
  ]
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
  if (!canonical.ok) return err({ code: 'query', params: { got: canonical.error } })
  const text = stringToSign({ date, scope, canonicalRequestHash: sha256Hex(latin1(canonical.value)) })
  const signature = createHmac('sha256', key.secretKey).update(latin1(text)).digest('hex')
  const authorization = encodeAuthorization(
    key.form === 'short'
      ? { form: 'short', signedHeaders, signature }
      : { form: 'general', accessKeyId: key.accessKeyId, scope, signedHeaders, signature },
  )
  return ok({
    headers: [...headers, ['Authorization', authorization]],
    signature,
    canonicalRequest: decodeOctets(canonical.value),
    stringToSign: decodeOctets(text),
  })
}

const unsendable = (request: UnsignedRequest, key: SigningKey): SigningProblem | undefined => {
  const { scopeIdentifier = '', accessKeyId, secretKey, form } = key
  if (!secretKey.isWellFormed() || secretKey === '') return { code: 'secret_key' }
  if (form !== 'short' && !ACCESS_KEY.test(accessKeyId)) {
    return { code: 'access_key_id', params: { got: JSON.stringify(accessKeyId) } }
  }
  if (!isFieldText(scopeIdentifier) || (form !== 'short' && scopeIdentifier.includes(','))) {
    const params = { got: JSON.stringify(scopeIdentifier), commas: form === 'short' }
    return { code: 'scope_identifier', params }
  }
  if (!VISIBLE.test(request.host)) return { code: 'host', params: { got: JSON.stringify(request.host) } }
  if (!TOKEN.test(request.method)) return { code: 'method', params: { got: JSON.stringify(request.method) } }
  if (!VISIBLE.test(request.target)) return { code: 'target', params: { got: JSON.stringify(request.target) } }
  for (const [name, value] of request.headers ?? []) {
    if (!TOKEN.test(name)) return { code: 'header_name', params: { got: JSON.stringify(name) } }
    if (!isFieldText(value)) return { code: 'header_value', params: { name, got: JSON.stringify(value) } }
  }
  return undefined
}

/** White space at the ends is not part of a header's value: RFC 9110 section 5.5. */
const trimmed = (value: string): string => value.replace(/^[ \t]+|[ \t]+$/g, '')

/** RFC 9110 section 5.5: visible characters, space and tab; octets from 0x80 on carry UTF-8. */
const isFieldText = (text: string): boolean => text.isWellFormed() && !/[^\P{Cc}\t\u0080-\u009f]/u.test(text)

const ACCESS_KEY = /^[!-+\--.0-~]+$/
const VISIBLE = /^[!-~]+$/
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

const sha256Hex = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')
