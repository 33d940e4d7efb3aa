import type { MessageKind } from '../protocol/message-address.ts'
import type { Behaviour } from './behaviour.ts'

export const CREDENTIAL_STORAGES = ['cloud', 'chip'] as const

/** Where a credential is kept: cloud HSM storage (can move to a new phone) or the phone's secure chip (cannot). */
export type CredentialStorage = (typeof CREDENTIAL_STORAGES)[number]

export const isCredentialStorage = (value: unknown): value is CredentialStorage =>
  CREDENTIAL_STORAGES.some((storage) => storage === value)

/** A phone may hold thousands under load, and its state goes out with everything it does. */
export const CREDENTIALS_SHOWN = 50

/** A phone as plain JSON: everything a page needs to draw it, and nothing secret. */
export type PhoneState = {
  readonly id: string
  readonly name: string
  readonly model: string
  /** Of new keys; absent: the service's preferred one among the model's. */
  readonly algorithm?: string
  readonly account: {
    readonly name: string
    /** Masked, as the service shows it: `138****5678`. */
    readonly phone: string
  }
  /** How the service calls this phone while it is signed in. */
  readonly device_id?: string
  readonly signed_in: boolean
  readonly network: 'online' | 'offline'
  /** Whether pushes can arrive at this moment. */
  readonly inbox: 'closed' | 'connecting' | 'open'
  readonly lost: boolean
  /** Where new credentials go unless the person chooses otherwise. */
  readonly storage: CredentialStorage
  readonly behaviour: Behaviour
  readonly screen: Screen
  /** What the phone is being asked, oldest first; the newest is on the screen. */
  readonly prompts: readonly Prompt[]
  /** Pushes that were not opened yet, newest first. */
  readonly notifications: readonly PhoneNotification[]
  /** The newest of them, newest last. */
  readonly credentials: readonly HeldCredential[]
  readonly credentials_total: number
  readonly faults: readonly ArmedFault[]
}

/** What the phone asks its person. A datum: it is answered by approve, reject or fail-fingerprint with its id. */
export type Prompt = {
  readonly id: string
  readonly msg_id: string
  readonly url: string
  readonly kind: MessageKind
  readonly came_by: 'scan' | 'push'
  readonly rp: { readonly id: string; readonly name: string; readonly origins: readonly string[] }
  readonly user: { readonly username: string; readonly display_name: string }
  readonly credential_name: string
  /** Unix seconds. */
  readonly expires_at: number
  /** What the phone will sign for. */
  readonly origin: string
  /** Registration: where the credential will go unless approve says otherwise. */
  readonly storage?: CredentialStorage
  /** Authentication: what the phone could sign with. */
  readonly credentials?: readonly HeldCredential[]
  readonly fingerprint_failures: number
  /** Workspace time in milliseconds at which the phone answers by itself. */
  readonly answers_at?: number
}

export type Screen =
  | { readonly kind: 'lock' }
  | { readonly kind: 'home' }
  | { readonly kind: 'camera' }
  | { readonly kind: 'request'; readonly prompt: Prompt; readonly note?: string }
  | { readonly kind: 'working'; readonly prompt: Prompt; readonly doing: 'signing' | 'sending' }
  | { readonly kind: 'success'; readonly prompt: Prompt; readonly text: string; readonly credential_id: string }
  /** The person said no, or the service did not accept the answer. */
  | { readonly kind: 'refused'; readonly prompt: Prompt; readonly word: string; readonly text: string }
  /** Something stood in the way; the prompt is there when it was about one. */
  | { readonly kind: 'problem'; readonly word: string; readonly text: string; readonly prompt?: Prompt }

export type ScreenKind = Screen['kind']

export type PhoneNotification = {
  readonly msg_id: string
  readonly url: string
  readonly rp: { readonly id: string; readonly name: string }
  /** Unix seconds. */
  readonly expires_at: number
  /** Workspace time in milliseconds. */
  readonly arrived_at: number
}

export type HeldCredential = {
  readonly id: string
  readonly name: string
  readonly rp_id: string
  readonly username: string
  readonly storage: CredentialStorage
  /** RFC 3339. */
  readonly created_at: string
}

/** A fault waits on a phone until its attempts are used up or it is disarmed. */
export type ArmedFault = {
  readonly id: string
  readonly fault: string
  /** Attempts that it will still strike; absent with a probability. */
  readonly left?: number
  /** Strikes each attempt with this chance, drawn from the workspace's seed. */
  readonly probability?: number
  readonly parameters?: Readonly<Record<string, unknown>>
}
