import { hkdfSync } from 'node:crypto'
import { type Bytes, fromBase64url, toBase64url } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { unwrap } from '../../core/protocol/result.ts'

/** Only its phones have the secret. */
export type Account = {
  readonly name: string
  readonly phone: string
  /** S: 128 bits, base64url. */
  readonly secret: string
}

export const makeAccountSecret = (random: RandomSource): string => toBase64url(random.bytes(16))

/** A phone number for an account without one: eleven digits, as in the examples. */
export const makePhoneNumber = (random: RandomSource): string =>
  `138${Array.from(random.bytes(8), (byte) => String(byte % 10)).join('')}`

const derive = (secret: string, purpose: 'signin' | 'vault'): Bytes => {
  const bytes = unwrap(fromBase64url(secret), 'account secret')
  return new Uint8Array(hkdfSync('sha256', bytes, new Uint8Array(0), purpose, 32))
}

/** Sent to the service instead of the secret. */
export const accountProof = (account: Account): string => toBase64url(derive(account.secret, 'signin'))

export const vaultKey = (account: Account): Bytes => derive(account.secret, 'vault')

/** `138****5678`, as the service masks it in svc_user. */
export const maskNumber = (phone: string): string => {
  if (phone.length >= 10) return `${phone.slice(0, 3)}****${phone.slice(-4)}`
  return phone.length >= 5 ? `****${phone.slice(-2)}` : '****'
}
