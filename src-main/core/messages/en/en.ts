import { errorTexts } from '../../contract/errors.ts'
import { shoulds } from '../../contract/fault-advice.ts'
import { faults } from '../../contract/faults.ts'
import { inspectionKinds, inspectionWords, webauthnErrors } from '../../contract/inspection.ts'
import { checks } from '../../contract/judge/checks.ts'
import { evidence } from '../../contract/judge/evidence.ts'
import { failures } from '../../contract/judge/failure-words.ts'
import { opinions } from '../../contract/judge/opinion.ts'
import { authenticationSteps, notes, registrationSteps } from '../../contract/judge/steps.ts'
import { links } from '../../contract/link-problems.ts'
import { recordingNotes } from '../../contract/recording-notes.ts'
import { seenBy } from '../../contract/rp-care.ts'
import { carefulActs, serviceFaultGroups, serviceFaultTitles } from '../../contract/service-faults.ts'
import { signingEvidence, signingMistakes } from '../../contract/signing-mistakes.ts'
import { certificateProblems, databaseUrls, startProblems, systemRefusals } from '../../contract/start-problems.ts'
import { defaultTitles, traceNotes, traceProblems } from '../../contract/trace.ts'
import { expectedTexts, phoneProblems, reasons } from '../../protocol/reasons.ts'
import { rpClientProblems } from '../../protocol/rp-client-problems.ts'
import { advice } from './advice.ts'
import { faultTopics, phoneFaultGroups } from './faults.ts'
import { inspectionChecks, inspectionWants, unread } from './inspections.ts'

/** The language of the service and the command line. */
export const en = {
  errors: errorTexts,
  advice,
  reasons: { ...reasons, ...rpClientProblems },
  expected: expectedTexts,
  failures,
  results: { reason_of_phone: 'The phone gave this reason.' },
  steps: { ...registrationSteps, ...authenticationSteps },
  checks,
  notes,
  evidence,
  faults,
  serviceFaults: serviceFaultTitles,
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
