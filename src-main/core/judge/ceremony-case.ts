import type { RelaxedRules } from '../contract/profile.ts'
import type { Bytes } from '../protocol/bytes.ts'
import type { Millis } from '../protocol/time.ts'
import type { Base64url, CreationOptionsJson, RequestOptionsJson } from '../protocol/webauthn-json.ts'

export type Expectations = {
  readonly origins: readonly string[]
  readonly rpId: string
  /** Without any, an answer from a cross-origin frame is refused. */
  readonly topOrigins?: readonly string[]
  readonly relaxed?: RelaxedRules
}

/** What a list of FIDO's Metadata Service says about authenticator models, by AAGUID in lower-case UUID form. */
export type ModelMetadata = ReadonlyMap<
  string,
  {
    /** Trust anchors of only this model, DER. */
    readonly roots: readonly Bytes[]
    /** Reports after which the model is no longer trusted. */
    readonly reports: readonly { readonly status: string; readonly from: Millis }[]
  }
>

export type RegistrationCase = Expectations & {
  /** RegistrationResponseJSON exactly as received: any JSON value. */
  readonly response: unknown
  readonly options: CreationOptionsJson
  readonly attestation: 'accept-any' | 'require-trusted'
  /** Trust anchors, DER. */
  readonly roots: readonly Bytes[]
  readonly metadata?: ModelMetadata
  /** The workspace's clock. */
  readonly now: Millis
  readonly credentialKnown: (id: Base64url) => Promise<boolean> | boolean
}

export type AttestationType = 'none' | 'self' | 'basic' | 'attca' | 'anonca'

/** What an answer says about its credential. */
export type AuthenticatedCredential = {
  readonly id: Base64url
  readonly signCount: number
  readonly userVerified: boolean
  readonly backupEligible: boolean
  readonly backupState: boolean
}

export type RegisteredCredential = AuthenticatedCredential & {
  /** The COSE key as the authenticator wrote it. */
  readonly publicKey: Bytes
  readonly algorithm: number
  /** Lower-case UUID form. */
  readonly aaguid: string
  readonly transports: readonly string[]
  readonly format: string
  readonly attestationType: AttestationType
  /** The attestation chains to one of the roots; the case's `attestation` says if that is required. */
  readonly trusted: boolean
}

export type StoredCredential = Pick<
  RegisteredCredential,
  'publicKey' | 'algorithm' | 'signCount' | 'backupEligible' | 'backupState'
> & { readonly userHandle: Base64url }

export type AuthenticationCase = Expectations & {
  /** AuthenticationResponseJSON exactly as received: any JSON value. */
  readonly response: unknown
  readonly options: RequestOptionsJson
  readonly credential: (id: Base64url) => Promise<StoredCredential | undefined> | StoredCredential | undefined
  readonly expectedUserHandle: Base64url
  readonly counterRegression: 'fail' | 'accept'
}
