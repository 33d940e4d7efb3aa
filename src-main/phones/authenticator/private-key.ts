import { createECDH, createPrivateKey, createPublicKey, generateKeyPair, getCurves, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { type Bytes, concat, fromBase64url, fromHex, toBase64url } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import type { Algorithm, EcAlgorithm, MlDsaAlgorithm, OkpAlgorithm } from './algorithms.ts'
import { bitString, objectIdentifier, sequence } from './der.ts'
import { CURVES, scalarFrom } from './ecdsa.ts'
import { isPortable, type PortableKeys, type PortableName, portableKeys } from './portable-keys.ts'
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

const importSeed = (form: keyof typeof SEED_FORMS, seed: Uint8Array): KeyObject => {
  const key = Buffer.from(concat(SEED_FORMS[form].prefix, seed))
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

const isNative = new Map<PortableName, boolean>()

const findNative = (name: PortableName): boolean => {
  if (name === 'secp256k1') return getCurves().includes(CURVES[name].name)
  try {
    return importSeed(name, new Uint8Array(SEED_FORMS[name].length)).type === 'private'
  } catch {
    return false
  }
}

/**
 * In JavaScript where the runtime's own cryptography has no such keys. Node's (OpenSSL) has all of them; Electron's
 * (BoringSSL) has only NIST's curves (electron/electron#32535) and no Ed448.
 */
const portableFor = (name: string): PortableKeys | undefined => {
  if (!isPortable(name)) return undefined
  const native = isNative.get(name) ?? findNative(name)
  isNative.set(name, native)
  return native ? undefined : portableKeys(name)
}

const fromSeed = (form: keyof typeof SEED_FORMS, random: RandomSource): JsonWebKey => {
  const seed = random.bytes(SEED_FORMS[form].length)
  const portable = portableFor(form)
  if (portable === undefined) return importSeed(form, seed).export({ format: 'jwk' })
  const [secret, open] = [seed, portable.publicKey(seed)].map(toBase64url)
  const key =
    form === 'Ed448'
      ? { kty: 'OKP', crv: form, x: open, d: secret }
      : { kty: 'AKP', alg: form, pub: open, priv: secret }
  return key as JsonWebKey
}

const pointOf = ({ curve, d }: { readonly curve: EcAlgorithm['curve']; readonly d: Uint8Array }): Uint8Array => {
  const portable = portableFor(curve)
  if (portable !== undefined) return portable.publicKey(d)
  const ecdh = createECDH(CURVES[curve].name)
  ecdh.setPrivateKey(d)
  return ecdh.getPublicKey()
}

/** Synchronous, for callers that need only EC keys. */
export const makeEcKey = (algorithm: EcAlgorithm, random: RandomSource): EcPrivateKey => {
  const d = scalarFrom(CURVES[algorithm.curve], random)
  const point = pointOf({ curve: algorithm.curve, d })
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

/** The curve, the parameter set, or `RSA`. */
export const kindOf = (key: PrivateKey): string => ('crv' in key ? key.crv : 'alg' in key ? key.alg : key.kty)

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

/** How JavaScript signs with this key, where the runtime cannot. */
export const portableSigner = (key: PrivateKey): ((data: Uint8Array) => Bytes) | undefined => {
  const portable = portableFor(kindOf(key))
  const secret = key.kty === 'AKP' ? key.priv : key.d
  return portable && ((data) => portable.sign(data, octets(secret)))
}

/** Throws for an invalid key. */
export const importPrivateKey = (key: PrivateKey): KeyObject | Bytes =>
  portableFor(kindOf(key))?.publicKey(octets(key.kty === 'AKP' ? key.priv : key.d)) ?? privateKeyObject(key)

/** Of an AlgorithmIdentifier (RFC 5480, RFC 8410, RFC 9881). */
const OIDS = {
  secp256k1: ['1.2.840.10045.2.1', '1.3.132.0.10'],
  Ed448: ['1.3.101.113'],
  'ML-DSA-44': ['2.16.840.1.101.3.4.3.17'],
  'ML-DSA-65': ['2.16.840.1.101.3.4.3.18'],
  'ML-DSA-87': ['2.16.840.1.101.3.4.3.19'],
} as const satisfies Record<PortableName, readonly string[]>

/** SubjectPublicKeyInfo, DER. */
export const publicKeyDer = (key: PrivateKey): Bytes => {
  const kind = kindOf(key)
  if (!isPortable(kind) || portableFor(kind) === undefined) {
    return new Uint8Array(createPublicKey({ key, format: 'jwk' }).export({ format: 'der', type: 'spki' }))
  }
  const open = key.kty === 'EC' ? ecPoint(key) : octets(key.kty === 'AKP' ? key.pub : key.kty === 'OKP' ? key.x : '')
  return sequence(sequence(...OIDS[kind].map(objectIdentifier)), bitString(open))
}

/** The uncompressed point of SEC 1 §2.3.3. */
export const ecPoint = (key: EcPrivateKey): Bytes => concat(Uint8Array.of(4), octets(key.x), octets(key.y))
