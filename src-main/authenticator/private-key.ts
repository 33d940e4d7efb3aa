import { createECDH, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { type Bytes, concat, fromBase64url, fromHex, toBase64url } from '../protocol/bytes.ts'
import type { RandomSource } from '../protocol/random.ts'
import type { Algorithm, EcAlgorithm, MlDsaAlgorithm, OkpAlgorithm } from './algorithms.ts'
import { CURVES, scalarFrom } from './ecdsa.ts'
import { type RsaPrivateKey, rsaKeyFromPool } from './rsa-key-pool.ts'

export type EcPrivateKey = { kty: 'EC'; crv: EcAlgorithm['curve']; x: string; y: string; d: string }
export type OkpPrivateKey = { kty: 'OKP'; crv: OkpAlgorithm['curve']; x: string; d: string }
export type MlDsaPrivateKey = { kty: 'AKP'; alg: MlDsaAlgorithm['name']; pub: string; priv: string }

/** A private key as a JSON Web Key: a plain record that a phone can store, seal and show. */
export type PrivateKey = Readonly<EcPrivateKey | OkpPrivateKey | RsaPrivateKey | MlDsaPrivateKey>

const bytesOfHex = (hex: string): Bytes => {
  const bytes = fromHex(hex)
  if (!bytes.ok) throw new Error(bytes.error)
  return bytes.value
}

const octets = (text: string): Bytes => {
  const bytes = fromBase64url(text)
  if (!bytes.ok) throw new Error(`key member: ${bytes.error}`)
  return bytes.value
}

// PKCS #8 up to the seed: RFC 8410 §7 for the Edwards curves, RFC 9881 §6 (seed form) for ML-DSA.
const SEED_FORMS = {
  Ed25519: { prefix: bytesOfHex('302e020100300506032b657004220420'), length: 32 },
  Ed448: { prefix: bytesOfHex('3047020100300506032b6571043b0439'), length: 57 },
  'ML-DSA-44': { prefix: bytesOfHex('3034020100300b060960864801650304031104228020'), length: 32 },
  'ML-DSA-65': { prefix: bytesOfHex('3034020100300b060960864801650304031204228020'), length: 32 },
  'ML-DSA-87': { prefix: bytesOfHex('3034020100300b060960864801650304031304228020'), length: 32 },
} as const

/** The private key that grows out of these bytes, as PKCS #8. */
export const seedKeyDer = (form: keyof typeof SEED_FORMS, bytes: (length: number) => Bytes): Buffer => {
  const { prefix, length } = SEED_FORMS[form]
  return Buffer.from(concat(prefix, bytes(length)))
}

const fromSeed = (form: keyof typeof SEED_FORMS, random: RandomSource): JsonWebKey => {
  const key = seedKeyDer(form, (length) => random.bytes(length))
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
}

/** Without waiting, for those who need nothing else. */
export const makeEcKey = (algorithm: EcAlgorithm, random: RandomSource): EcPrivateKey => {
  const curve = CURVES[algorithm.curve]
  const d = scalarFrom(curve, random)
  const ecdh = createECDH(curve.name)
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const half = (point.length - 1) / 2
  return {
    kty: 'EC',
    crv: algorithm.curve,
    x: toBase64url(point.subarray(1, 1 + half)),
    y: toBase64url(point.subarray(1 + half)),
    d: toBase64url(d),
  }
}

const generateRsaKey = async (): Promise<RsaPrivateKey> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return privateKey.export({ format: 'jwk' }) as RsaPrivateKey
}

/** A private key out of the source's bytes, so that the same seed gives the same key. */
export const drawPrivateKey = (algorithm: Algorithm, random: RandomSource): PrivateKey => {
  switch (algorithm.kind) {
    case 'ec':
      return makeEcKey(algorithm, random)
    case 'okp':
      return fromSeed(algorithm.curve, random) as OkpPrivateKey
    case 'ml-dsa':
      return fromSeed(algorithm.name, random) as MlDsaPrivateKey
    case 'rsa':
      return rsaKeyFromPool(random)
  }
}

/** A new private key. */
export const makePrivateKey = async (algorithm: Algorithm, random: RandomSource): Promise<PrivateKey> =>
  algorithm.kind === 'rsa' && !random.repeatable ? generateRsaKey() : drawPrivateKey(algorithm, random)

/** Whether signatures of this algorithm are made with such a key. */
export const fitsKey = (algorithm: Algorithm, key: PrivateKey): boolean => {
  switch (algorithm.kind) {
    case 'ec':
      return key.kty === 'EC' && key.crv === algorithm.curve
    case 'okp':
      return key.kty === 'OKP' && key.crv === algorithm.curve
    case 'ml-dsa':
      return key.kty === 'AKP' && key.alg === algorithm.name
    case 'rsa':
      return key.kty === 'RSA'
  }
}

// Importing a key costs more than signing with it, and phones sign with the same record again and again.
const imported = new WeakMap<PrivateKey, KeyObject>()

export const privateKeyObject = (key: PrivateKey): KeyObject => {
  const known = imported.get(key)
  if (known !== undefined) return known
  const made = createPrivateKey({ key, format: 'jwk' })
  imported.set(key, made)
  return made
}

/** SubjectPublicKeyInfo, DER. */
export const publicKeyDer = (key: PrivateKey): Bytes =>
  new Uint8Array(createPublicKey({ key, format: 'jwk' }).export({ format: 'der', type: 'spki' }))

/** The uncompressed point of SEC 1 §2.3.3. */
export const ecPoint = (key: EcPrivateKey): Bytes => concat(Uint8Array.of(4), octets(key.x), octets(key.y))
