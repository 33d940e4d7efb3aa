import { accessKeyId, SECRET_KEY_MAX, secretKey } from '../core/contract/rp-identity.ts'
import { fitsSchema } from '../core/contract/validate.ts'
import { isHostName } from '../core/protocol/host-name.ts'
import { misuse } from './command-end.ts'
import type { NameOption } from './read-options.ts'

export const parseAccessKey = (text: string, name: string): { readonly id: string; readonly secret: string } => {
  const [id = '', ...rest] = text.split(':')
  const secret = rest.join(':')
  if (fitsSchema(id, accessKeyId) && fitsSchema(secret, secretKey)) return { id, secret }
  // The error does not repeat the secret.
  return misuse(
    `${name} must be ID:SECRET, the ID of up to 128 letters, digits, ".", "_", "~" and "-", the secret of up to ${SECRET_KEY_MAX} characters.`,
  )
}

/** Returns the URL without slashes at its end. */
export const parseServiceUrl = (text: string | undefined, name: string): string => {
  if (text === undefined) return misuse(`it needs ${name} URL.`)
  checkPageUrl(text, name)
  if (/[?#]/.test(text)) misuse(`${name} must be an address with http:// or https://, without ? and #; got "${text}".`)
  return text.replace(/\/+$/, '')
}

export const checkPageUrl = (text: string, name: string): void => {
  // The address is not repeated, since it may contain a password.
  const url = URL.parse(text)
  const hasUser = url !== null && url.username + url.password !== ''
  if (hasUser || /^\s*[\w+.-]+:[/\\]*[^/?#]*@/.test(text)) misuse(`${name} must have no user and no password in it.`)
  if (!/^https?:\/\//i.test(text) || url === null)
    misuse(`${name} must be an address with http:// or https://; got "${text}".`)
}

const MIN_TOKEN_LENGTH = 24
const MAX_CHARACTERS = 256
/** Fewest different characters: `aaaa…` is long enough, but weak. */
const MIN_DISTINCT = 8

/** RFC 6750 section 2.1: the token behind "Bearer". */
const B64TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

/** Errors do not quote the token: even a refused token is a secret. */
export const parseControlToken = (text: string, name: string): string => {
  const strong = text.length >= MIN_TOKEN_LENGTH && new Set(text).size >= MIN_DISTINCT
  if (strong && text.length <= MAX_CHARACTERS && B64TOKEN.test(text)) return text
  const got = !B64TOKEN.test(text)
    ? 'one with other characters'
    : strong
      ? `${text.length} characters`
      : `${text.length} characters, ${new Set(text).size} of them different`
  return misuse(
    `${name} must be ${MIN_TOKEN_LENGTH} to ${MAX_CHARACTERS} letters, digits, "-", ".", "_", "~", "+" and "/" that nobody can guess, such as "openssl rand -hex 16" prints; got ${got}.`,
  )
}

type Given<T> = { readonly options: T; readonly named: NameOption }

/** Refuses options without the one that they belong to. A variable may be set for other commands, so only options count. */
export const refuseStray = <T extends object>(
  { options, named }: Given<T>,
  names: readonly (keyof T & string)[],
  owner: keyof T & string,
): void => {
  const stray = names.find((name) => options[name] !== undefined && named(name).startsWith('--'))
  if (options[owner] === undefined && stray !== undefined)
    misuse(`${named(stray)} belongs to --${owner}, which is missing.`)
}

/** The values chosen with an option, without duplicates and in the order of `known`. */
export const parseChoices = <const K extends string>(
  given: readonly string[] = [],
  { known, name }: { readonly known: readonly K[]; readonly name: string },
): readonly K[] => {
  const wrong = given.find((word) => !known.some((each) => each === word))
  if (wrong !== undefined) misuse(`${name} must be one of ${known.join(', ')}; got "${wrong}".`)
  return known.filter((word) => given.includes(word))
}

export const checkHostNames = (names: readonly string[], option: string): void => {
  const wrong = names.find((name) => !isHostName(name))
  if (wrong !== undefined) misuse(`${option} must be a name such as handset or handset:7420; got "${wrong}".`)
}
