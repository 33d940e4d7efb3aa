import type { CheckName } from '../contract/judge/checks.ts'
import type { Evidence } from '../contract/judge/evidence.ts'
import type { FailureWord } from '../contract/judge/failure-words.ts'
import type { StepId, StepNote } from '../contract/judge/steps.ts'

/** The byte string a place points into. In a registration, authenticatorData is the one inside the attestation object. */
export type Part = 'clientDataJSON' | 'attestationObject' | 'authenticatorData' | 'signature' | 'userHandle'

/** Where to look: octets from `start` up to, not including, `end`. */
export type Place = { readonly part: Part; readonly start: number; readonly end: number }

/** What was wrong: the word that stays stable, and what was there instead of what was wanted. */
export type Finding = {
  readonly word: FailureWord
  readonly expected?: Evidence
  readonly received?: Evidence
  readonly at?: Place
}

/** What a decoder got out of untrusted bytes: as much as it could, and everything that was wrong with them. */
export type Decoded<T> = { readonly value?: T; readonly findings: readonly Finding[] }

export type Outcome = 'passed' | 'failed' | 'skipped'

/** A named check within a step that has several, such as an attestation format's own rules. */
export type Check = {
  /** Absent for a further finding of a step, which goes by its word. */
  readonly check?: CheckName
  readonly outcome: Outcome
  readonly word?: FailureWord
  readonly expected?: Evidence
  readonly received?: Evidence
  readonly at?: Place
}

export type Step = {
  /** The section and number in WebAuthn Level 3, such as `7.1.8`. */
  readonly id: StepId
  readonly outcome: Outcome
  readonly word?: FailureWord
  readonly expected?: Evidence
  readonly received?: Evidence
  readonly note?: StepNote
  readonly at?: Place
  /** More than one thing wrong, or a step made of several checks. */
  readonly checks?: readonly Check[]
}

export type StepDetail = Pick<Step, 'expected' | 'received' | 'note' | 'at' | 'checks'>
