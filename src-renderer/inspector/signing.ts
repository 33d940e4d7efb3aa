import { errors } from '../../src-main/core/contract/errors.ts'
import { encodeScope } from '../../src-main/core/protocol/authorization.ts'
import { latin1, toHex, utf8 } from '../../src-main/core/protocol/bytes.ts'
import {
  canonicalHeaders,
  canonicalQuery,
  canonicalRequest,
  canonicalUri,
  pathAndQuery,
  stringToSign,
} from '../../src-main/core/protocol/canonical-request.ts'
import { isObject } from '../../src-main/core/protocol/json.ts'
import { parseSvcDate } from '../../src-main/core/protocol/time.ts'
import { jsonMember } from '../../src-main/views/timeline/json-member.ts'
import type { Exchange } from './exchange-lines.ts'
import { headerIn, readAuthorization } from './refusal-proof.ts'

export type Line = { readonly name: string; readonly text: string }

export type Signing = NonNullable<Awaited<ReturnType<typeof deriveSigning>>>

export type Digest = (text: Uint8Array<ArrayBuffer>) => Promise<string>

/** Derived from the request by the service's own code. */
export const deriveSigning = async (exchange: Exchange, rule: 'as-sent' | 'encoded', sha256: Digest) => {
  const { request, response } = exchange
  const authorization = readAuthorization(exchange)
  if (authorization === undefined) return undefined
  const { signedHeaders, signature, form } = authorization
  const { path, query } = pathAndQuery(request.target)
  const payloadHash = await sha256(utf8(request.body))
  const parts = { method: request.method, path, query, headers: request.headers, signedHeaders, payloadHash }
  const text = canonicalRequest(parts, rule)
  if (!text.ok) return undefined
  const canonicalQueryText = canonicalQuery(query)
  const date = headerIn(request, 'x-svc-date') ?? ''
  const scope = exchange.scope ?? (authorization.form === 'general' ? authorization.scope : encodeScope(''))
  const hash = await sha256(latin1(text.value))
  const [algorithm = '', , , last = ''] = stringToSign({ date, scope, canonicalRequestHash: hash }).split('\n')
  const time = parseSvcDate(date.trim())
  const data = jsonMember(response.body, 'data')
  return {
    canonical: [
      { name: 'method', text: request.method.toUpperCase() },
      { name: 'path', text: canonicalUri(path, rule) },
      { name: 'query', text: canonicalQueryText.ok ? canonicalQueryText.value : '' },
      ...canonicalHeaders(request.headers, signedHeaders)
        .split('\n')
        .map((line, i) => ({ name: i === 0 ? 'headers' : '', text: line })),
      { name: 'signed', text: signedHeaders.join(';') },
      { name: 'payload', text: payloadHash },
    ],
    canonicalText: text.value,
    toSign: [
      { name: 'algorithm', text: algorithm },
      { name: 'date', text: date },
      { name: 'scope', text: scope },
      { name: 'request', text: last },
    ],
    form,
    ...(authorization.form === 'general' ? { accessKeyId: authorization.accessKeyId } : {}),
    signature,
    /** Distance of X-Svc-Date from the service's real time; undefined when it is no date. */
    ...(time.ok ? { skewMs: Math.abs(exchange.wall - time.value) } : {}),
    outcome: outcomeOf(response.code),
    /** The canonical request as the service says that it computed it. */
    ...(isObject(data) && 'canonical_request' in data ? { ofService: String(data.canonical_request) } : {}),
  }
}

const outcomeOf = (code: number): 'matches' | 'mismatch' | 'not-judged' => {
  if (code === errors.signature_mismatch.code) return 'mismatch'
  return Math.floor(code / 100) === 401 ? 'not-judged' : 'matches'
}

/** Undefined without WebCrypto, which browsers provide only on localhost or over HTTPS. */
export const webDigest = (): Digest | undefined =>
  globalThis.crypto?.subtle === undefined
    ? undefined
    : async (bytes) => toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
