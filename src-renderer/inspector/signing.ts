import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { encodeScope, parseAuthorization } from '../../src-main/core/protocol/authorization.ts'
import { toHex, utf8 } from '../../src-main/core/protocol/bytes.ts'
import {
  canonicalHeaders,
  canonicalQuery,
  canonicalRequest,
  canonicalUri,
  stringToSign,
} from '../../src-main/core/protocol/canonical-request.ts'
import { parseSvcDate } from '../../src-main/core/protocol/time.ts'

type Exchange = Extract<BenchEvent, { kind: 'exchange' }>

export type Line = { readonly name: string; readonly text: string }

export type Signing = {
  readonly canonical: readonly Line[]
  readonly canonicalText: string
  readonly toSign: readonly Line[]
  readonly form: 'short' | 'general'
  readonly accessKeyId?: string
  readonly signature: string
  /** Distance of X-Svc-Date from the service's real time; undefined when it is no date. */
  readonly skewMs?: number
  readonly outcome: 'matches' | 'mismatch' | 'not-judged'
  readonly service?: { readonly canonicalRequest: string; readonly stringsToSign: readonly string[] }
}

export type Digest = (text: Uint8Array<ArrayBuffer>) => Promise<string>

/** Derived from the request by the service's own code. */
export const deriveSigning = async (
  exchange: Exchange,
  rule: 'as-sent' | 'encoded',
  sha256: Digest,
): Promise<Signing | undefined> => {
  const { request, response } = exchange
  const header = headerOf(exchange, 'authorization')
  const authorization = header === undefined ? undefined : parseAuthorization(header)
  if (authorization === undefined || !authorization.ok) return undefined
  const { signedHeaders, signature, form } = authorization.value
  const mark = request.target.indexOf('?')
  const path = mark < 0 ? request.target : request.target.slice(0, mark)
  const query = mark < 0 ? '' : request.target.slice(mark + 1)
  const payloadHash = await sha256(utf8(request.body))
  const parts = { method: request.method, path, query, headers: request.headers, signedHeaders, payloadHash }
  const text = canonicalRequest(parts, rule)
  if (!text.ok) return undefined
  const canonicalQueryText = canonicalQuery(query)
  const date = headerOf(exchange, 'x-svc-date') ?? ''
  const scope = exchange.scope ?? (authorization.value.form === 'general' ? authorization.value.scope : encodeScope(''))
  const hash = await sha256(latin1(text.value))
  const [algorithm = '', , , last = ''] = stringToSign({ date, scope, canonicalRequestHash: hash }).split('\n')
  const time = parseSvcDate(date.trim())
  const service = textsIn(response.body)
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
    ...(authorization.value.form === 'general' ? { accessKeyId: authorization.value.accessKeyId } : {}),
    signature,
    ...(time.ok ? { skewMs: Math.abs(exchange.wall - time.value) } : {}),
    outcome: response.code === 40104 ? 'mismatch' : Math.floor(response.code / 100) === 401 ? 'not-judged' : 'matches',
    ...(service === undefined ? {} : { service: service }),
  }
}

const headerOf = ({ request }: Exchange, wanted: string): string | undefined =>
  request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

/** Texts from the wire have one character for each octet. */
const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (char) => char.charCodeAt(0))

const textsIn = (body: string): Signing['service'] => {
  try {
    const data: unknown = JSON.parse(body)?.data
    if (typeof data !== 'object' || data === null || !('canonical_request' in data)) return undefined
    const strings = 'strings_to_sign' in data && Array.isArray(data.strings_to_sign) ? data.strings_to_sign : []
    return { canonicalRequest: String(data.canonical_request), stringsToSign: strings.map(String) }
  } catch {
    return undefined
  }
}

/** Undefined without WebCrypto, which browsers provide only on localhost or over HTTPS. */
export const webDigest = (): Digest | undefined =>
  globalThis.crypto?.subtle === undefined
    ? undefined
    : async (bytes) => toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
