/** The JSON forms of WebAuthn Level 3 §5.1.8–5.1.10: the options for the phone and its answer. */
export type Base64url = string

export type UserVerification = 'required' | 'preferred' | 'discouraged'
export type ResidentKey = 'required' | 'preferred' | 'discouraged'
export type AttestationConveyance = 'none' | 'indirect' | 'direct' | 'enterprise'

export type CredentialDescriptorJson = {
  readonly type: 'public-key'
  readonly id: Base64url
  readonly transports?: readonly string[]
}

type OptionsJson = {
  readonly challenge: Base64url
  readonly timeout?: number
  readonly hints?: readonly string[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

export type CreationOptionsJson = OptionsJson & {
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: Base64url; readonly name: string; readonly displayName: string }
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[]
  readonly excludeCredentials?: readonly CredentialDescriptorJson[]
  readonly authenticatorSelection?: {
    readonly authenticatorAttachment?: 'platform' | 'cross-platform'
    readonly residentKey?: ResidentKey
    readonly requireResidentKey?: boolean
    readonly userVerification?: UserVerification
  }
  readonly attestation?: AttestationConveyance
  readonly attestationFormats?: readonly string[]
}

export type RequestOptionsJson = OptionsJson & {
  readonly rpId: string
  readonly allowCredentials?: readonly CredentialDescriptorJson[]
  readonly userVerification?: UserVerification
}

type ResponseJson<Response> = {
  readonly id: Base64url
  readonly rawId: Base64url
  readonly type: 'public-key'
  readonly authenticatorAttachment?: 'platform' | 'cross-platform'
  readonly clientExtensionResults: Readonly<Record<string, unknown>>
  readonly response: Response
}

export type RegistrationResponseJson = ResponseJson<{
  readonly clientDataJSON: Base64url
  readonly attestationObject: Base64url
  readonly authenticatorData: Base64url
  readonly transports: readonly string[]
  readonly publicKeyAlgorithm: number
  readonly publicKey?: Base64url
}>

export type AuthenticationResponseJson = ResponseJson<{
  readonly clientDataJSON: Base64url
  readonly authenticatorData: Base64url
  readonly signature: Base64url
  readonly userHandle?: Base64url
}>
