import type { ControlCredential } from '../../core/contract/control/states.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'
import type { Millis } from '../../core/protocol/time.ts'

/** Records as stored. Binary values are base64url text, so that an exported workspace is one JSON value. */
export type WorkspaceRecord = { readonly id: string; readonly created_at: Millis }

export type RpRecord = {
  readonly id: string
  readonly name: string
  readonly rp_id: string
  readonly origins: readonly string[]
  /** The key of the user handles' HMAC. */
  readonly handle_key: string
  readonly created_at: Millis
}

export type AccessKeyRecord = {
  readonly id: string
  readonly rp: string
  readonly secret: string
  readonly state: 'active' | 'disabled'
  readonly created_at: Millis
}

export type KeyWithRp = { readonly key: AccessKeyRecord; readonly rp: RpRecord }

export type AccountRecord = {
  readonly id: string
  readonly name: string
  readonly phone: string
  /** SHA-256 of the proof; absent: the account is open and has no vault. */
  readonly proof_hash?: string
  readonly created_at: Millis
}

export type DeviceRecord = {
  readonly id: string
  readonly account: string
  readonly name: string
  /** SHA-256 of the token. */
  readonly token_hash: string
  /** How many pushes it was ever sent: numbers its inbox events. */
  readonly push_count: number
  readonly created_at: Millis
}

export type MessageRecord = {
  readonly id: string
  readonly rp: string
  readonly kind: MessageKind
  readonly method?: 'qrcode' | 'push'
  readonly user_id: string
  readonly username: string
  readonly display_name: string
  readonly credential_name: string
  readonly challenge: string
  readonly state: MessageState
  readonly svc_user: string
  readonly error: string
  readonly device?: string
  readonly account?: string
  /** The options as the bound device got them: its answer is judged by them. */
  readonly public_key?: unknown
  /** SHA-256 of the answer in canonical form: tells a repeated answer from a new one. */
  readonly answer_hash?: string
  readonly verdict?: unknown
  readonly credential_id?: string
  readonly created_at: Millis
  readonly expires_at: Millis
  readonly delivered_at?: Millis
}

/** The part of a message that result polling needs. */
export type MessageResult = Pick<
  MessageRecord,
  'id' | 'rp' | 'kind' | 'user_id' | 'state' | 'svc_user' | 'error' | 'expires_at' | 'delivered_at'
>

export type Counts = {
  readonly rps: number
  readonly messages: number
  /** Messages in a state that is not final. */
  readonly messages_under_way: number
  readonly credentials: number
  readonly accounts: number
}

export type CredentialRecord = ControlCredential

export type PushRecord = {
  readonly device: string
  /** Counts from 1 within the device. */
  readonly n: number
  readonly msg_id: string
  readonly sent_at?: Millis
}

export type VaultRecord = {
  readonly account: string
  readonly credential_id: string
  readonly etag: string
  readonly sealed: string
  readonly updated_at: Millis
}

export type RootRecord = {
  readonly id: string
  readonly name: string
  /** DER, base64. */
  readonly certificate: string
  readonly created_at: Millis
}

export type SnapshotRecord = {
  readonly id: string
  readonly name: string
  readonly created_at: Millis
  /** WorkspaceExport and what the caller added, as JSON. */
  readonly content: string
}

/** All rows of one workspace, by table, as they are stored: for snapshots and exports. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>
