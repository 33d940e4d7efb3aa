import { constants, createHash, sign as cryptoSign, type KeyObject, privateDecrypt } from 'node:crypto'
import { type Bytes, concat, fromBase64url } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import type { Algorithm, RsaAlgorithm } from './algorithms.ts'
import { CURVES, signEcdsaDeterministic } from './ecdsa.ts'
import { portableKeys } from './portable-keys.ts'
import { fitsKey, kindOf, type PrivateKey, portableSigner, privateKeyObject } from './private-key.ts'

const signRsa = (algorithm: RsaAlgorithm, key: KeyObject, data: Uint8Array, random: RandomSource): Bytes =>
  algorithm.padding === 'pss'
    ? signPss({ key, hash: algorithm.hash, data, random })
    : new Uint8Array(cryptoSign(algorithm.hash, data, key))

const octets = (text: string): Bytes => {
  const bytes = fromBase64url(text)
  if (!bytes.ok) throw new Error(`private key: ${bytes.error}`)
  return bytes.value
}

/** A signature in WebAuthn §6.5.5's form. Under a repeatable source the same call gives the same bytes. */
export const sign = (options: {
  readonly algorithm: Algorithm
  readonly privateKey: PrivateKey
  readonly data: Uint8Array
  readonly random: RandomSource
}): Bytes => {
  const { algorithm, privateKey, data, random } = options
  // node:crypto would sign as the key determines, with a random nonce.
  if (!fitsKey(algorithm, privateKey)) throw new Error(`${algorithm.name} cannot sign with a ${kindOf(privateKey)} key`)
  const portable = portableSigner(privateKey)
  if (portable !== undefined) return portable(data)
  if (algorithm.kind === 'ec' && privateKey.kty === 'EC' && random.repeatable) {
    const scalar = octets(privateKey.d)
    return signEcdsaDeterministic({ curve: CURVES[privateKey.crv], hash: algorithm.hash, scalar, data })
  }
  if (algorithm.kind === 'ml-dsa' && privateKey.kty === 'AKP' && random.repeatable) {
    return portableKeys(algorithm.name).sign(data, octets(privateKey.priv))
  }
  const key = privateKeyObject(privateKey)
  if (algorithm.kind === 'rsa') return signRsa(algorithm, key, data, random)
  return new Uint8Array(cryptoSign(algorithm.kind === 'ec' ? algorithm.hash : null, data, key))
}

const digest = (hash: string, ...parts: readonly Uint8Array[]): Bytes =>
  new Uint8Array(
    createHash(hash)
      .update(concat(...parts))
      .digest(),
  )

// RFC 8017 B.2.1.
const mgf1 = (hash: string, seed: Uint8Array, length: number): Bytes => {
  let mask: Bytes = new Uint8Array(0)
  for (let counter = 0; mask.length < length; counter++) {
    const block = new Uint8Array(4)
    new DataView(block.buffer).setUint32(0, counter)
    mask = concat(mask, digest(hash, seed, block))
  }
  return mask.slice(0, length)
}

/** RSASSA-PSS (RFC 8017 §9.1.1) with the salt from the source, which node:crypto does not let one choose. */
const signPss = (options: {
  readonly key: KeyObject
  readonly hash: string
  readonly data: Uint8Array
  readonly random: RandomSource
}): Bytes => {
  const { key, hash } = options
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  const length = Math.ceil((bits - 1) / 8)
  const hashed = digest(hash, options.data)
  // RFC 8230 §2: the salt is as long as the hash.
  const salt = options.random.bytes(hashed.length)
  const h = digest(hash, new Uint8Array(8), hashed, salt)
  const block = concat(new Uint8Array(length - hashed.length * 2 - 2), Uint8Array.of(1), salt)
  const mask = mgf1(hash, h, block.length)
  const masked = block.map((byte, i) => byte ^ (mask[i] ?? 0))
  masked[0] = (masked[0] ?? 0) & (0xff >> (length * 8 - (bits - 1)))
  const message = concat(masked, h, Uint8Array.of(0xbc))
  // RSASP1 without padding is the private operation, although Node calls it decryption.
  return new Uint8Array(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, message))
}
