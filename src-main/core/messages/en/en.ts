import { advice } from './advice.ts'
import { errors } from './errors.ts'
import { evidence } from './evidence.ts'
import { failures, results } from './failures.ts'
import { faults, faultTopics, phoneFaultGroups, seenBy, shoulds } from './faults.ts'
import { inspectionKinds, inspectionWords, unread, webauthnErrors } from './inspection-words.ts'
import { inspectionChecks, inspectionWants } from './inspections.ts'
import { links } from './links.ts'
import { phoneProblems } from './phones.ts'
import { expected, reasons } from './reasons.ts'
import { defaultTitles, recordingNotes, traceNotes, traceProblems } from './recording-notes.ts'
import { carefulActs, serviceFaultGroups, serviceFaults } from './service-faults.ts'
import { signingEvidence, signingMistakes } from './signing-mistakes.ts'
import { certificateProblems, databaseUrls, startProblems, systemRefusals } from './start-problems.ts'
import { checks, notes, opinions, steps } from './steps.ts'

/** English: what the service and the command line speak. */
export const en = {
  errors,
  advice,
  reasons,
  expected,
  failures,
  results,
  steps,
  checks,
  notes,
  evidence,
  faults,
  serviceFaults,
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
