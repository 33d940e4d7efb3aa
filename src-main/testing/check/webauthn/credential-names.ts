import { Buffer } from 'node:buffer'
import { isObject, type JsonObject } from '../../../core/protocol/json.ts'

/** How a page may write octets that the JSON form has as base64url. */
export const ENCODINGS = ['base64', 'hex', 'bytes'] as const

/** Members whose text is the base64url of octets. */
const OCTETS: ReadonlySet<string> = new Set([
  ...['id', 'rawId', 'response.clientDataJSON', 'response.attestationObject', 'response.authenticatorData'],
  ...['response.publicKey', 'response.signature', 'response.userHandle'],
])
const OTHERS = [
  'type',
  'authenticatorAttachment',
  'clientExtensionResults',
  'response.transports',
  'response.publicKeyAlgorithm',
]

/** All names in braces for an authenticator's answer: the whole, its members, and their octets in other encodings. */
export const CREDENTIAL_NAMES: readonly string[] = [
  ...['credential', 'credential:text', ...OTHERS.map((path) => `credential.${path}`)],
  ...[...OCTETS].flatMap((path) =>
    ['', ...ENCODINGS.map((each) => `:${each}`)].map((each) => `credential.${path}${each}`),
  ),
]

/** The values of these names. Texts that are not base64url, with or without padding, stay as they are. */
export const credentialValues = (credential: unknown): JsonObject =>
  Object.fromEntries(
    CREDENTIAL_NAMES.map((name) => {
      const [path = '', encoding] = name.split(':')
      const value = path
        .split('.')
        .slice(1)
        .reduce((part: unknown, key) => (isObject(part) ? part[key] : undefined), credential)
      return [name, encoding === undefined ? value : encoded(value, encoding)]
    }),
  )

const encoded = (value: unknown, encoding: string): unknown => {
  if (encoding === 'text') return JSON.stringify(value)
  if (typeof value !== 'string' || !/^[\w-]*=*$/.test(value)) return value
  const octets = Buffer.from(value, 'base64url')
  if (encoding === 'bytes') return [...octets]
  return octets.toString(encoding === 'hex' ? 'hex' : 'base64')
}
