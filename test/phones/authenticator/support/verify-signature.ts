import { constants, createPublicKey, verify } from 'node:crypto'
import type { Algorithm } from '../../../../src-main/phones/authenticator/algorithms.ts'

/** node:crypto's own word on a signature. `publicKey` is SubjectPublicKeyInfo. */
export const verifySignature = (input: {
  readonly algorithm: Algorithm
  readonly publicKey: Uint8Array
  readonly data: Uint8Array
  readonly signature: Uint8Array
}): boolean => {
  const { algorithm, data, signature } = input
  const key = createPublicKey({ key: Buffer.from(input.publicKey), format: 'der', type: 'spki' })
  if (algorithm.kind === 'okp' || algorithm.kind === 'ml-dsa') return verify(null, data, key, signature)
  if (algorithm.kind === 'rsa' && algorithm.padding === 'pss') {
    const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    return verify(algorithm.hash, data, pss, signature)
  }
  return verify(algorithm.hash, data, key, signature)
}
