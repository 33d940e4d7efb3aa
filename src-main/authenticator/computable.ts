import { createPrivateKey, getCurves } from 'node:crypto'
import { type Algorithm, type AlgorithmName, algorithmNamed } from './algorithms.ts'
import { CURVES } from './ecdsa.ts'
import { seedKeyDer } from './private-key.ts'

const computes = (algorithm: Algorithm): boolean => {
  switch (algorithm.kind) {
    case 'rsa':
      return true
    case 'ec':
      return getCurves().includes(CURVES[algorithm.curve].name)
    case 'okp':
      return imports(seedKeyDer(algorithm.curve, (length) => new Uint8Array(length)))
    case 'ml-dsa':
      return imports(seedKeyDer(algorithm.name, (length) => new Uint8Array(length)))
  }
}

const imports = (der: Uint8Array): boolean => {
  try {
    createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' })
    return true
  } catch {
    return false
  }
}

const known = new Map<AlgorithmName, boolean>()

/**
 * Whether the runtime's own cryptography has the algorithm. Node's (OpenSSL) has all of them; Electron's (BoringSSL) has
 * only NIST's curves (electron/electron#32535) and no Ed448.
 */
export const isComputable = ({ name }: Algorithm): boolean => {
  const answer = known.get(name) ?? computes(algorithmNamed(name))
  known.set(name, answer)
  return answer
}
