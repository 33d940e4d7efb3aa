import { decodeOctets, fromUtf8Octets, utf8Octets } from './bytes.ts'
import type { Coded, ParamsOf } from './coded.ts'
import type { reasons } from './reasons.ts'
import { rememberByText } from './remember.ts'
import { err, ok, type Result } from './result.ts'
import { svcDay } from './time.ts'

export const ALGORITHM = 'SVC-HMAC-SHA256'

/** docs/interface/signing.md. The short form names no key. */
export type Authorization = Claim & { readonly signature: string }

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

/** The text never repeats the header: it may contain other credentials. */
type Problem = Coded<
  Pick<
    ParamsOf<typeof reasons>,
    | 'algorithm_expected'
    | 'authorization_parts'
    | 'key_and_scope_expected'
    | 'signed_headers_form'
    | 'signed_headers_order'
    | 'signature_form'
  >
>

export const parseAuthorization = (text: string): Result<Authorization, Problem> => {
  const comma = text.lastIndexOf(',')
  const claim = parseClaim(comma < 0 ? text : text.slice(0, comma + 1))
  if (!claim.ok) return claim
  const signature = text.slice(comma + 1)
  if (!SIGNATURE.test(signature)) return err({ code: 'signature_form' })
  return ok({ ...claim.value, signature })
}

/** Parses the header up to the comma before the signature, which is the same in every request of an RP. */
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

export const SCOPE_MODULE = 'fido-server'

/** docs/interface/signing.md: a scope is UTF-8. Like all signed text, it has one character for each octet here. */
export const encodeScope = (identifier: string): string => `${SCOPE_MODULE}/${utf8Octets(identifier)}`

export const parseScope = (scope: string): string | undefined =>
  scope.startsWith(`${SCOPE_MODULE}/`) ? decodeOctets(scope.slice(SCOPE_MODULE.length + 1)) : undefined

type ScopeProblem = Coded<Pick<ParamsOf<typeof reasons>, 'scope_not_utf8' | 'scope_expected' | 'scope_date'>>

/**
 * A scope is `fido-server/<identifier>` in UTF-8. If the identifier's first part is eight digits, it is a date and must
 * be the day of X-Svc-Date. Undefined if the scope is valid.
 */
export const scopeProblem = (scope: string, svcDate: string): ScopeProblem | undefined => {
  if (fromUtf8Octets(scope) === undefined) return { code: 'scope_not_utf8' }
  const identifier = parseScope(scope)
  if (identifier === undefined) {
    return { code: 'scope_expected', params: { module: SCOPE_MODULE, got: JSON.stringify(decodeOctets(scope)) } }
  }
  const [first = ''] = identifier.split('/')
  if (/^\d{8}$/.test(first) && first !== svcDay(svcDate)) {
    return { code: 'scope_date', params: { scope: first, date: svcDay(svcDate) } }
  }
  return undefined
}

type ScopeSources = {
  readonly accessKeyId: string
  /** The RP's own id, and its RP ID. */
  readonly rp: string
  readonly rpId: string
  /** Profile `short_form_identifiers`. */
  readonly named: readonly string[]
}

/** Returns each scope once, likelier ones first. */
export const shortFormScopes = ({ accessKeyId, rp, rpId, named }: ScopeSources, svcDate: string): readonly string[] => {
  const identifiers = new Set(['', accessKeyId, svcDay(svcDate), rp, rpId, ...named])
  return [...identifiers].map(encodeScope).filter((scope) => scopeProblem(scope, svcDate) === undefined)
}

/** For display, with placeholders for the key and the RP. */
export const shortFormScopesForDisplay = (named: readonly string[], svcDate: string): readonly string[] =>
  shortFormScopes({ accessKeyId: '<access_key_id>', rp: '<rp>', rpId: '<rp_id>', named }, svcDate)
