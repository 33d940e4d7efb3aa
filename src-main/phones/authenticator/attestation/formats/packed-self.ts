import { concat } from '../../../../core/protocol/bytes.ts'
import type { CborValue } from '../../canonical-cbor.ts'
import { type AttestationFormat, signAttestation } from './attestation-format.ts'

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
