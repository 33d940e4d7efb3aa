import { decodeCbor } from '../../core/judge/cbor.ts'
import { decodeCertificate } from '../../core/judge/certificate.ts'
import { type CoseKey, decodeCoseKey } from '../../core/judge/cose-key.ts'
import type { PublicKey } from '../../core/judge/public-key.ts'
import { decodeSpki } from '../../core/judge/spki.ts'
import { type Bytes, fromUtf8 } from '../../core/protocol/bytes.ts'
import { coseOf } from './cose-of.ts'
import { decodings } from './decodings.ts'

export const coseKeyIn = (bytes: Bytes): CoseKey | undefined => {
  const item = decodeCbor(bytes)
  return item.ok ? decodeCoseKey(item.value.item).value : undefined
}

/** As COSE, however it was stored. */
export const coseIn = (bytes: Bytes | undefined): Bytes | undefined => {
  if (bytes === undefined || coseKeyIn(bytes) !== undefined) return bytes
  const key = publicKeyIn(bytes)
  return key === undefined ? undefined : coseOf(key)
}

/** The same, in any writing: PEM, base64, hex or the bytes themselves. */
export const publicKeyWritten = (input: Bytes): Bytes | undefined => {
  if (publicKeyIn(input) !== undefined) return input
  const text = fromUtf8(input)?.trim() ?? ''
  const body = /-----BEGIN (?:PUBLIC KEY|CERTIFICATE)-----([A-Za-z0-9+/=\s]*)-----END/.exec(text)?.[1] ?? text
  return decodings(body).find(([, bytes]) => publicKeyIn(bytes) !== undefined)?.[1]
}

/** COSE, SubjectPublicKeyInfo or a certificate. */
export const publicKeyIn = (bytes: Bytes): PublicKey | undefined => {
  const certificate = decodeCertificate(bytes)
  return coseKeyIn(bytes)?.key ?? decodeSpki(bytes) ?? (certificate.ok ? certificate.value.key : undefined)
}
