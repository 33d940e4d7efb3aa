import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { type Bytes, concat, fromBase64url, fromUtf8, toBase64url, utf8 } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'

const VERSION = 1
const NONCE = 12
const TAG = 16

type SealContext = { readonly key: Bytes; readonly credentialId: string }

/** AES-256-GCM under the account's vault key; the credential's id is bound to it as additional data. */
export const seal = ({ key, credentialId }: SealContext, text: string, random: RandomSource): string => {
  const aad = utf8(credentialId)
  const plain = utf8(text)
  // The nonce covers the content too: a restored snapshot draws the same bytes again, perhaps for another content.
  const nonce = createHmac('sha256', key).update(random.bytes(16)).update(aad).update(plain).digest().subarray(0, NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad)
  const body = concat(cipher.update(plain), cipher.final())
  return toBase64url(concat(Uint8Array.of(VERSION), nonce, body, cipher.getAuthTag()))
}

/** undefined: not sealed by this account for this credential. */
export const unseal = ({ key, credentialId }: SealContext, sealed: string): string | undefined => {
  const bytes = fromBase64url(sealed)
  if (!bytes.ok || bytes.value[0] !== VERSION || bytes.value.length < 1 + NONCE + TAG) return undefined
  const nonce = bytes.value.subarray(1, 1 + NONCE)
  const body = bytes.value.subarray(1 + NONCE, -TAG)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
    .setAAD(utf8(credentialId))
    .setAuthTag(bytes.value.subarray(-TAG))
  try {
    return fromUtf8(concat(decipher.update(body), decipher.final()))
  } catch {
    return undefined
  }
}
