import type { Crypto } from '@peculiar/webcrypto'
import { type CoseAlgorithm, type EcCurve, findAlgorithm, type HashName } from '../../core/judge/algorithms.ts'
import type { JudgeCrypto, SignatureCheck } from '../../core/judge/crypto-port.ts'
import { coordinateSize } from '../../core/judge/curve.ts'
import { decodeDer, sequenceOf, unsignedBytes } from '../../core/judge/der.ts'
import type { PublicKey } from '../../core/judge/public-key.ts'
import { type Bytes, concat, toBase64url } from '../../core/protocol/bytes.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { hasKind } from './node-crypto.ts'

type Subtle = Crypto['subtle']

/** The judge’s crypto on @peculiar/webcrypto, which has no ML-DSA and of the rest what node:crypto has. */
export type PeculiarCrypto = JudgeCrypto & {
  /** Whether it takes this for a public key. */
  imports(key: PublicKey): Promise<Result<boolean, 'unsupported'>>
}

let made: Promise<PeculiarCrypto> | undefined

/** Loaded when it is first asked: a start need not wait for it. */
export const peculiarCrypto = (): Promise<PeculiarCrypto> => {
  made ??= import('@peculiar/webcrypto').then((library) => cryptoOf(new library.Crypto().subtle))
  return made
}

const cryptoOf = (subtle: Subtle): PeculiarCrypto => ({
  digest: async (name, data) => new Uint8Array(await subtle.digest(name, data.slice())),
  verify: (check) => verifyWith(subtle, check),
  imports: async (key) => {
    if (key.kty === 'AKP' || !hasKind(key)) return err('unsupported')
    return ok((await importKey(subtle, key, 'SHA-256')) !== undefined)
  },
})

const verifyWith = async (subtle: Subtle, check: SignatureCheck): Promise<Result<boolean, 'unsupported'>> => {
  const { key, data } = check
  const known = findAlgorithm(check.algorithm)
  if (known === undefined || known.kty !== key.kty || key.kty === 'AKP' || !hasKind(key)) {
    return err('unsupported')
  }
  const hash = 'hash' in known ? known.hash : 'SHA-512'
  const imported = await importKey(subtle, key, hash, known)
  const signature = key.kty === 'EC2' ? rawSignature(check.signature, coordinateSize(key.crv)) : check.signature
  if (imported === undefined || signature === undefined) return ok(false)
  return ok(
    await subtle.verify(parametersOf(known, hash), imported, signature.slice(), data.slice()).catch(() => false),
  )
}

/** By JSON Web Key, so that the library writes the key’s encoding itself. */
const importKey = async (
  subtle: Subtle,
  key: Exclude<PublicKey, { kty: 'AKP' }>,
  hash: HashName,
  known?: CoseAlgorithm,
) => {
  const { jwk, algorithm } = webKey(key, hash, known)
  return subtle.importKey('jwk', jwk, algorithm, true, ['verify']).catch(() => undefined)
}

const webKey = (key: Exclude<PublicKey, { kty: 'AKP' }>, hash: HashName, known?: CoseAlgorithm) => {
  switch (key.kty) {
    case 'EC2': {
      const crv = CURVES[key.crv]
      return {
        jwk: { kty: 'EC', crv, x: toBase64url(key.x), y: toBase64url(key.y) },
        algorithm: { name: 'ECDSA', namedCurve: crv },
      }
    }
    case 'OKP':
      return {
        jwk: { kty: 'OKP', crv: key.crv, x: toBase64url(key.x) },
        algorithm: { name: 'EdDSA', namedCurve: key.crv },
      }
    case 'RSA': {
      const name = known?.kty === 'RSA' && known.padding === 'pss' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
      return { jwk: { kty: 'RSA', n: toBase64url(key.n), e: toBase64url(key.e) }, algorithm: { name, hash } }
    }
  }
}

const CURVES = {
  'P-256': 'P-256',
  'P-384': 'P-384',
  'P-521': 'P-521',
  secp256k1: 'K-256',
} as const satisfies Record<EcCurve, string>

const DIGEST_LENGTHS = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 } as const satisfies Record<
  HashName,
  number
>

const parametersOf = (known: CoseAlgorithm, hash: HashName) => {
  if (known.kty === 'EC2') return { name: 'ECDSA', hash }
  if (known.kty === 'OKP') return { name: 'EdDSA' }
  const isPss = known.kty === 'RSA' && known.padding === 'pss'
  return isPss ? { name: 'RSA-PSS', saltLength: DIGEST_LENGTHS[hash] } : { name: 'RSASSA-PKCS1-v1_5' }
}

/** Web Crypto takes r and s side by side, each as long as the curve’s field. */
const rawSignature = (der: Bytes, size: number): Bytes | undefined => {
  const decoded = decodeDer(der)
  const parts = (decoded.ok && sequenceOf(decoded.value)) || []
  const numbers = parts.map(unsignedBytes)
  const [r, s] = numbers
  if (numbers.length !== 2 || r === undefined || s === undefined || r.length > size || s.length > size) return undefined
  return concat(new Uint8Array(size - r.length), r, new Uint8Array(size - s.length), s)
}
