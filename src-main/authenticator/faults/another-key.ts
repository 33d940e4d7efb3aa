import { algorithmNamed } from '../algorithms.ts'
import { labelledRandom } from '../attestation/labelled-random.ts'
import { type EcPrivateKey, makeEcKey } from '../private-key.ts'
import type { SeamContext } from '../seams.ts'

/** A P-256 key that is nobody's, always the same in a workspace, so that two seams of one fault can agree on it. */
export const anotherKey = ({ authority }: SeamContext): EcPrivateKey =>
  makeEcKey(algorithmNamed('ES256'), labelledRandom(authority.secret, 'another key'))
