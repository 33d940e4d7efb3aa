import type { Bytes } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type {
  AuthenticationResponseJson,
  Base64url,
  CreationOptionsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from '../../core/protocol/webauthn-json.ts'
import type { Algorithm, AlgorithmName } from './algorithms.ts'
import type { KeyDescriptionDraft } from './attestation/android-key-description.ts'
import type { AttestationAuthority, CertificateDraft, IssuerKey } from './attestation/attestation-authority.ts'
import type { TpmCertInfoDraft, TpmPublicAreaDraft } from './attestation/tpm-structures.ts'
import type { AttestationObjectDraft, AuthenticatorDataDraft } from './authenticator-data.ts'
import type { ClientDataDraft } from './client-data.ts'
import type { CounterPolicy } from './models.ts'
import type { PrivateKey } from './private-key.ts'

export type SigningDraft = { readonly algorithm: Algorithm; readonly privateKey: PrivateKey; readonly data: Bytes }

export type CertificateSigningDraft = { readonly draft: CertificateDraft; readonly issuerKey: IssuerKey }

/** The places where a fault can change a ceremony, in the order in which the ceremony passes them. */
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

/** WebAuthn §10.1 and CTAP: a credential's data for its extensions. */
export type CredentialExtensions = {
  /** 1 optional, 2 optional with credential ID list, 3 required. */
  readonly credProtect?: 1 | 2 | 3
  /** hmac-secret's two random keys: which one answers depends on whether the user was verified. */
  readonly hmacSecret?: { readonly withUv: Base64url; readonly withoutUv: Base64url }
  readonly largeBlob?: { readonly blob?: Base64url }
}

/** A credential as its phone keeps it: plain JSON, the private key included. */
export type Credential = {
  readonly id: Base64url
  readonly rpId: string
  readonly userHandle: Base64url
  readonly userName: string
  readonly displayName: string
  /** COSEAlgorithmIdentifier. */
  readonly algorithm: number
  readonly privateKey: PrivateKey
  readonly aaguid: string
  readonly discoverable: boolean
  readonly counter: CounterPolicy
  readonly signCount: number
  readonly backupEligible: boolean
  readonly backupState: boolean
  readonly transports: readonly string[]
  readonly createdAt: Millis
  readonly extensions: CredentialExtensions
}

/** A page's call with the options of its ceremony. */
export type ClientRequest<Options> = {
  readonly options: Options
  readonly origin: string
  /** The client found the origin in the RP ID's list of related origins. */
  readonly related?: boolean
  readonly topOrigin?: string
  readonly crossOrigin?: boolean
  readonly userVerified: boolean
  readonly seams?: Seams
}

export type AuthenticatorPorts = {
  readonly random: RandomSource
  now(): Millis
  readonly attestationKeys: AttestationAuthority
}

type AuthenticatorRefusalCode =
  | 'malformed_options'
  | 'rp_id_not_for_origin'
  | 'no_supported_algorithm'
  | 'credential_excluded'
  | 'resident_key_unavailable'
  | 'user_verification_unavailable'
  | 'large_blob_unavailable'
  | 'no_matching_credential'

/** `got` is the rejected value: the name of an option, an RP ID, a model. */
export type AuthenticatorRefusal = { readonly code: AuthenticatorRefusalCode; readonly got: string }

/** The source of a phone's credentials. The authenticator only reads; its answer includes the changes to store. */
export type CredentialSource = {
  /** `ids` limits the result: a phone may have thousands of credentials, and options usually name one. */
  forRp(rpId: string, ids?: ReadonlySet<Base64url>): Promise<readonly Credential[]> | readonly Credential[]
}

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
  /** Chooses the algorithm of the new key, before a credential exists. */
  readonly algorithm?: (chosen: AlgorithmName, options: CreationOptionsJson) => AlgorithmName
}

/** Without a seam it returns the draft unchanged. */
export type ApplySeam = <Name extends keyof SeamDrafts>(name: Name, draft: SeamDrafts[Name]) => SeamDrafts[Name]

export const seamApplier =
  (seams: StepSeams | undefined, context: SeamContext): ApplySeam =>
  (name, draft) => {
    const seam = seams?.[name]
    return seam === undefined ? draft : seam(draft, context)
  }
