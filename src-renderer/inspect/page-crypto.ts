import { type CoseAlgorithm, coordinateSize, findAlgorithm } from '../../src-main/core/judge/algorithms.ts'
import type { JudgeCrypto, SignatureCheck } from '../../src-main/core/judge/crypto-port.ts'
import { decodeDer, sequenceOf, unsignedBytes } from '../../src-main/core/judge/der.ts'
import { encodeSpki } from '../../src-main/core/judge/spki.ts'
import { type Bytes, latin1, octetsIn } from '../../src-main/core/protocol/bytes.ts'
import { err, ok, type Result } from '../../src-main/core/protocol/result.ts'
import { sha256 } from './sha256.ts'

export { pageSigningCrypto } from './sha256.ts'

/** Only a page from this machine or over HTTPS has WebCrypto. */
export const HAS_WEB_CRYPTO = globalThis.crypto?.subtle !== undefined

/** The judge's crypto on WebCrypto, which has neither Ed448 nor secp256k1, and ML-DSA in no browser yet. */
export const createWebCrypto = (subtle: SubtleCrypto | undefined): JudgeCrypto => ({
  digest: async (name, data) => {
    if (subtle !== undefined) return new Uint8Array(await subtle.digest(name, data))
    // A page that is neither from this machine nor over HTTPS has no WebCrypto.
    return name === 'SHA-256' ? sha256(octetsIn(data)) : latin1('')
  },
  verify: async (check) => (subtle === undefined ? err('unsupported') : verifyWithWeb(subtle, check)),
})

const verifyWithWeb = async (subtle: SubtleCrypto, check: SignatureCheck): Promise<Result<boolean, 'unsupported'>> => {
  const { key, data, signature } = check
  const known = findAlgorithm(check.algorithm)
  const how = known?.kty === key.kty ? waysOf(known) : undefined
  if (known === undefined || how === undefined) return err('unsupported')
  const form = key.kty === 'EC2' ? sideBySide(signature, coordinateSize(key.crv)) : signature
  const named = key.kty === 'EC2' ? { ...how.key, namedCurve: key.crv } : how.key
  try {
    const imported = await subtle.importKey('spki', encodeSpki(key), named, false, ['verify'])
    return ok(form !== undefined && (await subtle.verify(how.signature, imported, form, data)))
  } catch (problem) {
    // Any other problem means that it is no key of its type, such as a point off its curve.
    return problem instanceof Error && problem.name === 'NotSupportedError' ? err('unsupported') : ok(false)
  }
}

type Ways = {
  readonly key: Algorithm & { readonly hash?: string; readonly namedCurve?: string }
  readonly signature: Algorithm & { readonly hash?: string; readonly saltLength?: number }
}

const SALT = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 } as const

const waysOf = (known: CoseAlgorithm): Ways | undefined => {
  switch (known.kty) {
    case 'EC2':
      if (known.crv === 'secp256k1') return undefined
      return { key: { name: 'ECDSA' }, signature: { name: 'ECDSA', hash: known.hash } }
    case 'RSA': {
      const name = known.padding === 'pss' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
      return { key: { name, hash: known.hash }, signature: { name, saltLength: SALT[known.hash] } }
    }
    case 'OKP':
      return known.crv === 'Ed25519' ? { key: { name: 'Ed25519' }, signature: { name: 'Ed25519' } } : undefined
    case 'AKP':
      return undefined
  }
}

/** WebCrypto wants r and s side by side where WebAuthn has DER; undefined for any other signature. */
const sideBySide = (signature: Bytes, size: number): Bytes | undefined => {
  const der = decodeDer(signature)
  const parts = ((der.ok && sequenceOf(der.value)) || []).map(unsignedBytes)
  if (parts.length !== 2) return undefined
  const out = new Uint8Array(2 * size)
  for (const [i, part] of parts.entries()) {
    if (part === undefined || part.length > size) return undefined
    out.set(part, (i + 1) * size - part.length)
  }
  return out
}

export const pageCrypto = createWebCrypto(globalThis.crypto?.subtle)
