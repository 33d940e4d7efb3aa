import type { Coded, NoParams } from '../protocol/coded.ts'
import type { PhoneTrouble } from './phone-trouble.ts'
import { findTrialRow, type RpCheckName, RULE_NUMBERS, type TrialName } from './rp-checks.ts'
import type { ProgramEnd, StepProblem } from './scenario/problems.ts'
import type { CarefulAct, FaultStory } from './service-faults.ts'

type Who = { readonly who: string }
type Says = { readonly text: string }
type Where = { readonly where: string }
/** The other program’s message. */
type Error = { readonly error: string }

/** The first line of the error, and the first stack frame in the RP’s own code. */
export type CrashCause = { readonly error: string; readonly frame?: string }
type Caused = { readonly cause?: CrashCause }

export type RpMistakeParams = {
  readonly crashed: Where & Says & Caused
  readonly answered_no_json: Where & Says
  readonly answered_late: Where
  readonly answered_too_much: Where & { readonly bytes: number }
  readonly call_failed: Where & Error
  readonly page_threw: Error & Caused
  readonly page_crashed: { readonly url: string }
  readonly page_did_not_open: Error
  readonly page_showed_nothing: Error
  readonly no_field: { readonly label: string } & Error
  readonly no_element: { readonly role: string; readonly name: string } & Error
  readonly no_window: { readonly problem: StepProblem }
  /** The browser took no picture of a page that shows a code. */
  readonly no_picture: { readonly error: string }
}

export type RpMistake = Coded<RpMistakeParams>

export type FindingParams = RpMistakeParams & {
  readonly phone_says: PhoneTrouble

  readonly rp_ended: { readonly ended: ProgramEnd; readonly output: string } & Caused
  readonly rp_silent: { readonly url: string }

  // The RP signs in or registers a person wrongly, or discloses a secret.
  readonly signed_in_unapproved: Who
  readonly signed_in_unasked: Who
  readonly signed_in_as_other: Who & { readonly asked: string }
  readonly signed_in_by_lie: Who
  readonly stranger_registered: { readonly user_id: string }
  readonly message_shared: { readonly msg_id: string }
  readonly user_id_shared: { readonly user_id: string; readonly one: string; readonly other: string }
  readonly secret_shown: Where

  // The RP does what its rules forbid.
  readonly waits_for_ever: { readonly seconds: number }
  readonly registered_nothing: NoParams
  readonly reopened: NoParams
  readonly locked_out: NoParams
  readonly kept_out: { readonly refusal: string }
  readonly begun_with_unusable_address: { readonly shown: string }
  readonly code_differs: { readonly shown: string; readonly given: string }
  readonly push_shows_code: NoParams
  readonly code_left: NoParams
  /** `method`: the method that the RP requested instead. */
  readonly no_push: { readonly seconds: number; readonly method: 'push' | 'qrcode' }
  readonly shows_markup: NoParams
  readonly redirect_followed: { readonly call: string }
  readonly redirect_believed: { readonly call: string }
  readonly polls_without_pause: { readonly polls: number; readonly pause_ms: number }
  readonly polls_past_expiry: { readonly polls: number }
  readonly polls_past_end: { readonly polls: number; readonly status: string }
  readonly reads_final_again: { readonly polls: number }
  readonly shows_other_passkeys: { readonly shown: readonly string[]; readonly held: readonly string[] }
  readonly removed_others: { readonly said: number; readonly went: number }

  // The story could not be tried.
  readonly not_begun: { readonly user_id: string; readonly refusal: string }
  readonly not_seen: NoParams
  readonly not_signed_in: { readonly shown: string }
  /** Two users who signed in look the same. */
  readonly who_alike: { readonly who: string }
  readonly not_registered: { readonly shown: string }
  readonly shows_no_passkeys: NoParams
  readonly removes_no_passkeys: NoParams
  readonly not_offered: NoParams
  readonly shows_no_code: NoParams
  readonly scan_unseen: NoParams
  readonly nothing_to_revisit: NoParams
  readonly too_few_polls: { readonly polls: number }
  readonly end_never_read: NoParams
  /** The story needs a stopped clock, and the suite may not stop a clock that is not its own. */
  readonly clock_of_others: NoParams
  readonly takes_too_long: { readonly seconds: number }
  readonly never_struck: NoParams
  /** The fault had no effect: a user_id of digits, for example, has no other case. */
  readonly changed_nothing: NoParams
  readonly story_failed: Error
  /** `output`: what the RP printed, if the suite started it. */
  readonly rp_gone: { readonly output?: string }
  /** The story ran at the same time as others when the RP crashed, and the RP did not recover. */
  readonly stopped_beside: NoParams
  readonly twin_failed: { readonly reason: FindingReason }
}

export type FindingReason = Coded<FindingParams>

/** Result of a story, before the suite checks that the fault triggered. */
export type Ending =
  | { readonly verdict: 'held' }
  | { readonly verdict: 'broke' | 'let_in' | 'warned' | 'unplayable'; readonly reason: FindingReason }

