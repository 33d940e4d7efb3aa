import * as crypto from 'node:crypto'
import { type EcCurve, findAlgorithm, type HashName, type MlDsa, type PublicKey } from '../../core/judge/algorithms.ts'
import type { JudgeCrypto, SignatureCheck } from '../../core/judge/crypto-port.ts'
import { encodeSpki } from '../../core/judge/spki.ts'
import { type Bytes, concat } from '../../core/protocol/bytes.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'
import { err, ok, orNothing, type Result } from '../../core/protocol/result.ts'

const HASHES = {
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
} as const satisfies Record<HashName, string>

/** The judge's crypto on node:crypto. OpenSSL has every algorithm; what Electron's BoringSSL lacks, @noble verifies. */
export const createNodeCrypto = (verifies: Verifies): JudgeCrypto => ({
  digest: (name, data) => new Uint8Array(crypto.hash(HASHES[name], data, 'buffer')),
  verify: (check) => verifyWithNode(check, verifies),
})

type Verifies = (
  digest: string | null,
  data: Bytes,
  key: crypto.VerifyKeyObjectInput | crypto.KeyObject,
  signature: Bytes,
) => boolean | Promise<boolean>

const verifyWithNode = async (check: SignatureCheck, verifies: Verifies): Promise<Result<boolean, 'unsupported'>> => {
  const { algorithm, key, data, signature } = check
  const known = findAlgorithm(algorithm)
  if (known === undefined || known.kty !== key.kty) return err('unsupported')
  const publicKey = importKey(key)
  // An invalid key, such as a point off its curve, is not imported: nothing verifies with it.
  if (publicKey === undefined) return isSupported(key) ? ok(false) : verifyWithNoble(check)
  const digest = 'hash' in known ? HASHES[known.hash] : null
  const padded = known.kty === 'RSA' && known.padding === 'pss' ? { ...PSS, key: publicKey } : publicKey
  return ok(await verifies(digest, data, padded, signature))
}

type Verify = (signature: Bytes, data: Bytes) => boolean

/** Loads the libraries for the first key that needs them. */
const portableVerify = async ({ algorithm, key }: SignatureCheck): Promise<Verify | undefined> => {
  const known = findAlgorithm(algorithm)
  if (known?.kty === 'EC2' && key.kty === 'EC2') {
    const { secp256k1 } = await import('@noble/curves/secp256k1.js')
    const { p256, p384, p521 } = await import('@noble/curves/nist.js')
    const curve = { 'P-256': p256, 'P-384': p384, 'P-521': p521, secp256k1 }[key.crv]
    const digest = HASHES[known.hash]
    const point = concat(Uint8Array.of(4), key.x, key.y)
    const options = { lowS: false, format: 'der', prehash: false } as const
    // A certificate may be signed with another hash than the curve's own.
    return (signature, data) =>
      curve.verify(signature, new Uint8Array(crypto.hash(digest, data, 'buffer')), point, options)
  }
  if (known?.kty === 'OKP' && key.kty === 'OKP') {
    const { ed448 } = await import('@noble/curves/ed448.js')
    const { ed25519 } = await import('@noble/curves/ed25519.js')
    const curve = { Ed25519: ed25519, Ed448: ed448 }[key.crv]
    return (signature, data) => curve.verify(signature, data, key.x, { zip215: false })
  }
  if (known?.kty !== 'AKP' || key.kty !== 'AKP') return undefined
  const { [PARAMETER_SETS[key.name]]: set } = await import('@noble/post-quantum/ml-dsa.js')
  return (signature, data) => set.verify(signature, data, key.pub)
}

/** Verifies with @noble, which does not use OpenSSL and has no RSA. */
export const verifyWithNoble = async (check: SignatureCheck): Promise<Result<boolean, 'unsupported'>> => {
  const verifyWith = await portableVerify(check)
  if (verifyWith === undefined) return err('unsupported')
  // @noble throws for invalid keys and signatures: they do not verify.
  return ok(orNothing(() => verifyWith(check.signature, check.data)) ?? false)
}

const PARAMETER_SETS = {
  'ML-DSA-44': 'ml_dsa44',
  'ML-DSA-65': 'ml_dsa65',
  'ML-DSA-87': 'ml_dsa87',
} as const satisfies Record<MlDsa, string>

const PSS = { padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: crypto.constants.RSA_PSS_SALTLEN_DIGEST }

/** A phone that signs in again has the same key: importing one takes half as long as verifying with it. */
const importKey = rememberByObject((key: PublicKey): crypto.KeyObject | undefined =>
  orNothing(() => crypto.createPublicKey(pemOf(encodeSpki(key)))),
)

/** As PEM text a key is imported in half the time: for DER in an object, Node throws and catches four errors. */
const pemOf = (spki: Bytes): string => {
  const text = Buffer.from(spki).toString('base64')
  let pem = '-----BEGIN PUBLIC KEY-----\n'
  for (let at = 0; at < text.length; at += 64) pem += `${text.slice(at, at + 64)}\n`
  return `${pem}-----END PUBLIC KEY-----\n`
}

const CURVE_NAMES = {
  'P-256': 'prime256v1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
  secp256k1: 'secp256k1',
} as const satisfies Record<EcCurve, string>

/** Distinguishes a bad key from an algorithm that the platform lacks. */
export const isSupported = (key: PublicKey): boolean => {
  switch (key.kty) {
    case 'RSA':
      return true
    case 'EC2':
      return crypto.getCurves().includes(CURVE_NAMES[key.crv])
    // An OKP or AKP key is decoded only on use, so any octets of the right length can be imported.
    case 'OKP':
      return importKey({ ...key, x: new Uint8Array(key.x.length) }) !== undefined
    case 'AKP':
      return importKey({ ...key, pub: new Uint8Array(key.pub.length) }) !== undefined
  }
}

/** Runs on a thread, so that other requests are served. An error of the library means: not verified. */
const onThread: Verifies = (digest, data, key, signature) =>
  new Promise<boolean>((resolve) =>
    crypto.verify(digest, data, key, signature, (problem, good) => resolve(problem === null && good)),
  ).catch(() => false)

export const nodeCrypto: JudgeCrypto = createNodeCrypto(onThread)
