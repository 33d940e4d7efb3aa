import { octetsOf, textOf } from './bytes.ts'
import type { Coded, Nothing } from './coded.ts'
import { rememberByText } from './remember.ts'
import { err, ok, type Result } from './result.ts'
import { svcDay } from './time.ts'

/**
 * docs/interface/signing.md, "Canonical request". Texts here are what stood on the wire, one character for each octet
 * (latin1), so that the hash is taken over exactly what was sent.
 */
export type HeaderPair = readonly [name: string, value: string]

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

const trimAll = (value: string): string =>
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

export const ALGORITHM = 'SVC-HMAC-SHA256'

export const SCOPE_MODULE = 'fido-server'

/** docs/interface/signing.md, "String to sign": four lines joined by newline, no trailing newline. */
export const stringToSign = (parts: {
  readonly algorithm?: string
  readonly date: string
  readonly scope: string
  /** Lower-case hex SHA-256 of the canonical request. */
  readonly canonicalRequestHash: string
}): string => `${parts.algorithm ?? ALGORITHM}\n${parts.date}\n${parts.scope}\n${parts.canonicalRequestHash}`

/** docs/interface/signing.md: a scope is UTF-8; here it has one character for each octet, as everything that is signed. */
export const scopeOf = (identifier: string): string => `${SCOPE_MODULE}/${octetsOf(identifier)}`

/** The text behind the module; undefined where the module is another. */
export const identifierOf = (scope: string): string | undefined =>
  scope.startsWith(`${SCOPE_MODULE}/`) ? textOf(scope.slice(SCOPE_MODULE.length + 1)) : undefined

export type ScopeProblemParams = {
  readonly scope_expected: { readonly module: string; readonly got: string }
  readonly scope_date: { readonly scope: string; readonly date: string }
}

/**
 * `fido-server/<identifier>`; an identifier whose first part is eight digits names a date, which must be X-Svc-Date's
 * day. Undefined: the scope is good.
 */
export const scopeProblem = (scope: string, svcDate: string): Coded<ScopeProblemParams> | undefined => {
  const identifier = identifierOf(scope)
  if (identifier === undefined) {
    return { code: 'scope_expected', params: { module: SCOPE_MODULE, got: JSON.stringify(textOf(scope)) } }
  }
  const [first = ''] = identifier.split('/')
  if (/^\d{8}$/.test(first) && first !== svcDay(svcDate)) {
    return { code: 'scope_date', params: { scope: first, date: svcDay(svcDate) } }
  }
  return undefined
}

/** docs/interface/signing.md. The short form names no key. */
export type Authorization = Claim & { readonly signature: string }

/** Everything but the signature. */
type Claim = Form & { readonly signedHeaders: readonly string[] }

type Form =
  | { readonly form: 'short' }
  | { readonly form: 'general'; readonly accessKeyId: string; readonly scope: string }

export const encodeAuthorization = (authorization: Authorization): string => {
  const tail = `${authorization.signedHeaders.join(';')},${authorization.signature}`
  return authorization.form === 'short'
    ? `${ALGORITHM} ${tail}`
    : `${ALGORITHM} ${authorization.accessKeyId}/${authorization.scope},${tail}`
}

/** Problems of a header. The text never repeats the header: it may contain other credentials. */
export type AuthorizationProblemParams = {
  readonly algorithm_expected: { readonly algorithm: string }
  readonly authorization_parts: { readonly count: number }
  readonly key_and_scope_expected: Nothing
  readonly signed_headers_form: Nothing
  readonly signed_headers_order: Nothing
  readonly signature_form: Nothing
}

type Problem = Coded<AuthorizationProblemParams>

export const parseAuthorization = (text: string): Result<Authorization, Problem> => {
  const comma = text.lastIndexOf(',')
  const claim = parseClaim(comma < 0 ? text : text.slice(0, comma + 1))
  if (!claim.ok) return claim
  const signature = text.slice(comma + 1)
  if (!SIGNATURE.test(signature)) return err({ code: 'signature_form' })
  return ok({ ...claim.value, signature })
}

/** Up to the comma before the signature: the same in every request that one RP makes. */
const parseClaim = rememberByText((text: string): Result<Claim, Problem> => {
  const space = text.indexOf(' ')
  if (space < 0 || text.slice(0, space) !== ALGORITHM)
    return err({ code: 'algorithm_expected', params: { algorithm: ALGORITHM } })
  const parts = text.slice(space + 1).split(',')
  const [first = '', second = ''] = parts
  if (parts.length === 2) return claimOf(first, { form: 'short' })
  if (parts.length !== 3) return err({ code: 'authorization_parts', params: { count: parts.length } })
  const slash = first.indexOf('/')
  if (slash <= 0) return err({ code: 'key_and_scope_expected' })
  return claimOf(second, { form: 'general', accessKeyId: first.slice(0, slash), scope: first.slice(slash + 1) })
})

const claimOf = (names: string, form: Form): Result<Claim, Problem> => {
  const signedHeaders = names.split(';')
  if (!signedHeaders.every((name) => HEADER_NAME.test(name))) return err({ code: 'signed_headers_form' })
  if (!signedHeaders.every((name, i) => i === 0 || (signedHeaders[i - 1] ?? '') < name)) {
    return err({ code: 'signed_headers_order' })
  }
  return ok({ ...form, signedHeaders })
}

const SIGNATURE = /^[0-9a-f]{64}$/

/** RFC 9110 tokens, lower case. */
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/

/** Sources of a scope's identifier when the header names no scope. */
type ScopeSources = {
  readonly accessKeyId: string
  /** The RP's own id, and its RP ID. */
  readonly rp: string
  readonly rpId: string
  /** Profile `short_form_identifiers`. */
  readonly named: readonly string[]
}

/** The scopes that a request of the short form may have been signed with, likelier ones first, each once. */
export const shortFormScopes = ({ accessKeyId, rp, rpId, named }: ScopeSources, svcDate: string): readonly string[] => {
  const identifiers = new Set(['', accessKeyId, svcDay(svcDate), rp, rpId, ...named])
  return [...identifiers].map(scopeOf).filter((scope) => scopeProblem(scope, svcDate) === undefined)
}

/** The same for people, without naming a key or an RP. */
export const shownShortFormScopes = (named: readonly string[], svcDate: string): readonly string[] =>
  shortFormScopes({ accessKeyId: '<access_key_id>', rp: '<rp>', rpId: '<rp_id>', named }, svcDate)
