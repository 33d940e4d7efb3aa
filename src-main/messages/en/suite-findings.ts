import type {
  FindingParams,
  FindingReason,
  RpStartProblem,
  RpStartProblemParams,
} from '../../contract/suite-findings.ts'
import { phoneText } from '../phone-text.ts'
import { type Texts, textOf } from '../text.ts'
import { en } from './en.ts'
import { endText, problemTexts } from './scenario-problems.ts'

const quoted = (text: string): string => JSON.stringify(text)

const said = (output: string): string => output || 'It wrote nothing.'

export const suiteFindings: Texts<FindingParams> = {
  crashed: ({ where, text }) => `${where} answers with HTTP 500: ${text}`,
  answered_no_json: ({ where, text }) => `${where} does not answer with JSON: ${text}`,
  answered_late: ({ where }) => `${where} does not answer in time.`,
  answered_too_much: ({ where, bytes }) => `${where} answers with more than ${bytes} bytes.`,
  call_failed: ({ where, error }) => `${where} fails: ${error}`,
  page_threw: ({ error }) => `The page fails: ${error}`,
  page_crashed: ({ url }) => `${url} answers with HTTP 500.`,
  page_did_not_open: ({ error }) => `The page does not open: ${error}`,
  page_showed_nothing: ({ error }) => `The page shows nothing: ${error}`,
  page_showed_no_code: ({ text }) => `The page shows neither a code nor an error: ${text}`,
  no_field: ({ label, error }) => `There is no field "${label}": ${error}`,
  no_element: ({ role, name, error }) => `There is no ${role} "${name}": ${error}`,
  no_window: ({ problem }) => problemTexts(problem).received,
  phone_says: (trouble) => `The phone shows: ${phoneText(en, trouble)}`,

  rp_ended: ({ ended, output }) => `The RP ended ${endText(ended)}: ${said(output)}`,
  rp_silent: ({ url }) => `The RP no longer answers at ${url}.`,
  broken_before: ({ reason }) => `Before the fault was armed: ${findingText(reason)}`,

  signed_in_unannounced: ({ who }) => `${quoted(who)} is signed in although the service did not say so.`,
  signed_in_rejected: ({ who }) => `${quoted(who)} is signed in although the request was rejected.`,
  signed_in_unapproved: ({ who }) => `${quoted(who)} is signed in although nobody approved.`,
  signed_in_unasked: ({ who }) => `${quoted(who)} is signed in to a browser that requested nothing.`,
  signed_in_as_other: ({ who, asked }) => `${quoted(who)} is signed in although ${asked} asked to sign in.`,
  stranger_registered: ({ who }) => `A stranger registered a passkey and is signed in as ${quoted(who)}.`,

  not_begun: ({ refusal }) => `The RP did not begin the request: ${refusal}`,
  gave_up: 'The RP ended the request.',
  not_signed_in: ({ state }) =>
    `The user approved but is not signed in${state === undefined ? '.' : `; the request is ${state}.`}`,
  not_expired: ({ state }) => `The request expired, but the RP says ${state}.`,
  begun_with_unusable_address: 'The RP began a sign-in with an address that cannot be used.',
  not_registered: 'The user could not be registered.',
  other_not_registered: 'The second user could not be registered.',
  locked_out: 'After the fault, the user can no longer sign in.',
  kept_out: 'After the fault, the user can neither sign in nor register.',
  registered_nothing: 'The RP says that the passkey is registered, but there is none.',
  reopened: 'The RP ended the registration, but later reported it as done.',
  shows_no_passkeys: 'The RP shows no passkeys.',
  shows_other_passkeys: ({ shown, held }) =>
    `The RP shows ${JSON.stringify(shown)}, but the user has ${JSON.stringify(held)}.`,
  removes_no_passkeys: 'The RP removes no passkeys.',
  removed_others: ({ said, went }) => `The RP says that it removed ${said} passkeys, but ${went} are gone.`,

  not_offered: 'The RP does not offer this.',
  never_called: 'The RP never made the call that the fault affects.',
  rp_gone: 'The RP stopped working and could not be brought back.',
  fails_without_fault: ({ reason }) => `Without any fault: ${findingText(reason)}`,
}

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
