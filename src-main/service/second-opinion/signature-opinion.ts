import type { Crypto } from '@peculiar/webcrypto'
import type { OpinionGiver, OpinionWords } from '../../core/contract/judge/opinion.ts'
import {
  algorithmName,
  type CoseAlgorithm,
  type EcCurve,
  findAlgorithm,
  type HashName,
} from '../../core/judge/algorithms.ts'
import type { AuthenticationCase, RegistrationCase } from '../../core/judge/ceremony-case.ts'
import type { JudgeCrypto, SignatureCheck } from '../../core/judge/crypto-port.ts'
import { coordinateSize } from '../../core/judge/curve.ts'
import { decodeDer, sequenceOf, unsignedBytes } from '../../core/judge/der.ts'
import { judgeAuthentication } from '../../core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../core/judge/judge-registration.ts'
import type { PublicKey } from '../../core/judge/public-key.ts'
import { type Bytes, concat, toBase64url } from '../../core/protocol/bytes.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { attestedKey } from './library-limits.ts'
import { hasKind } from './node-crypto.ts'

const BY = '@peculiar/webcrypto'

/** The verdict of another library, or why none was asked. */
export type Opinion =
  | {
      readonly heard: true
      readonly by: OpinionGiver
      readonly accepts: boolean
      readonly reason?: string | OpinionWords
    }
  | { readonly heard: false; readonly why: OpinionWords }

/**
 * Where @simplewebauthn/server cannot be asked, another library does the mathematics: the judge’s steps with every hash,
 * key and signature by @peculiar/webcrypto. `why` is the answer where there was nothing for it to verify.
 */
export const signatureOpinion = async (
  ceremony: RegistrationCase | AuthenticationCase,
  why: OpinionWords,
): Promise<Opinion> => {
  const library = await peculiarCrypto()
  const seen = { verified: 0, refused: 0, lacking: new Set<number>() }
  const crypto = watched(library, seen)
  const { accepted, failure } =
    'roots' in ceremony ? await judgeRegistration(ceremony, crypto) : await judgeAuthentication(ceremony, crypto)
  const takesKey = 'roots' in ceremony && accepted ? await takesAttested(library, ceremony, seen) : undefined
  const [lacking] = seen.lacking
  if (lacking !== undefined) {
    return { heard: false, why: { code: 'no_library_has', params: { algorithm: algorithmName(lacking) } } }
  }
  if (seen.refused > 0 || takesKey === false) {
    return { heard: true, by: BY, accepts: false, reason: { code: 'signature_not_verified' } }
  }
  if (seen.verified === 0 && takesKey === undefined) return { heard: false, why }
  return accepted
    ? { heard: true, by: BY, accepts: true }
    : { heard: true, by: BY, accepts: false, reason: failure?.word ?? '' }
}

type Seen = { verified: number; refused: number; readonly lacking: Set<number> }

const watched = (crypto: JudgeCrypto, seen: Seen): JudgeCrypto => ({
  ...crypto,
  verify: async (check) => {
    const verified = await crypto.verify(check)
    if (!verified.ok) seen.lacking.add(check.algorithm)
    else if (verified.value) seen.verified++
    else seen.refused++
    return verified
  },
})

/** Without attestation nothing is signed in a registration: then the new key is all that there is to look at. */
const takesAttested = async (
  library: PeculiarCrypto,
  input: RegistrationCase,
  seen: Seen,
): Promise<boolean | undefined> => {
  const attested = attestedKey(input)
  if (attested === undefined) return undefined
  const taken = await library.imports(attested.key)
  if (taken.ok) return taken.value
  seen.lacking.add(attested.algorithm)
  return undefined
}

type Subtle = Crypto['subtle']

/** The judge’s crypto on @peculiar/webcrypto, which has no ML-DSA and of the rest what node:crypto has. */
type PeculiarCrypto = JudgeCrypto & {
  /** True if it accepts the key. */
  imports(key: PublicKey): Promise<Result<boolean, 'unsupported'>>
}

let made: Promise<PeculiarCrypto> | undefined

/** Loaded when it is first asked: a start need not wait for it. */
const peculiarCrypto = (): Promise<PeculiarCrypto> => {
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
