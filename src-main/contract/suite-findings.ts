import type { Coded, Nothing } from '../protocol/coded.ts'
import type { PhoneTrouble } from './phone-trouble.ts'
import type { ProgramEnd, StepProblem } from './scenario/problems.ts'
import type { FaultStory } from './service-fault.ts'
import type { ServiceFaultName } from './service-faults.ts'

type Who = { readonly who: string }
type Says = { readonly text: string }
type Where = { readonly where: string }
/** Another program’s own word. */
type Error = { readonly error: string }

/** What an RP under test does that it should not, by its interface or its page. */
export type RpMistakeParams = {
  readonly crashed: Where & Says
  readonly answered_no_json: Where & Says
  readonly answered_late: Where
  readonly answered_too_much: Where & { readonly bytes: number }
  readonly call_failed: Where & Error
  readonly page_threw: Error
  readonly page_crashed: { readonly url: string }
  readonly page_did_not_open: Error
  readonly page_showed_nothing: Error
  readonly page_showed_no_code: Says
  readonly no_field: { readonly label: string } & Error
  readonly no_element: { readonly role: string; readonly name: string } & Error
  readonly no_window: { readonly problem: StepProblem }
}

export type RpMistake = Coded<RpMistakeParams>

/** Why an RP did not hold under a fault of the service, or was not asked. */
export type FindingParams = RpMistakeParams & {
  readonly phone_says: PhoneTrouble

  // The RP does not run any more.
  readonly rp_ended: { readonly ended: ProgramEnd; readonly output: string }
  readonly rp_silent: { readonly url: string }
  readonly broken_before: { readonly reason: FindingReason }

  // Somebody is signed in who should not be.
  readonly signed_in_unannounced: Who
  readonly signed_in_rejected: Who
  readonly signed_in_unapproved: Who
  readonly signed_in_unasked: Who
  readonly signed_in_as_other: Who & { readonly asked: string }
  readonly stranger_registered: Who

  // The RP stops working.
  /** `refusal`: what the RP says. */
  readonly not_begun: { readonly refusal: string }
  readonly gave_up: Nothing
  readonly not_signed_in: { readonly state?: string }
  readonly not_expired: { readonly state: string }
  readonly begun_with_unusable_address: Nothing
  readonly not_registered: Nothing
  readonly other_not_registered: Nothing
  readonly locked_out: Nothing
  readonly kept_out: Nothing
  readonly registered_nothing: Nothing
  readonly reopened: Nothing
  readonly shows_no_passkeys: Nothing
  readonly shows_other_passkeys: { readonly shown: readonly string[]; readonly held: readonly string[] }
  readonly removes_no_passkeys: Nothing
  readonly removed_others: { readonly said: number; readonly went: number }

  // Skipped.
  readonly not_offered: Nothing
  readonly never_called: Nothing
  readonly rp_gone: Nothing
  readonly fails_without_fault: { readonly reason: FindingReason }
}

export type FindingReason = Coded<FindingParams>

/** What a story ends with: the RP held, it broke, or it let somebody in who should not be. */
export type Finding =
  | { readonly verdict: 'held' }
  | { readonly verdict: 'broke' | 'let_in'; readonly reason: FindingReason }

/** `skipped`: the RP cannot do what the fault is about, or the story does not hold even without it. */
export type Played = Finding | { readonly verdict: 'skipped'; readonly reason: FindingReason }

/** A fault, and a story in which it is tried. */
export type Trial = { readonly fault: ServiceFaultName; readonly story: FaultStory }

/** What became of the RP in one trial. */
export type FaultFinding = Trial & { readonly took_ms: number } & Played

/** A walk of the service’s faults against an RP. */
export type SuiteReport = {
  readonly handset: string
  /** The file that says how the RP is spoken to. */
  readonly config: string
  readonly began: number
  readonly took_ms: number
  /** So often the RP was started again, or waited for, because it no longer worked. */
  readonly restored: number
  readonly findings: readonly FaultFinding[]
}

/** `why`: the reason as a sentence. `again`: the command that plays the story once more. */
export type ToldFinding = FaultFinding & { readonly why?: string; readonly again?: string }

/** What is written as JSON, and what the HTML report shows. */
export type ToldSuite = Omit<SuiteReport, 'findings'> & { readonly findings: readonly ToldFinding[] }

/** Why the RP under test does not run. */
export type RpStartProblemParams = {
  readonly no_program: { readonly problem: StepProblem }
  readonly address_taken: { readonly url: string }
  readonly rp_ended: { readonly ended: ProgramEnd; readonly output: string }
  readonly rp_absent: { readonly url: string }
  readonly rp_late: { readonly url: string; readonly seconds: number; readonly output: string }
  readonly stopped: Nothing
}

export type RpStartProblem = Coded<RpStartProblemParams>
