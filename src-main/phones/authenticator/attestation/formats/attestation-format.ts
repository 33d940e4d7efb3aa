import type { Bytes } from '../../../../core/protocol/bytes.ts'
import type { RandomSource } from '../../../../core/protocol/random.ts'
import type { Millis } from '../../../../core/protocol/time.ts'
import type { Algorithm } from '../../algorithms.ts'
import type { AttestationStatement } from '../../authenticator-data.ts'
import type { AuthenticatorModel } from '../../models.ts'
import { type PrivateKey, publicKeyDer, sign } from '../../private-key.ts'
import type { SigningDraft, Strike } from '../../seams.ts'
import {
  type AttestationAuthority,
  authorityKeyIdentifier,
  basicConstraints,
  type CertificateDraft,
  type CertificateExtension,
  certificateBytes,
  type Issuer,
  issueCertificate,
  keyUsage,
  type Name,
  serialNumber,
  subjectKeyIdentifier,
} from '../attestation-authority.ts'

export type AttestationInput = {
  readonly authenticatorData: Bytes
  readonly clientDataHash: Bytes
  readonly rpIdHash: Uint8Array
  readonly credentialId: Uint8Array
  readonly credentialKey: PrivateKey
  readonly algorithm: Algorithm
  readonly aaguid: Bytes
  readonly model: AuthenticatorModel
  readonly authority: AttestationAuthority
  readonly random: RandomSource
  readonly now: Millis
  readonly strike: Strike
}

export type AttestationFormat = {
  readonly fmt: string
  supports(algorithm: Algorithm): boolean
  attest(input: AttestationInput): AttestationStatement
}

export const signAttestation = (input: AttestationInput, draft: SigningDraft): Bytes => {
  const signing = input.strike('attestationSigning', draft)
  return input.strike('attestationSignature', sign({ ...signing, random: input.random }))
}

// WebAuthn §8.2.1: subject of an attestation certificate.
export const batchSubject = (commonName: string): Name => [
  ['C', 'AA'],
  ['O', 'Handset'],
  ['OU', 'Authenticator Attestation'],
  ['CN', commonName],
]

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
