import type { HeaderPair } from '../protocol/canonical-request.ts'
import type { Millis } from '../protocol/clock.ts'
import type { MessageKind } from '../protocol/message-address.ts'
import type { MessageState } from '../protocol/message-state.ts'
import type { CheckName } from './judge/checks.ts'
import type { Evidence } from './judge/evidence.ts'
import type { FailureWord, ResultWord } from './judge/failure-words.ts'
import type { StepId, StepNote } from './judge/steps.ts'

/**
 * Everything worth knowing becomes one of these; every view is drawn from them alone. Version 1 only ever grows by
 * new kinds and new optional fields.
 */
export const EVENT_VERSION = 1

export type Actor = {
  readonly kind: 'rp' | 'phone' | 'service' | 'control' | 'clock'
  /** The RP's, device's or phone's id, where there is one. */
  readonly id?: string
}

type Head = {
  readonly v: typeof EVENT_VERSION
  /** Counts from 1 within its workspace, without gaps. */
  readonly seq: number
  readonly workspace: string
  readonly actor: Actor
  /** The request id of the exchange in which this happened. */
  readonly cause?: string
  /** Real time: differs from run to run. */
  readonly wall: Wall
  /** The workspace's clock. */
  readonly bench: Millis
}

/** A reading of real time or of a real duration. Its type is what masks it when two runs are compared. */
export type Wall = number

export type ExchangeFact = {
  readonly kind: 'exchange'
  readonly interface: 'rp' | 'app'
  readonly request: {
    readonly id: string
    readonly method: string
    /** Path and query as on the request line. */
    readonly target: string
    /** The route's pattern, e.g. `/app/messages/{msg_id}/bind`; absent when none matched. */
    readonly route?: string
    /** Bearer tokens are masked; a signature is not a secret and stays. */
    readonly headers: readonly HeaderPair[]
    /** The body as text; secrets in it are masked. */
    readonly body: string
    readonly body_bytes: number
  }
  readonly response: {
    readonly status: number
    readonly code: number
    readonly headers: readonly HeaderPair[]
    readonly body: string
  }
  readonly took_us: Wall
  readonly rp_id?: string
  readonly access_key_id?: string
  /** The credential scope of an accepted signature, also where the header names none. */
  readonly scope?: string
  readonly device_id?: string
  readonly msg_id?: string
  /** Only of calls that the bench's own RP simulator made: who asked it to, as they call themselves. */
  readonly asked_by?: string
  /** The user's own conditions had a hand in it. */
  readonly conditions?: string
}

export type MessageFact = {
  readonly kind: 'message'
  readonly msg_id: string
  readonly ceremony: MessageKind
  readonly rp_id: string
  readonly user_id: string
  readonly username: string
  readonly method?: 'qrcode' | 'push'
  readonly from?: MessageState
  readonly to: MessageState
  readonly url: string
  readonly expires_at: Millis
  readonly svc_user?: string
  readonly device_id?: string
  /** Why it failed: a machine word, or what the phone gave as its reason. */
  readonly error?: string
  readonly credential_id?: string
}

/** The first read of a final result. */
export type DeliveryFact = { readonly kind: 'delivery'; readonly msg_id: string; readonly state: MessageState }

export type PushFact = {
  readonly kind: 'push'
  readonly msg_id: string
  readonly device_id: string
  readonly stage: 'queued' | 'sent'
}

export type JudgedStep = {
  readonly id: StepId
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed, as a machine word. */
  readonly word?: FailureWord
  readonly expected?: Evidence
  readonly received?: Evidence
  readonly note?: StepNote
  readonly at?: { readonly part: string; readonly start: number; readonly end: number }
  /** More than one thing wrong, or a step made of several checks. */
  readonly checks?: readonly JudgedCheck[]
}

/** A further finding of a step has no name of its own and goes by its word. */
export type JudgedCheck = Omit<JudgedStep, 'id' | 'note' | 'checks'> & { readonly check?: CheckName }

/** The first failed step of the judge, or what the service decided beside it. */
export type JudgedFailure = { readonly word: ResultWord; readonly step: StepId | 'service' }

