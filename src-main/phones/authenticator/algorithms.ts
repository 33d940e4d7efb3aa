import { createHash } from 'node:crypto'
import type { Bytes } from '../../core/protocol/bytes.ts'

export const ALGORITHMS = {
  ES256: { cose: -7, kind: 'ec', curve: 'P-256', hash: 'sha256' },
  ES384: { cose: -35, kind: 'ec', curve: 'P-384', hash: 'sha384' },
  ES512: { cose: -36, kind: 'ec', curve: 'P-521', hash: 'sha512' },
  ES256K: { cose: -47, kind: 'ec', curve: 'secp256k1', hash: 'sha256' },
  Ed25519: { cose: -8, kind: 'okp', curve: 'Ed25519' },
  Ed448: { cose: -53, kind: 'okp', curve: 'Ed448' },
  RS256: { cose: -257, kind: 'rsa', padding: 'pkcs1', hash: 'sha256' },
  RS384: { cose: -258, kind: 'rsa', padding: 'pkcs1', hash: 'sha384' },
  RS512: { cose: -259, kind: 'rsa', padding: 'pkcs1', hash: 'sha512' },
  PS256: { cose: -37, kind: 'rsa', padding: 'pss', hash: 'sha256' },
  PS384: { cose: -38, kind: 'rsa', padding: 'pss', hash: 'sha384' },
  PS512: { cose: -39, kind: 'rsa', padding: 'pss', hash: 'sha512' },
  RS1: { cose: -65535, kind: 'rsa', padding: 'pkcs1', hash: 'sha1' },
  'ML-DSA-44': { cose: -48, kind: 'ml-dsa' },
  'ML-DSA-65': { cose: -49, kind: 'ml-dsa' },
  'ML-DSA-87': { cose: -50, kind: 'ml-dsa' },
} as const

export type AlgorithmName = keyof typeof ALGORITHMS
export type Algorithm = { [N in AlgorithmName]: { readonly name: N } & (typeof ALGORITHMS)[N] }[AlgorithmName]
export type EcAlgorithm = Extract<Algorithm, { kind: 'ec' }>
export type OkpAlgorithm = Extract<Algorithm, { kind: 'okp' }>
export type RsaAlgorithm = Extract<Algorithm, { kind: 'rsa' }>
export type MlDsaAlgorithm = Extract<Algorithm, { kind: 'ml-dsa' }>

export const algorithmNamed = <N extends AlgorithmName>(name: N): Extract<Algorithm, { name: N }> =>
  ({ name, ...ALGORITHMS[name] }) as unknown as Extract<Algorithm, { name: N }>

export const ES256 = algorithmNamed('ES256')
export const RS256 = algorithmNamed('RS256')

export const ALGORITHM_NAMES = Object.keys(ALGORITHMS) as [AlgorithmName, ...AlgorithmName[]]

const BY_COSE: ReadonlyMap<number, Algorithm> = new Map(
  ALGORITHM_NAMES.map((name) => [ALGORITHMS[name].cose, algorithmNamed(name)]),
)

export const algorithmByCose = (cose: number): Algorithm | undefined => BY_COSE.get(cose)

export const digest = (name: string, ...parts: readonly Uint8Array[]): Bytes => {
  const hash = createHash(name)
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

export const sha256 = (...parts: readonly Uint8Array[]): Bytes => digest('sha256', ...parts)
