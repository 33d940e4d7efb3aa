import type { Coded, Nothing } from './coded.ts'
import { rememberByText } from './remember.ts'
import { err, ok, type Result } from './result.ts'
import { ALGORITHM } from './string-to-sign.ts'

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
