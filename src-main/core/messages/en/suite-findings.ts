import { findTrialRow, type TrialName } from '../../contract/rp-checks.ts'
import { serviceFaultGroups } from '../../contract/service-faults.ts'
import type {
  CrashCause,
  FindingParams,
  FindingReason,
  RpStartProblem,
  RpStartProblemParams,
} from '../../contract/suite-findings.ts'
import { phoneText } from '../messages.ts'
import { type Texts, textOf } from '../text.ts'
import { en } from './en.ts'
import { endText, problemTexts } from './scenario-problems.ts'

const quoted = (text: string): string => JSON.stringify(text)

const causeText = (cause: CrashCause | undefined): string | undefined =>
  cause && [cause.error, ...(cause.frame === undefined ? [] : [`at ${cause.frame}`])].join(' ')

const said = (output: string): string => output || 'It wrote nothing.'

export const suiteFindings: Texts<FindingParams> = {
  crashed: ({ where, text, cause }) => `${where} answers with HTTP 500: ${causeText(cause) ?? text}`,
  answered_no_json: ({ where, text }) => `${where} does not answer with JSON: ${text}`,
  answered_late: ({ where }) => `${where} does not answer in time.`,
  answered_too_much: ({ where, bytes }) => `${where} answers with more than ${bytes} bytes.`,
  call_failed: ({ where, error }) => `${where} fails: ${error}`,
  page_threw: ({ error, cause }) => `The page fails: ${causeText(cause) ?? error}`,
  page_crashed: ({ url }) => `${url} answers with HTTP 500.`,
  page_did_not_open: ({ error }) => `The page does not open: ${error}`,
  page_showed_nothing: ({ error }) => `The page shows nothing: ${error}`,
  no_field: ({ label, error }) => `There is no field "${label}": ${error}`,
  no_element: ({ role, name, error }) => `There is no ${role} "${name}": ${error}`,
  no_picture: ({ error }) => `The browser takes no picture of the page: ${error}`,
  no_window: ({ problem }) => problemTexts(problem).received,
  phone_says: (trouble) => `The phone shows: ${phoneText(en, trouble)}`,

  rp_ended: ({ ended, output, cause }) => `The RP ended ${endText(ended)}: ${causeText(cause) ?? said(output)}`,
  rp_silent: ({ url }) => `The RP no longer answers at ${url}.`,
  signed_in_unapproved: ({ who }) => `${quoted(who)} is signed in although nobody approved.`,
  signed_in_unasked: ({ who }) => `${quoted(who)} is signed in to a browser whose request nobody approved.`,
  signed_in_as_other: ({ who, asked }) => `${quoted(who)} is signed in although ${quoted(asked)} asked to sign in.`,
  signed_in_by_lie: ({ who }) => `${quoted(who)} is signed in although the result must not be believed.`,
  stranger_registered: ({ user_id }) => `A stranger registered a passkey for the user ${quoted(user_id)}.`,
  message_shared: ({ msg_id }) => `Two browsers wait for the same request, ${msg_id}.`,
  user_id_shared: ({ user_id, one, other }) =>
    `${quoted(one)} and ${quoted(other)} have the same user_id, ${quoted(user_id)}.`,
  secret_shown: ({ where }) => `The secret key is in what the browser gets from ${where}.`,

  waits_for_ever: ({ seconds }) => `The request has ended, but ${seconds} s later the RP still waits.`,
  registered_nothing: 'The RP says that the passkey is registered, but there is none.',
  reopened: 'The RP ended the request, but later reported it as done.',
  locked_out: 'After the fault, the user can no longer sign in.',
  kept_out: ({ refusal }) => `After a registration that came to nothing, the user cannot register: ${refusal}`,
  begun_with_unusable_address: ({ shown }) => `The RP shows an address that cannot be used: ${shown}`,
  code_differs: ({ shown, given }) => `The code says ${quoted(shown)}, but the service gave ${quoted(given)}.`,
  push_shows_code: 'The RP shows a code for a sign-in by push.',
  code_left: 'The RP still shows the code after it has read that a phone scanned it.',
  no_push: ({ seconds, method }) =>
    `No push reached the phone within ${seconds} s. The RP asked the service for ${quoted(method)}.`,
  shows_markup: 'Text from the service became an element of the page.',
  redirect_followed: ({ call }) => `The RP followed a redirect to another host, with its signature: ${call}`,
  redirect_believed: ({ call }) =>
    `The RP followed a redirect to another host, without its signature: it goes where an answer sends it. ${call}`,
  polls_without_pause: ({ polls, pause_ms }) => `The RP polled ${polls} times, with ${pause_ms} ms between two polls.`,
  polls_past_expiry: ({ polls }) => `The RP polled ${times(polls)} more after expires_at had passed.`,
  polls_past_end: ({ polls, status }) => `The RP polled ${times(polls)} more after the final answer ${quoted(status)}.`,
  reads_final_again: ({ polls }) => `The RP read the result ${times(polls)} more after the success.`,
  shows_other_passkeys: ({ shown, held }) =>
    `The RP shows ${JSON.stringify(shown)}, but the user has ${JSON.stringify(held)}.`,
  removed_others: ({ said, went }) => `The RP says that it removed ${said} passkeys, but ${went} are gone.`,

  not_begun: ({ user_id, refusal }) => `The RP did not begin the request of the user ${quoted(user_id)}: ${refusal}`,
  not_seen: 'The RP asked the service for nothing.',
  who_alike: ({ who }) =>
    `Two users who signed in are both shown as "${who}". Let signed_in or who read what differs between users; if it does, the RP mixes them up.`,
  not_signed_in: ({ shown }) => `The user approved but is not signed in. The RP shows: ${shown}`,
  not_registered: ({ shown }) => `The user could not be registered. The RP shows: ${shown}`,
  shows_no_passkeys: 'The RP shows no passkeys.',
  removes_no_passkeys: 'The RP removes no passkeys.',
  takes_too_long: ({ seconds }) =>
    `A request of this service lasts ${seconds} s: too long to wait for its end. Set message_ttl_s of its profile to 60 or less.`,
  shows_no_code: 'The suite saw no code of this request.',
  scan_unseen: 'Only a page shows this, and only of an RP that reads the status "bind".',
  nothing_to_revisit: 'The request has no address or id that another browser could use.',
  too_few_polls: ({ polls }) => `The RP read the result ${times(polls)}: too few to see its pause.`,
  clock_of_others: 'Polls after expires_at are tried only on a bench of the suite’s own: its clock must stand.',
  end_never_read: 'The RP did not read the end of the request.',
  not_offered: 'The RP does not offer this.',
  never_struck: 'The RP never made the call that the fault affects.',
  changed_nothing: 'The fault changes nothing in a user_id like this one.',
  story_failed: ({ error }) => `The suite could not play this story: ${error}`,
  rp_gone: ({ output }) =>
    output === undefined
      ? 'The RP stopped working. The suite did not start it, and it did not come back.'
      : `The RP stopped working and could not be brought back. ${said(output)}`,
  stopped_beside:
    'The RP stopped while several stories were played, and did not come back: any of them may have ended it.',
  twin_failed: ({ reason }) => `Without the fault: ${findingText(reason)}`,
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

export const trialText = (name: TrialName): string => findTrialRow(name).title

export const trialGroups = { honest: 'While the service is honest', ...serviceFaultGroups } as const

export const findingText = (reason: FindingReason): string => textOf(suiteFindings, reason)

const startProblems: Texts<RpStartProblemParams> = {
  no_program: ({ problem }) => `the RP cannot be started: ${problemTexts(problem).received}.`,
  address_taken: ({ url }) => `another program answers at ${url} already. End it, or leave out "start" to use it.`,
  rp_ended: ({ ended, output }) => `the RP ended ${endText(ended)}: ${said(output)}`,
  rp_absent: ({ url }) => `no RP answers at ${url}. Start it, or say how under "start".`,
  rp_late: ({ url, seconds, output }) => `the RP does not answer at ${url} within ${seconds} s. ${said(output)}`,
  stopped: 'stopped.',
}

export const rpStartProblemText = (problem: RpStartProblem): string => textOf(startProblems, problem)
