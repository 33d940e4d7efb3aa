import type { Bytes } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from '../../core/protocol/webauthn-json.ts'
import type { Algorithm, AlgorithmName } from './algorithms.ts'
import type { KeyDescriptionDraft } from './attestation/android-key-description.ts'
import type { AttestationAuthority } from './attestation/attestation-authority.ts'
import type { AttestationObjectDraft } from './attestation/attestation-object.ts'
import type { CertificateDraft, IssuerKey } from './attestation/certificate.ts'
import type { TpmCertInfoDraft, TpmPublicAreaDraft } from './attestation/tpm-structures.ts'
import type { AuthenticatorDataDraft } from './authenticator-data.ts'
import type { ClientDataDraft } from './client-data.ts'
import type { Credential } from './credential.ts'
import type { PrivateKey } from './private-key.ts'

/** The data to sign, with algorithm and key. */
export type SigningDraft = { readonly algorithm: Algorithm; readonly privateKey: PrivateKey; readonly data: Bytes }

/** A leaf certificate that is about to be issued, with its issuer's key. */
export type CertificateSigningDraft = { readonly draft: CertificateDraft; readonly issuerKey: IssuerKey }

/** The places where a ceremony can be bent, in the order in which it passes them. */
export type SeamDrafts = {
  readonly clientData: ClientDataDraft
  readonly clientDataJson: Bytes
  readonly authenticatorData: AuthenticatorDataDraft
  readonly authenticatorDataBytes: Bytes
  readonly attestationAuthority: AttestationAuthority
  readonly tpmPublicArea: TpmPublicAreaDraft
  readonly tpmCertInfo: TpmCertInfoDraft
  readonly androidKeyDescription: KeyDescriptionDraft
  readonly appleNonce: Bytes
  readonly safetyNetClaims: Readonly<Record<string, unknown>>
  readonly attestationCertificate: CertificateSigningDraft
  /** The certificates as they go out, leaf first. */
  readonly attestationChain: readonly Bytes[]
  readonly attestationSigning: SigningDraft
  readonly attestationSignature: Bytes
  readonly attestationObject: AttestationObjectDraft
  readonly attestationObjectBytes: Bytes
  readonly assertionSigning: SigningDraft
  readonly assertionSignature: Bytes
  readonly registrationResponse: RegistrationResponseJson
  readonly authenticationResponse: AuthenticationResponseJson
}

/** Read-only input of a seam, in addition to its draft. */
export type SeamContext = {
  readonly random: RandomSource
  readonly now: Millis
  readonly authority: AttestationAuthority
  readonly credential: Credential
} & (
  | { readonly ceremony: 'registration'; readonly options: CreationOptionsJson }
  | { readonly ceremony: 'authentication'; readonly options: RequestOptionsJson }
)

type StepSeams = {
  readonly [Name in keyof SeamDrafts]?: (draft: SeamDrafts[Name], context: SeamContext) => SeamDrafts[Name]
}

export type Seams = StepSeams & {
  /** Before there is a credential at all: the algorithm that its key is made for. */
  readonly algorithm?: (chosen: AlgorithmName, options: CreationOptionsJson) => AlgorithmName
}

/** Passes a draft through its seam. Without a fault there is no seam and the draft is returned unchanged. */
export type Strike = <Name extends keyof SeamDrafts>(name: Name, draft: SeamDrafts[Name]) => SeamDrafts[Name]

export const strikeWith =
  (seams: StepSeams | undefined, context: SeamContext): Strike =>
  (name, draft) => {
    const seam = seams?.[name]
    return seam === undefined ? draft : seam(draft, context)
  }
