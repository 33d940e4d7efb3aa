import { createPublicKey } from 'node:crypto'
import { ALGORITHM_NAMES, algorithmNamed, ES256 } from '../algorithms.ts'
import { labelledRandom } from '../attestation/attestation-authority.ts'
import {
  drawPrivateKey,
  type EcPrivateKey,
  kindFor,
  makeEcKey,
  type PrivateKey,
  rsaKeyFromPool,
} from '../private-key.ts'
import type { SeamContext } from '../seams.ts'

const randomOf = ({ authority }: SeamContext) => labelledRandom(authority.secret, 'another key')

/** A P-256 key without an owner, always the same in a workspace, so that two seams of one fault agree on it. */
export const foreignKey = (context: SeamContext): EcPrivateKey => makeEcKey(ES256, randomOf(context))

type KeyKind = Readonly<Partial<Record<'kty' | 'crv' | 'alg' | 'n', string>>>

export const foreignKeyLike = (key: KeyKind, context: SeamContext): PrivateKey => {
  if (key.kty === 'RSA') return rsaKeyFromPool(randomOf(context), key)
  const kind = key.crv ?? key.alg
  const name = ALGORITHM_NAMES.find((each) => kindFor(algorithmNamed(each)) === kind)
  return name === undefined ? foreignKey(context) : drawPrivateKey(algorithmNamed(name), randomOf(context))
}

export const keyKindOf = (spki: Uint8Array): KeyKind =>
  createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }).export({ format: 'jwk' }) as KeyKind
