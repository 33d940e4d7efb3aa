import { createRequire } from 'node:module'
import type { Bytes } from '../protocol/bytes.ts'
import type { MlDsaAlgorithm } from './algorithms.ts'

type Library = typeof import('@noble/post-quantum/ml-dsa.js')

// Loaded by the first signature: a fifth of the start otherwise, for keys that few phones have.
const load = createRequire(import.meta.url)

const PARAMETER_SETS = {
  'ML-DSA-44': 'ml_dsa44',
  'ML-DSA-65': 'ml_dsa65',
  'ML-DSA-87': 'ml_dsa87',
} as const satisfies Record<MlDsaAlgorithm['name'], keyof Library>

/** The deterministic variant of FIPS 204 §3.4, with an empty context; node:crypto has only the hedged one. */
export const signMlDsaDeterministic = (options: {
  readonly name: MlDsaAlgorithm['name']
  readonly seed: Uint8Array
  readonly data: Uint8Array
}): Bytes => {
  const library: Library = load('#ml-dsa')
  const signer = library[PARAMETER_SETS[options.name]]
  const { secretKey } = signer.keygen(options.seed)
  return signer.sign(options.data, secretKey, { extraEntropy: false })
}
