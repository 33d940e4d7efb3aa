import { type AnyCoded, type Coded, type ParamsOf, textOf } from '../protocol/coded.ts'
import type { PhoneTrouble } from './phone-trouble.ts'
import { findTrialRow, type RpCheckName, RULE_NUMBERS, type TrialName } from './rp-checks.ts'
import { endText, englishPhoneText, type ProgramEnd, problemTexts, type StepProblem } from './scenario/problems.ts'
import type { CarefulAct, FaultStory } from './service-faults.ts'

type Who = { readonly who: string }
type Says = { readonly text: string }
type Where = { readonly where: string }
type OfUrl = { readonly url: string }
type OfCall = { readonly call: string }
type OfUser = { readonly user_id: string }
type Shown = { readonly shown: string }
type Polls = { readonly polls: number }
type Seconds = { readonly seconds: number }
type Ended = { readonly ended: ProgramEnd; readonly output: string }
/** The other program’s message. */
type Error = { readonly error: string }

/** The first line of the error, and the first stack frame in the RP’s own code. */
export type CrashCause = { readonly error: string; readonly frame?: string }
type Caused = { readonly cause?: CrashCause }

const quoted = (text: string): string => JSON.stringify(text)

const causeText = (cause: CrashCause | undefined): string | undefined =>
  cause && [cause.error, ...(cause.frame === undefined ? [] : [`at ${cause.frame}`])].join(' ')

const said = (output: string): string => output || 'It wrote nothing.'

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** Why a call or a page of the RP fails, in English. */
const rpMistakes = {
  crashed: ({ where, text, cause }: Where & Says & Caused) =>
    `${where} answers with HTTP 500: ${causeText(cause) ?? text}`,
  answered_no_json: ({ where, text }: Where & Says) => `${where} does not answer with JSON: ${text}`,
  answered_late: ({ where }: Where) => `${where} does not answer in time.`,
  answered_too_much: ({ where, bytes }: Where & { bytes: number }) => `${where} answers with more than ${bytes} bytes.`,
  call_failed: ({ where, error }: Where & Error) => `${where} fails: ${error}`,
  page_threw: ({ error, cause }: Error & Caused) => `The page fails: ${causeText(cause) ?? error}`,
  page_crashed: ({ url }: OfUrl) => `${url} answers with HTTP 500.`,
  page_did_not_open: ({ error }: Error) => `The page does not open: ${error}`,
  page_showed_nothing: ({ error }: Error) => `The page shows nothing: ${error}`,
  no_field: ({ label, error }: Error & { label: string }) => `There is no field "${label}": ${error}`,
  no_element: ({ role, name, error }: Error & { role: string; name: string }) =>
    `There is no ${role} "${name}": ${error}`,
  /** The browser took no picture of a page that shows a code. */
  no_picture: ({ error }: Error) => `The browser takes no picture of the page: ${error}`,
  no_window: ({ problem }: { problem: StepProblem }) => problemTexts(problem).received,
}

export type RpMistake = Coded<ParamsOf<typeof rpMistakes>>

