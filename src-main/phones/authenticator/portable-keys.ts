import { createRequire } from 'node:module'
import type { Bytes } from '../../core/protocol/bytes.ts'
import type { MlDsaAlgorithm } from './algorithms.ts'

type MlDsa = typeof import('@noble/post-quantum/ml-dsa.js')
type Secp256k1 = typeof import('@noble/curves/secp256k1.js')
type Ed448 = typeof import('@noble/curves/ed448.js')

/** Keys in JavaScript: the private one is a scalar or seed, the public one the key bits of SubjectPublicKeyInfo. */
export type PortableKeys = {
  publicKey(secret: Uint8Array): Bytes
  /** Deterministic, in WebAuthn §6.5.5's form. */
  sign(data: Uint8Array, secret: Uint8Array): Bytes
}

// Loaded by the first signature: a fifth of the start otherwise, for keys that few phones have.
const load = createRequire(import.meta.url)

/** FIPS 204 §3.4 with an empty context; node:crypto has only the hedged variant. */
const mlDsa = (set: 'ml_dsa44' | 'ml_dsa65' | 'ml_dsa87') => (): PortableKeys => {
  const library: MlDsa = load('#ml-dsa')
  const { keygen, sign } = library[set]
  return {
    publicKey: (seed) => keygen(seed).publicKey,
    sign: (data, seed) => sign(data, keygen(seed).secretKey, { extraEntropy: false }),
  }
}

const PORTABLE = {
  secp256k1: () => {
    const { secp256k1 }: Secp256k1 = load('#secp256k1')
    return {
      publicKey: (scalar) => secp256k1.getPublicKey(scalar, false),
      sign: (data, scalar) => secp256k1.sign(data, scalar, { lowS: false, format: 'der' }),
    }
  },
  Ed448: () => {
    const { ed448 }: Ed448 = load('#ed448')
    return { publicKey: (seed) => ed448.getPublicKey(seed), sign: (data, seed) => ed448.sign(data, seed) }
  },
  'ML-DSA-44': mlDsa('ml_dsa44'),
  'ML-DSA-65': mlDsa('ml_dsa65'),
  'ML-DSA-87': mlDsa('ml_dsa87'),
} as const satisfies Readonly<Record<'secp256k1' | 'Ed448' | MlDsaAlgorithm['name'], () => PortableKeys>>

/** Curves and algorithms whose keys JavaScript can make. */
export type PortableName = keyof typeof PORTABLE

export const isPortable = (name: string): name is PortableName => Object.hasOwn(PORTABLE, name)

export const portableKeys = (name: PortableName): PortableKeys => PORTABLE[name]()
