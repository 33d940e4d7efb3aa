import { ALGORITHM } from './authorization.ts'
import { err, ok, type Result } from './result.ts'

/**
 * docs/interface/signing.md, "Canonical request". Texts here are as sent on the wire, one character for each octet
 * (latin1), so that the hash covers exactly the octets that were sent.
 */
export type HeaderPair = readonly [name: string, value: string]

/** Pairs up Node's list, in which names and values alternate. */
export const headerPairs = (raw: readonly string[]): [name: string, value: string][] =>
  Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] ?? '', raw[2 * i + 1] ?? ''])

export type CanonicalRequestParts = {
  readonly method: string
  /** The path exactly as on the request line, without the query. */
  readonly path: string
  /** The query exactly as on the request line, without `?`. */
  readonly query: string
  readonly headers: readonly HeaderPair[]
  /** Lower-case names, ascending. */
  readonly signedHeaders: readonly string[]
  /** Lower-case hex SHA-256 of the body as received. */
  readonly payloadHash: string
}

/** The path and the query of a request's target, unchanged. */
export const pathAndQuery = (target: string): Pick<CanonicalRequestParts, 'path' | 'query'> => {
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

export type CanonicalUriRule = 'as-sent' | 'encoded'

/** The error is the part of the query that is not a percent-encoded octet. */
export const canonicalRequest = (parts: CanonicalRequestParts, rule: CanonicalUriRule): Result<string, string> => {
  const query = canonicalQuery(parts.query)
  if (!query.ok) return query
  const uri = canonicalUri(parts.path, rule)
  const headers = canonicalHeaders(parts.headers, parts.signedHeaders)
  const names = parts.signedHeaders.join(';')
  return ok(`${parts.method.toUpperCase()}\n${uri}\n${query.value}\n${headers}\n${names}\n${parts.payloadHash}`)
}

export const canonicalUri = (path: string, rule: CanonicalUriRule): string => {
  if (path === '') return '/'
  return rule === 'as-sent' ? path : path.split('/').map(encodeOctets).join('/')
}

/** Each signed header as `name:value` and a newline; values of repeated headers joined by commas in their order. */
export const canonicalHeaders = (headers: readonly HeaderPair[], signed: readonly string[]): string => {
  let out = ''
  for (const name of signed) {
    let joined: string | undefined
    for (const [key, value] of headers) {
      if (key.length !== name.length || key.toLowerCase() !== name) continue
      joined = joined === undefined ? trimAll(value) : `${joined},${trimAll(value)}`
    }
    out += `${name}:${joined ?? ''}\n`
  }
  return out
}

/** Sorted by encoded name, then encoded value, byte order; `+` is a plus, not a space. */
export const canonicalQuery = (query: string): Result<string, string> => {
  if (query === '' || ONE_PLAIN_PAIR.test(query)) return ok(query)
  const pairs: (readonly [string, string])[] = []
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = reencode(equals < 0 ? part : part.slice(0, equals))
    const value = reencode(equals < 0 ? '' : part.slice(equals + 1))
    if (!name.ok) return name
    if (!value.ok) return value
    pairs.push([name.value, value.value])
  }
  pairs.sort(([nameA, valueA], [nameB, valueB]) => order(nameA, nameB) || order(valueA, valueB))
  return ok(pairs.map(([name, value]) => `${name}=${value}`).join('&'))
}

/** Encoded texts are ASCII, so comparing UTF-16 units is comparing bytes. */
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Without spaces at the ends, and with one where several follow each other. */
export const trimAll = (value: string): string =>
  value.startsWith(' ') || value.endsWith(' ') || value.includes('  ')
    ? value.replace(/^ +| +$/g, '').replace(/ {2,}/g, ' ')
    : value

const reencode = (text: string): Result<string, string> => {
  if (PLAIN.test(text)) return ok(text)
  const bad = /%(?![0-9A-Fa-f]{2})/.exec(text)
  if (bad !== null) return err(JSON.stringify(text.slice(bad.index, bad.index + 3)))
  const octets = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return ok(encodeOctets(octets))
}

/** RFC 3986 section 2.3: these stay as they are. */
const PLAIN = /^[A-Za-z0-9._~-]*$/

/** The usual query: nothing to sort, nothing to encode. */
const ONE_PLAIN_PAIR = /^[A-Za-z0-9._~-]+=[A-Za-z0-9._~-]*$/

const encodeOctets = (octets: string): string =>
  PLAIN.test(octets)
    ? octets
    : octets.replace(
        /[^A-Za-z0-9._~-]/g,
        (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
      )

/** docs/interface/signing.md, "String to sign": four lines joined by newline, no trailing newline. */
export const stringToSign = (parts: {
  readonly algorithm?: string
  readonly date: string
  readonly scope: string
  /** Lower-case hex SHA-256 of the canonical request. */
  readonly canonicalRequestHash: string
}): string => `${parts.algorithm ?? ALGORITHM}\n${parts.date}\n${parts.scope}\n${parts.canonicalRequestHash}`
