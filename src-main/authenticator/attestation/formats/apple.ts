import { createHash } from 'node:crypto'
import { type Bytes, concat } from '../../../protocol/bytes.ts'
import type { CborValue } from '../../canonical-cbor.ts'
import { octetString, sequence, tagged } from '../../der.ts'
import { publicKeyDer } from '../../private-key.ts'
import type { AttestationFormat } from './attestation-format.ts'
import { draftLeaf, issueChain } from './leaf-certificate.ts'

const APPLE_NONCE = '1.2.840.113635.100.8.2'

const sha256 = (bytes: Uint8Array): Bytes => new Uint8Array(createHash('sha256').update(bytes).digest())

/** WebAuthn §8.8: an anonymous certificate per credential; its nonce stands in for a signature. */
export const apple: AttestationFormat = {
  fmt: 'apple',
  supports: ({ name }) => name === 'ES256',
  attest: (input) => {
    const issuer = input.authority.formats.apple.intermediate
    const nonce = input.strike('appleNonce', sha256(concat(input.authenticatorData, input.clientDataHash)))
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
