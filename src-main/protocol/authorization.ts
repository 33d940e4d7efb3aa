import { rememberByText } from './remember.ts'
import { err, ok, type Result } from './result.ts'
import { ALGORITHM } from './string-to-sign.ts'

export type AuthorizationForm = 'short' | 'general'

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

/** Refusals say which part is wrong; none repeats the header, which may hold somebody's other credentials. */
export const parseAuthorization = (text: string): Result<Authorization, string> => {
  const comma = text.lastIndexOf(',')
  const claim = parseClaim(comma < 0 ? text : text.slice(0, comma + 1))
  if (!claim.ok) return claim
  const signature = text.slice(comma + 1)
  if (!SIGNATURE.test(signature)) return err('The signature must be 64 lower-case hex digits.')
  return ok({ ...claim.value, signature })
}

/** Up to the comma before the signature: the same in every request that one RP makes. */
const parseClaim = rememberByText((text: string): Result<Claim, string> => {
  const space = text.indexOf(' ')
  if (space < 0 || text.slice(0, space) !== ALGORITHM) return err(`It must begin with "${ALGORITHM} ".`)
  const parts = text.slice(space + 1).split(',')
  const [first = '', second = ''] = parts
  if (parts.length === 2) return claimOf(first, { form: 'short' })
  if (parts.length !== 3) {
    return err(`Expected two parts (short form) or three (general form) between commas, got ${parts.length}.`)
  }
  const slash = first.indexOf('/')
  if (slash <= 0) return err('Expected "<access_key_id>/<credential_scope>" before the first comma.')
  return claimOf(second, { form: 'general', accessKeyId: first.slice(0, slash), scope: first.slice(slash + 1) })
})

const claimOf = (names: string, form: Form): Result<Claim, string> => {
  const signedHeaders = names.split(';')
  if (!signedHeaders.every((name) => HEADER_NAME.test(name))) {
    return err('The signed headers must be lower-case header names joined by ";", without spaces.')
  }
  if (!signedHeaders.every((name, i) => i === 0 || (signedHeaders[i - 1] ?? '') < name)) {
    return err('The signed headers must be in ascending order and each stand once.')
  }
  return ok({ ...form, signedHeaders })
}

const SIGNATURE = /^[0-9a-f]{64}$/

/** RFC 9110 tokens, lower case. */
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