export type VerdictFact = {
  readonly kind: 'verdict'
  readonly msg_id: string
  readonly ceremony: MessageKind
  readonly accepted: boolean
  readonly failure?: JudgedFailure
  readonly steps: readonly JudgedStep[]
  /** What the second verifier says: part of the event only where it has a vote, else told later, and added when read. */
  readonly second_opinion?: SecondOpinion
}

export type SecondOpinion = {
  readonly heard: boolean
  readonly accepts?: boolean
  /** Why it refuses, or why it was not asked. */
  readonly reason?: string
  /** It was asked, and says otherwise than the judge. */
  readonly disagrees?: boolean
}

/** The name by which an event stream tells it. */
export const OPINION = 'second_opinion'

/** Beside the events and without a number: it comes when there is time, so that a run repeats without it. */
export type OpinionNotice = { readonly msg_id: string; readonly second_opinion: SecondOpinion }

export type CredentialFact = {
  readonly kind: 'credential'
  readonly change: 'registered' | 'used' | 'deleted' | 'restored'
  readonly rp_id: string
  readonly user_id: string
  readonly credential_id: string
}

export type DeviceFact = {
  readonly kind: 'device'
  readonly change: 'signed_in' | 'signed_out' | 'connected' | 'disconnected'
  readonly device_id: string
  readonly account: string
}

/** What a virtual phone shows or does; `phone` is its state after it. */
export type PhoneFact = {
  readonly kind: 'phone'
  readonly change: 'created' | 'changed' | 'removed' | 'scanned' | 'pushed' | 'asked' | 'answered' | 'problem'
  readonly phone_id: string
  /** The RP that asks or that sent the push. */
  readonly text?: string
  /** Why something could not be done. */
  readonly word?: string
  readonly phone?: Readonly<Record<string, unknown>>
  /** What it was made to do about a message, by its person or by its behaviour. */
  readonly act?: {
    readonly msg_id: string
    readonly did: 'scan' | 'open' | 'approve' | 'reject' | 'decline'
    /** Of a registration that was approved: where the credential is kept. */
    readonly storage?: 'cloud' | 'chip'
    /** A fault holds it back until the workspace's clock has come further; then it is told again. */
    readonly waits?: true
    /** Why it came to nothing; the code, where it was the service that refused. */
    readonly refused?: { readonly word: string; readonly code?: number }
  }
  /** Armed faults strike the attempt with this message: its push on the way, or what the phone does with it. */
  readonly struck?: {
    readonly msg_id: string
    readonly stage?: 'push' | 'message'
    readonly faults: readonly string[]
    /** By fault: what whoever armed it chose otherwise than the table. */
    readonly parameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
}

export type ClockFact = {
  readonly kind: 'clock'
  readonly change: 'frozen' | 'running' | 'set' | 'advanced'
  readonly now: Millis
  readonly frozen: boolean
  readonly speed: number
}

/** RPs, keys, roots, profile, conditions, snapshots: what a person or a script set. Never a secret. */
export type SettingFact = {
  readonly kind: 'setting'
  readonly subject: 'rp' | 'access_key' | 'root' | 'profile' | 'conditions' | 'snapshot' | 'fault' | 'user'
  readonly change: string
  readonly id?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

export type WorkspaceFact = {
  readonly kind: 'workspace'
  readonly change: 'opened' | 'reset' | 'restored' | 'closed'
}

export type Fact =
  | ExchangeFact
  | MessageFact
  | DeliveryFact
  | PushFact
  | VerdictFact
  | CredentialFact
  | DeviceFact
  | PhoneFact
  | ClockFact
  | SettingFact
  | WorkspaceFact

export type BenchEvent = Head & Fact

export type EventKind = Fact['kind']

export type EventDraft = { readonly actor: Actor; readonly cause?: string } & Fact

/** How anybody makes a fact known. It never fails and never waits. */
export type Observe = (workspace: string, draft: EventDraft) => void

/** The fields of type Wall, wherever they stand: all that may differ between two runs of one seed. */
const WALL_FIELDS = new Set(['wall', 'took_us'])

/** An event without what depends on real time, for comparing two runs. */
export const repeatable = (event: BenchEvent): unknown =>
  JSON.parse(JSON.stringify(event, (key, value) => (WALL_FIELDS.has(key) ? undefined : value)))
