import type { Bytes } from '../../../../core/protocol/bytes.ts'
import type { RandomSource } from '../../../../core/protocol/random.ts'
import { publicKeyDer } from '../../private-key.ts'
import { certificateBytes, type Issuer, serialNumber } from '../attestation-authority.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  type CertificateDraft,
  type CertificateExtension,
  issueCertificate,
  keyUsage,
  type Name,
  subjectKeyIdentifier,
} from '../certificate.ts'
import type { AttestationInput } from './attestation-format.ts'

// WebAuthn §8.2.1: subject of an attestation certificate.
export const batchSubject = (commonName: string): Name => [
  ['C', 'AA'],
  ['O', 'Handset'],
  ['OU', 'Authenticator Attestation'],
  ['CN', commonName],
]

/** The leaf of a phone's chain before it is signed. */
export const draftLeaf = (options: {
  readonly input: AttestationInput
  readonly issuer: Issuer
  readonly subject: Name
  readonly publicKey: Bytes
  readonly random: RandomSource
  readonly extensions: readonly CertificateExtension[]
}): CertificateDraft => {
  const { authority } = options.input
  return {
    version: 3,
    serialNumber: serialNumber(options.random),
    issuer: options.issuer.name,
    subject: options.subject,
    notBefore: authority.notBefore,
    notAfter: authority.notAfter,
    publicKey: options.publicKey,
    extensions: [
      basicConstraints(false),
      keyUsage('digitalSignature'),
      subjectKeyIdentifier(options.publicKey),
      authorityKeyIdentifier(publicKeyDer(options.issuer.privateKey)),
      ...options.extensions,
    ],
  }
}

/** Issues the leaf and puts the chain together, leaf first, each through its seam. */
export const issueChain = (
  input: AttestationInput,
  leaf: { readonly draft: CertificateDraft; readonly issuer: Issuer; readonly above: readonly Issuer[] },
): readonly Bytes[] => {
  const { draft, issuerKey } = input.strike('attestationCertificate', {
    draft: leaf.draft,
    issuerKey: leaf.issuer.privateKey,
  })
  return input.strike('attestationChain', [issueCertificate(draft, issuerKey), ...leaf.above.map(certificateBytes)])
}