/** Why a story ended as it did, in English. */
export const suiteFindings = {
  ...rpMistakes,
  phone_says: (trouble: PhoneTrouble) => `The phone shows: ${englishPhoneText(trouble)}`,

  rp_ended: ({ ended, output, cause }: Ended & Caused) =>
    `The RP ended ${endText(ended)}: ${causeText(cause) ?? said(output)}`,
  rp_silent: ({ url }: OfUrl) => `The RP no longer answers at ${url}.`,

  // The RP signs in or registers a person wrongly, or discloses a secret.
  signed_in_unapproved: ({ who }: Who) => `${quoted(who)} is signed in although nobody approved.`,
  signed_in_unasked: ({ who }: Who) => `${quoted(who)} is signed in to a browser whose request nobody approved.`,
  signed_in_as_other: ({ who, asked }: Who & { asked: string }) =>
    `${quoted(who)} is signed in although ${quoted(asked)} asked to sign in.`,
  signed_in_by_lie: ({ who }: Who) => `${quoted(who)} is signed in although the result must not be believed.`,
  stranger_registered: ({ user_id }: OfUser) => `A stranger registered a passkey for the user ${quoted(user_id)}.`,
  message_shared: ({ msg_id }: { msg_id: string }) => `Two browsers wait for the same request, ${msg_id}.`,
  user_id_shared: ({ user_id, one, other }: OfUser & { one: string; other: string }) =>
    `${quoted(one)} and ${quoted(other)} have the same user_id, ${quoted(user_id)}.`,
  secret_shown: ({ where }: Where) => `The secret key is in what the browser gets from ${where}.`,

  // The RP does what its rules forbid.
  waits_for_ever: ({ seconds }: Seconds) => `The request has ended, but ${seconds} s later the RP still waits.`,
  registered_nothing: 'The RP says that the passkey is registered, but there is none.',
  reopened: 'The RP ended the request, but later reported it as done.',
  locked_out: 'After the fault, the user can no longer sign in.',
  kept_out: ({ refusal }: { refusal: string }) =>
    `After a registration that came to nothing, the user cannot register: ${refusal}`,
  begun_with_unusable_address: ({ shown }: Shown) => `The RP shows an address that cannot be used: ${shown}`,
  code_differs: ({ shown, given }: Shown & { given: string }) =>
    `The code says ${quoted(shown)}, but the service gave ${quoted(given)}.`,
  push_shows_code: 'The RP shows a code for a sign-in by push.',
  code_left: 'The RP still shows the code after it has read that a phone scanned it.',
  /** `method`: the method that the RP requested instead. */
  no_push: ({ seconds, method }: Seconds & { method: 'push' | 'qrcode' }) =>
    `No push reached the phone within ${seconds} s. The RP asked the service for ${quoted(method)}.`,
  shows_markup: 'Text from the service became an element of the page.',
  redirect_followed: ({ call }: OfCall) => `The RP followed a redirect to another host, with its signature: ${call}`,
  redirect_believed: ({ call }: OfCall) =>
    `The RP followed a redirect to another host, without its signature: it goes where an answer sends it. ${call}`,
  polls_without_pause: ({ polls, pause_ms }: Polls & { pause_ms: number }) =>
    `The RP polled ${polls} times, with ${pause_ms} ms between two polls.`,
  polls_past_expiry: ({ polls }: Polls) => `The RP polled ${times(polls)} more after expires_at had passed.`,
  polls_past_end: ({ polls, status }: Polls & { status: string }) =>
    `The RP polled ${times(polls)} more after the final answer ${quoted(status)}.`,
  reads_final_again: ({ polls }: Polls) => `The RP read the result ${times(polls)} more after the success.`,
  shows_other_passkeys: ({ shown, held }: { shown: readonly string[]; held: readonly string[] }) =>
    `The RP shows ${JSON.stringify(shown)}, but the user has ${JSON.stringify(held)}.`,
  removed_others: ({ said, went }: { said: number; went: number }) =>
    `The RP says that it removed ${said} passkeys, but ${went} are gone.`,

  // The story could not be tried.
  not_begun: ({ user_id, refusal }: OfUser & { refusal: string }) =>
    `The RP did not begin the request of the user ${quoted(user_id)}: ${refusal}`,
  not_seen: 'The RP asked the service for nothing.',
  /** Two users who signed in look the same. */
  who_alike: ({ who }: Who) =>
    `Two users who signed in are both shown as "${who}". Let signed_in or who read what differs between users; if it does, the RP mixes them up.`,
  not_signed_in: ({ shown }: Shown) => `The user approved but is not signed in. The RP shows: ${shown}`,
  not_registered: ({ shown }: Shown) => `The user could not be registered. The RP shows: ${shown}`,
  shows_no_passkeys: 'The RP shows no passkeys.',
  removes_no_passkeys: 'The RP removes no passkeys.',
  takes_too_long: ({ seconds }: Seconds) =>
    `A request of this service lasts ${seconds} s: too long to wait for its end. Set message_ttl_s of its profile to 60 or less.`,
  shows_no_code: 'The suite saw no code of this request.',
  scan_unseen: 'Only a page shows this, and only of an RP that reads the status "bind".',
  nothing_to_revisit: 'The request has no address or id that another browser could use.',
  too_few_polls: ({ polls }: Polls) => `The RP read the result ${times(polls)}: too few to see its pause.`,
  /** The story needs a stopped clock, and the suite may not stop a clock that is not its own. */
  clock_of_others: 'Polls after expires_at are tried only on a bench of the suite’s own: its clock must stand.',
  end_never_read: 'The RP did not read the end of the request.',
  not_offered: 'The RP does not offer this.',
  never_struck: 'The RP never made the call that the fault affects.',
  /** The fault had no effect: a user_id of digits, for example, has no other case. */
  changed_nothing: 'The fault changes nothing in a user_id like this one.',
  story_failed: ({ error }: Error) => `The suite could not play this story: ${error}`,
  /** `output`: what the RP printed, if the suite started it. */
  rp_gone: ({ output }: { output?: string }) =>
    output === undefined
      ? 'The RP stopped working. The suite did not start it, and it did not come back.'
      : `The RP stopped working and could not be brought back. ${said(output)}`,
  stopped_beside:
    'The RP stopped while several stories were played, and did not come back: any of them may have ended it.',
  twin_failed: ({ reason }: { reason: AnyCoded }): string => `Without the fault: ${textOf(suiteFindings, reason)}`,
}

export type FindingParams = ParamsOf<typeof suiteFindings>

export type FindingReason = Coded<FindingParams>

export const findingText = (reason: FindingReason): string => textOf(suiteFindings, reason)

/** Result of a story, before the suite checks that the fault triggered. */
export type Ending =
  | { readonly verdict: 'held' }
  | { readonly verdict: 'broke' | 'let_in' | 'warned' | 'unplayable'; readonly reason: FindingReason }

/** A rule that the RP broke while the service was honest. */
export type Mistake = { readonly check: RpCheckName; readonly reason: FindingReason }

/**
 * `held`, `warned`, `broke`, `let_in`: tried, and the fault triggered. `warned`: the RP breaks a rule without visible
 * harm. `not_struck`: the RP made no call that triggers the fault. `vacuous`: the same story fails without the fault as
 * well. `skipped`: not tried, for example because the RP does not offer what the story needs.
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

/** Returns the causes that several findings share, the most frequent first. */
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

/** Findings that the RP stopped, threw or answered HTTP 500, which it must never do, whatever the service answers. */
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

/** Why there is no RP to try, in English. */
const startProblems = {
  no_program: ({ problem }: { problem: StepProblem }) => `the RP cannot be started: ${problemTexts(problem).received}.`,
  address_taken: ({ url }: OfUrl) =>
    `another program answers at ${url} already. End it, or leave out "start" to use it.`,
  rp_ended: ({ ended, output }: Ended) => `the RP ended ${endText(ended)}: ${said(output)}`,
  rp_absent: ({ url }: OfUrl) => `no RP answers at ${url}. Start it, or say how under "start".`,
  rp_late: ({ url, seconds, output }: OfUrl & Seconds & { output: string }) =>
    `the RP does not answer at ${url} within ${seconds} s. ${said(output)}`,
  stopped: 'stopped.',
}

export type RpStartProblem = Coded<ParamsOf<typeof startProblems>>

export const rpStartProblemText = (problem: RpStartProblem): string => textOf(startProblems, problem)
