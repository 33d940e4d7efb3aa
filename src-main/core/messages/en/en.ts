import { type ErrorName, errors, phoneProblems } from '../../contract/errors.ts'
import { faults } from '../../contract/faults.ts'
import { inspectionKinds, webauthnErrors } from '../../contract/inspection.ts'
import { checks } from '../../contract/judge/checks.ts'
import { failures } from '../../contract/judge/failure-words.ts'
import { authenticationSteps, notes, registrationSteps } from '../../contract/judge/steps.ts'
import type { LinkProblemParams } from '../../contract/link-problems.ts'
import {
  carefulActs,
  SERVICE_FAULTS,
  type ServiceFaultName,
  serviceFaultGroups,
} from '../../contract/service-faults.ts'
import { type SigningEvidenceParams, signingMistakes } from '../../contract/signing-mistakes.ts'
import type { Texts } from '../text.ts'
import { advice } from './advice.ts'
import { evidence, opinions } from './evidence.ts'
import { faultTopics, phoneFaultGroups, seenBy, shoulds } from './faults.ts'
import { inspectionWords, unread } from './inspection-words.ts'
import { inspectionChecks, inspectionWants } from './inspections.ts'
import { expectedTexts, reasons } from './reasons.ts'
import { defaultTitles, recordingNotes, traceNotes, traceProblems } from './recording-notes.ts'
import { certificateProblems, databaseUrls, startProblems, systemRefusals } from './start-problems.ts'

const links: Texts<LinkProblemParams> = {
  link_too_long: ({ length, longest }) => `A link has at most ${longest} characters; this one has ${length}.`,
  link_unreadable: 'This is not a link of Handset. It reads handset:show, handset:open?url=… or handset:scan?url=…',
  link_unknown: ({ action, known }) => `Handset has no link "${action}". It knows: ${known.join(', ')}.`,
  link_parameters_unreadable: 'The parameters of the link must be name=value, percent-encoded.',
  link_parameter_twice: ({ name }) => `The link gives ${name} twice.`,
  link_parameter_unknown: ({ action, name }) => `The link ${action} takes no parameter ${name}.`,
  link_parameter_missing: ({ action, name }) => `The link ${action} needs the parameter ${name}.`,
  link_without_code: 'The address in the link is not the address of a sign-in code.',
  link_to_no_place: 'The link leads to no place on the page of Handset. Use Copy link on the page.',
  link_of_other_bench: ({ origin, own }) =>
    `The link leads to ${origin}, and this bench is ${own}. Open it in a browser, or start the bench it belongs to.`,
  link_id_unfit: ({ name }) => `The parameter ${name} of the link must be an ID.`,
  link_not_alone: 'A link must be the only argument.',
  file_elsewhere: ({ path }) => `${path} is not a .handset file on this computer. Copy it here, then open it.`,
  file_not_plain: ({ path }) => `${path} is a link, a folder or a device. Open the file itself.`,
  file_too_large: ({ path, bytes, largest }) =>
    `${path} has ${bytes} bytes, and ${largest} at most are opened. Use \`npx handset show\` for it.`,
  file_unreadable: ({ path, reason }) => `${path} cannot be read: ${reason}.`,
  file_not_taken: ({ name }) => `${name} was not opened: the page shows something else. Drop the file on the window.`,
  hand_over_of_other_version: 'Another version of Handset was started. Quit this one first, then start it again.',
}

const signingEvidence: Texts<SigningEvidenceParams> = {
  body_changed: ({ seq }) =>
    `The body was changed after it was signed, or this process has another secret: the same client signed well with this key in exchange ${seq}.`,
  other_secret: ({ key }) =>
    `Every line agrees; your RP probably has another secret for key "${key}". If it sent a body, that may have been changed after it was signed.`,
}

const errorTexts = Object.entries(errors).map(([name, { text }]) => [name, text])

const serviceFaultTitles = Object.entries(SERVICE_FAULTS).map(([name, { title }]) => [name, title])

/** The language of the service and the command line. */
export const en = {
  errors: Object.fromEntries(errorTexts) as Readonly<Record<ErrorName, string>>,
  advice,
  reasons,
  expected: expectedTexts,
  failures,
  results: { reason_of_phone: 'The phone gave this reason.' },
  steps: { ...registrationSteps, ...authenticationSteps },
  checks,
  notes,
  evidence,
  faults,
  serviceFaults: Object.fromEntries(serviceFaultTitles) as Readonly<Record<ServiceFaultName, string>>,
  carefulActs,
  serviceFaultGroups,
  shoulds,
  seenBy,
  phoneFaultGroups,
  faultTopics,
  phoneProblems,
  links,
  traceProblems,
  traceNotes,
  defaultTitles,
  signingMistakes,
  signingEvidence,
  opinions,
  recordingNotes,
  startProblems,
  systemRefusals,
  certificateProblems,
  databaseUrls,
  inspectionChecks,
  inspectionWants,
  inspectionKinds,
  inspectionWords,
  unread,
  webauthnErrors,
}
