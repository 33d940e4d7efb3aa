import { sign as cryptoSign, type KeyObject } from 'node:crypto'
import { type Bytes, fromBase64url } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import type { Algorithm, RsaAlgorithm } from './algorithms.ts'
import { CURVES, signEcdsaDeterministic } from './ecdsa.ts'
import { portableKeys } from './portable-keys.ts'
import { fitsKey, kindOf, type PrivateKey, portableSigner, privateKeyObject } from './private-key.ts'
import { signPss } from './rsa-pss.ts'

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
  // node:crypto would sign as the key likes, with a nonce of its own.
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
