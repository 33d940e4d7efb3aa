import { accessKeyId, SECRET_KEY_MAX, secretKey } from '../core/contract/rp-identity.ts'
import { fitsSchema } from '../core/contract/validate.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'

export const parseAccessKey = (
  text: string,
  name: string,
): Result<{ readonly id: string; readonly secret: string }, string> => {
  const [id = '', ...rest] = text.split(':')
  const secret = rest.join(':')
  if (fitsSchema(id, accessKeyId) && fitsSchema(secret, secretKey)) return ok({ id, secret })
  // The error does not repeat the secret.
  return err(
    `${name} must be ID:SECRET, the ID of up to 128 letters, digits, ".", "_", "~" and "-", the secret of up to ${SECRET_KEY_MAX} characters.`,
  )
}

/** Without a slash at the end. */
export const parseServiceUrl = (text: string | undefined, name: string): Result<string, string> => {
  if (text === undefined) return err(`it needs ${name} URL.`)
  const url = parsePageUrl(text, name)
  if (!url.ok) return url
  if (/[?#]/.test(text))
    return err(`${name} must be an address with http:// or https://, without ? and #; got "${text}".`)
  return ok(text.replace(/\/+$/, ''))
}

export const parsePageUrl = (text: string, name: string): Result<string, string> => {
  // The address is not repeated, since it may contain a password.
  const url = URL.parse(text)
  const hasUser = url !== null && url.username + url.password !== ''
  if (hasUser || /^\s*[\w+.-]+:[/\\]*[^/?#]*@/.test(text))
    return err(`${name} must have no user and no password in it.`)
  if (/^https?:\/\//i.test(text) && url !== null) return ok(text)
  return err(`${name} must be an address with http:// or https://; got "${text}".`)
}

const MIN_TOKEN_LENGTH = 24
const MAX_CHARACTERS = 256
/** Fewest different characters: `aaaa…` is long enough, but weak. */
const MIN_DISTINCT = 8

/** RFC 6750 section 2.1: the token behind "Bearer". */
const B64TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

/** Errors do not quote the token: even a refused token is a secret. */
export const parseControlToken = (text: string, name: string): Result<string, string> => {
  const strong = text.length >= MIN_TOKEN_LENGTH && new Set(text).size >= MIN_DISTINCT
  if (strong && text.length <= MAX_CHARACTERS && B64TOKEN.test(text)) return ok(text)
  const got = !B64TOKEN.test(text)
    ? 'one with other characters'
    : strong
      ? `${text.length} characters`
      : `${text.length} characters, ${new Set(text).size} of them different`
  return err(
    `${name} must be ${MIN_TOKEN_LENGTH} to ${MAX_CHARACTERS} letters, digits, "-", ".", "_", "~", "+" and "/" that nobody can guess, such as "openssl rand -hex 16" prints; got ${got}.`,
  )
}

/** The words that an option names, without duplicates and in the order of `known`. */
export const parseChoices = <const K extends string>(
  given: readonly string[] = [],
  { known, name }: { readonly known: readonly K[]; readonly name: string },
): Result<readonly K[], string> => {
  const wrong = given.find((word) => !known.some((each) => each === word))
  if (wrong !== undefined) return err(`${name} must be one of ${known.join(', ')}; got "${wrong}".`)
  return ok(known.filter((word) => given.includes(word)))
}
