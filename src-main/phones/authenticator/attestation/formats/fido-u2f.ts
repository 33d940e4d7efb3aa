import { concat } from '../../../../core/protocol/bytes.ts'
import { algorithmNamed } from '../../algorithms.ts'
import type { CborValue } from '../../canonical-cbor.ts'
import { ecPoint, makeEcKey, publicKeyDer } from '../../private-key.ts'
import { makersOf } from '../attestation-authority.ts'
import { labelledRandom } from '../labelled-random.ts'
import { type AttestationFormat, batchSubject, draftLeaf, issueChain, signAttestation } from './attestation-format.ts'

const ES256 = algorithmNamed('ES256')

/** WebAuthn §8.6: the format of U2F tokens. It allows only one certificate, so the root issues it. */
export const fidoU2f: AttestationFormat = {
  fmt: 'fido-u2f',
  supports: ({ name }) => name === 'ES256',
  attest: (input) => {
    const { credentialKey } = input
    if (credentialKey.kty !== 'EC') throw new Error('U2F knows P-256 keys only')
    const issuer = makersOf(input.authority, 'fido-u2f').root
    const random = labelledRandom(input.authority.secret, `fido-u2f/${input.model.name}`)
    const privateKey = makeEcKey(ES256, random)
    const draft = draftLeaf({
      input,
      issuer,
      subject: batchSubject(`Handset ${input.model.name} Batch`),
      publicKey: publicKeyDer(privateKey),
      random,
      extensions: [],
    })
    const chain = issueChain(input, { draft: { ...draft, withoutNull: true }, issuer, above: [] })
    // FIDO U2F Raw Message Formats §4.3: verificationData.
    const data = concat(
      Uint8Array.of(0),
      input.rpIdHash,
      input.clientDataHash,
      input.credentialId,
      ecPoint(credentialKey),
    )
    return new Map<string, CborValue>([
      ['sig', signAttestation(input, { algorithm: ES256, privateKey, data })],
      ['x5c', chain],
    ])
  },
}
