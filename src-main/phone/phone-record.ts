import type { AlgorithmName } from '../authenticator/algorithms.ts'
import type { MessageKind } from '../protocol/message-address.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../protocol/webauthn-json.ts'
import { maskNumber } from './account.ts'
import type { Behaviour } from './behaviour.ts'
import {
  type ArmedFault,
  CREDENTIALS_SHOWN,
  type CredentialStorage,
  type HeldCredential,
  type PhoneNotification,
  type PhoneState,
  type Prompt,
  type Screen,
} from './phone-state.ts'

/** What is asked to be signed, exactly as the service gave it. */
export type PublicKeyOptions =
  | { readonly kind: 'registration'; readonly options: CreationOptionsJson }
  | { readonly kind: 'authentication'; readonly options: RequestOptionsJson }

/** Signed and perhaps sent: sending it once more gets the first verdict again, another answer would not. */
export type PreparedAnswer = {
  readonly kind: MessageKind
  readonly body: Readonly<Record<string, unknown>>
  readonly credential_id: string
  readonly storage: CredentialStorage
}

/** What happens when `answers_at` comes. */
export type PlannedAnswer = {
  readonly answer: 'approve' | 'reject'
  readonly reason?: string
  /** On purpose later than the expiry, which then does not end the prompt. */
  readonly past_expiry?: true
}

export type OpenPrompt = {
  readonly prompt: Prompt
  readonly public_key: PublicKeyOptions
  readonly planned?: PlannedAnswer
  readonly answer?: PreparedAnswer
  /** Names of the faults that strike this attempt. */
  readonly struck: readonly StruckFault[]
}

export type StruckFault = { readonly fault: string; readonly parameters?: Readonly<Record<string, unknown>> }

/** A phone as it is stored: with its secrets. */
export type PhoneRecord = {
  readonly id: string
  readonly name: string
  readonly model: string
  /** Of new keys; the model's own choice when absent. */
  readonly algorithm?: AlgorithmName
  /** Without the secret after a wipe. */
  readonly account: { readonly name: string; readonly phone: string; readonly secret?: string }
  readonly device?: { readonly id: string; readonly token: string }
  readonly network: 'online' | 'offline'
  readonly lost: boolean
  readonly storage: CredentialStorage
  readonly behaviour: Behaviour
  readonly screen: Screen
  readonly prompts: readonly OpenPrompt[]
  readonly notifications: readonly PhoneNotification[]
  readonly faults: readonly ArmedFault[]
  readonly last_event_id?: string
}

export const viewOf = (
  record: PhoneRecord,
  now: { readonly inbox: PhoneState['inbox']; readonly credentials: readonly HeldCredential[] },
): PhoneState => ({
  id: record.id,
  name: record.name,
  model: record.model,
  ...(record.algorithm === undefined ? {} : { algorithm: record.algorithm }),
  account: { name: record.account.name, phone: maskNumber(record.account.phone) },
  ...(record.device === undefined ? {} : { device_id: record.device.id }),
  signed_in: record.device !== undefined,
  network: record.network,
  inbox: now.inbox,
  lost: record.lost,
  storage: record.storage,
  behaviour: record.behaviour,
  screen: record.screen,
  prompts: record.prompts.map(({ prompt }) => prompt),
  notifications: record.notifications,
  credentials: now.credentials.slice(-CREDENTIALS_SHOWN),
  credentials_total: now.credentials.length,
  faults: record.faults,
})

export const encodeRecord = (record: PhoneRecord): { readonly id: string; readonly json: string } => ({
  id: record.id,
  json: JSON.stringify(record),
})

/** Only what encodeRecord wrote comes in here. */
export const decodeRecord = (json: string): PhoneRecord => JSON.parse(json) as PhoneRecord
