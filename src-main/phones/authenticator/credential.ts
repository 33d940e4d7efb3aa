import type { Millis } from '../../core/protocol/time.ts'
import type { Base64url } from '../../core/protocol/webauthn-json.ts'
import type { CounterPolicy } from './models.ts'
import type { PrivateKey } from './private-key.ts'

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

/** The source of a phone's credentials. The authenticator only reads; its answer includes the changes to store. */
export type CredentialSource = {
  /** With ids, only credentials with one of them: a phone may have thousands, and the options mostly name one. */
  forRp(rpId: string, ids?: ReadonlySet<Base64url>): Promise<readonly Credential[]> | readonly Credential[]
}
