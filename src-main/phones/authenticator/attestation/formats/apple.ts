import { sha256 } from '../../algorithms.ts'
import type { CborValue } from '../../canonical-cbor.ts'
import { octetString, sequence, tagged } from '../../der.ts'
import { publicKeyDer } from '../../private-key.ts'
import { makersOf } from '../attestation-authority.ts'
import { type AttestationFormat, draftLeaf, issueChain } from './attestation-format.ts'

const APPLE_NONCE = '1.2.840.113635.100.8.2'

/** WebAuthn §8.8: an anonymous certificate per credential; its nonce replaces a signature. */
export const apple: AttestationFormat = {
  fmt: 'apple',
  supports: ({ name }) => name === 'ES256',
  attest: (input) => {
    const issuer = makersOf(input.authority, 'apple').intermediate
    const nonce = input.strike('appleNonce', sha256(input.authenticatorData, input.clientDataHash))
    const draft = draftLeaf({
      input,
      issuer,
      subject: [
        ['O', 'Handset'],
        ['OU', 'AAA Certification'],
        ['CN', 'Anonymous Attestation'],
      ],
      publicKey: publicKeyDer(input.credentialKey),
      random: input.random,
      extensions: [{ oid: APPLE_NONCE, critical: false, value: sequence(tagged(1, octetString(nonce))) }],
    })
    const chain = issueChain(input, { draft, issuer, above: [issuer] })
    return new Map<string, CborValue>([
      ...(input.model.variant?.namesAlgorithm ? [['alg', input.algorithm.cose] as const] : []),
      ['x5c', chain],
    ])
  },
}