/** A rule that the RP broke while the service was honest. */
export type Mistake = { readonly check: RpCheckName; readonly reason: FindingReason }

/**
 * `held`, `warned`, `broke`, `let_in`: tried; a fault triggered. `warned`: the RP breaks a rule without visible harm.
 * `not_struck`: the RP made no call that triggers it. `vacuous`: the same story fails without the fault as well.
 * `skipped`: the RP does not offer what the story needs, or could not be tried.
 */
export type Verdict = 'held' | 'warned' | 'broke' | 'let_in' | 'not_struck' | 'vacuous' | 'skipped'

export const TRIED_VERDICTS: ReadonlySet<Verdict> = new Set(['held', 'warned', 'broke', 'let_in'])

export type Proof = {
  readonly struck?: {
    readonly seq: number
    readonly call: string
    readonly status: number
    readonly sent: string
    readonly honest: string
  }
  readonly shown?: { readonly text: string; readonly address?: string; readonly screenshot?: string }
}

/** Measured in every story, also if the RP passed. */
export type PollingBehaviour = {
  readonly polls: number
  /** The median, from the end of one poll to the beginning of the next. */
  readonly pause_ms?: number
  /** Repeated requests after the fault had triggered. */
  readonly retries: number
  readonly polls_after_end: number
  /** How many requests were begun for one action of the visitor. */
  readonly begun: number
  /** From the end of the request until the visitor saw the result. */
  readonly told_ms?: number
}

export type Trial = { readonly fault: TrialName; readonly story: FaultStory }

export type TrialResult = {
  readonly verdict: Verdict
  /** Absent if the verdict is `held`. */
  readonly reason?: FindingReason
  readonly proof?: Proof
  readonly behaviour?: PollingBehaviour
}

export type FaultFinding = Trial & { readonly took_ms: number } & TrialResult

export type SharedCause = { readonly cause: CrashCause; readonly findings: readonly FaultFinding[] }

export const findCause = ({ reason }: TrialResult): CrashCause | undefined =>
  reason !== undefined && 'params' in reason && 'cause' in reason.params ? reason.params.cause : undefined

/** The most frequent first. */
export const sharedCauses = (findings: readonly FaultFinding[]): readonly SharedCause[] => {
  const causes = new Map<string, { readonly cause: CrashCause; readonly findings: FaultFinding[] }>()
  for (const finding of findings) {
    const cause = findCause(finding)
    if (cause === undefined || finding.verdict !== 'broke') continue
    const key = JSON.stringify([cause.error, cause.frame])
    const shared = causes.get(key) ?? { cause, findings: [] }
    shared.findings.push(finding)
    causes.set(key, shared)
  }
  return [...causes.values()]
    .filter((shared) => shared.findings.length > 1)
    .sort((a, b) => b.findings.length - a.findings.length)
}

/** The RP stopped, threw or answered HTTP 500: it must not, for any answer of the service. */
const CRASHES: ReadonlySet<FindingReason['code']> = new Set([
  ...(['crashed', 'page_crashed', 'page_threw', 'rp_ended', 'rp_silent', 'call_failed', 'answered_late'] as const),
  ...(['answered_no_json', 'page_did_not_open', 'page_showed_nothing'] as const),
])

/** The action of a careful RP that avoids the finding. */
export const carefulAct = ({ fault, story, verdict, reason }: Omit<FaultFinding, 'took_ms'>): CarefulAct => {
  const { act } = findTrialRow(fault)
  if (verdict === 'broke' && reason !== undefined && CRASHES.has(reason.code)) return 'stands'
  // The result of a registration names no user.
  return act === 'user' && story.startsWith('registration-') ? 'registered' : act
}

export const ruleNumber = (finding: Omit<FaultFinding, 'took_ms'>): number => RULE_NUMBERS[carefulAct(finding)]

export type SuiteReport = {
  readonly handset: string
  readonly config: string
  /** The command for the same bench, without `--fault` and `--story`. */
  readonly again: string
  readonly began: number
  readonly took_ms: number
  /** How often the RP was restarted or waited for because it no longer worked. */
  readonly restored: number
  readonly findings: readonly FaultFinding[]
}

/** `rule`: its number in docs/interface/relying-party.md. `why`: the reason as a sentence. `again`: the command. */
export type ReportFinding = FaultFinding & { readonly rule?: number; readonly why?: string; readonly again?: string }

export type ReportSuite = Omit<SuiteReport, 'findings'> & {
  readonly findings: readonly ReportFinding[]
  readonly causes?: readonly (CrashCause & { readonly places: readonly Trial[] })[]
}

export type RpStartProblemParams = {
  readonly no_program: { readonly problem: StepProblem }
  readonly address_taken: { readonly url: string }
  readonly rp_ended: { readonly ended: ProgramEnd; readonly output: string }
  readonly rp_absent: { readonly url: string }
  readonly rp_late: { readonly url: string; readonly seconds: number; readonly output: string }
  readonly stopped: NoParams
}

export type RpStartProblem = Coded<RpStartProblemParams>
