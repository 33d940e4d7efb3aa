import type { MessageKind } from '../protocol/message-address.ts'
import type { MessageState } from '../protocol/message-state.ts'
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from '../protocol/webauthn-json.ts'

/** The bodies of the phone's side of the service (docs: app interface). `{app_url}` stands before each path. */

/** `POST /devices`. An account is its phone number; the name given first stays. */
export type SignInBody = {
  readonly account: { readonly name: string; readonly phone: string; readonly proof?: string }
  readonly device_name: string
}

export type SignInData = { readonly device_id: string; readonly device_token: string }

/** `POST /messages/{msg_id}/bind` */
export type BindData = {
  readonly kind: MessageKind
  readonly rp: { readonly id: string; readonly name: string; readonly origins: readonly string[] }
  readonly user: { readonly username: string; readonly display_name: string }
  /** The name the new credential will have; for authentications the empty string. */
  readonly credential_name: string
  /** Unix seconds. */
  readonly expires_at: number
  readonly public_key: CreationOptionsJson | RequestOptionsJson
}

/** Where the user wants the new credential: the phone's secure chip, or the cloud HSM. */
export type CredentialStorage = 'chip' | 'cloud'

/** `POST /messages/{msg_id}/attestation`; without `storage` it is the chip. */
export type AttestationBody = { readonly response: RegistrationResponseJson; readonly storage?: CredentialStorage }

/** `POST /messages/{msg_id}/assertion` */
export type AssertionBody = { readonly response: AuthenticationResponseJson }

export type AnswerData = { readonly status: MessageState; readonly error: string }

/** `POST /messages/{msg_id}/reject`: a machine word (`a-z`, `_`); without one it is `user_rejected`. */
export type RejectBody = { readonly reason?: string }

export type RejectData = { readonly status: MessageState }

/** The data of one `message` event of `GET /inbox`; the event's id counts up within the device. */
export type InboxMessage = {
  readonly msg_id: string
  readonly url: string
  readonly rp: { readonly id: string; readonly name: string }
  /** Unix seconds. */
  readonly expires_at: number
}

/** `PUT /vault/{credential_id}`: what the phone sealed, base64url. The service cannot read it. */
export type VaultPutBody = { readonly sealed: string }

/** Answers PUT; `etag` is what the `ETag` header has, quotes included, and what `If-Match` wants. */
export type VaultPutData = { readonly credential_id: string; readonly etag: string }

/** `GET /vault/{credential_id}`, with the `ETag` header; also each entry of `GET /vault`. */
export type VaultEntry = { readonly credential_id: string; readonly etag: string; readonly sealed: string }

/** `GET /vault`: oldest first. */
export type VaultList = { readonly total: number; readonly list: readonly VaultEntry[] }

/** `DELETE /vault/{credential_id}` and `DELETE /devices/self`. */
export type DeletedData = { readonly deleted: boolean }
