import { concat } from '../../../../core/protocol/bytes.ts'
import { algorithmNamed } from '../../algorithms.ts'
import type { CborValue } from '../../canonical-cbor.ts'
import { makeEcKey, publicKeyDer } from '../../private-key.ts'
import { aaguidExtension, makersOf } from '../attestation-authority.ts'
import { labelledRandom } from '../labelled-random.ts'
import { type AttestationFormat, batchSubject, draftLeaf, issueChain, signAttestation } from './attestation-format.ts'

const ES256 = algorithmNamed('ES256')

/** WebAuthn §8.2, basic attestation: one key and one certificate for all phones of a model. */
export const packed: AttestationFormat = {
  fmt: 'packed',
  supports: () => true,
  attest: (input) => {
    const { root, intermediate: issuer } = makersOf(input.authority, 'packed')
    const { withoutAaguid, rootInChain } = input.model.variant ?? {}
    const random = labelledRandom(input.authority.secret, `packed/${input.model.aaguid}`)
    const privateKey = makeEcKey(ES256, random)
    const draft = draftLeaf({
      input,
      issuer,
      subject: batchSubject(`Handset ${input.model.name} Batch`),
      publicKey: publicKeyDer(privateKey),
      random,
      extensions: withoutAaguid ? [] : [aaguidExtension(input.aaguid)],
    })
    const chain = issueChain(input, { draft, issuer, above: rootInChain ? [issuer, root] : [issuer] })
    const data = concat(input.authenticatorData, input.clientDataHash)
    return new Map<string, CborValue>([
      ['alg', ES256.cose],
      ['sig', signAttestation(input, { algorithm: ES256, privateKey, data })],
      ['x5c', chain],
    ])
  },
}

/** WebAuthn §8.2, self attestation: the credential's own key signs. */
export const packedSelf: AttestationFormat = {
  fmt: 'packed',
  supports: () => true,
  attest: (input) => {
    const { algorithm, credentialKey: privateKey } = input
    const data = concat(input.authenticatorData, input.clientDataHash)
    return new Map<string, CborValue>([
      ['alg', algorithm.cose],
      ['sig', signAttestation(input, { algorithm, privateKey, data })],
    ])
  },
}
