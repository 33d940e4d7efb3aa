import {
  answer,
  choice,
  coded,
  constant,
  count,
  dictionary,
  either,
  flag,
  list,
  optional,
  text,
  typed,
  type ValueOf,
} from '../schema.ts'
import type { CheckName } from './checks.ts'
import type { Evidence } from './evidence.ts'
import type { FailureWord, ResultWord } from './failure-words.ts'
import { OPINION_GIVERS } from './opinion.ts'
import type { StepId, StepNote } from './steps.ts'

const evidence = typed<Evidence>(either(text(), answer({ code: text(), params: optional(dictionary()) })))

/** Octets from `start` up to, not including, `end`. In a registration, authenticatorData is in the attestation object. */
const place = answer({
  part: choice(['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']),
  start: count(),
  end: count(),
})

const judged = {
  outcome: choice(['passed', 'failed', 'skipped']),
  word: optional(typed<FailureWord>(text('Why it failed.'))),
  expected: optional(evidence),
  received: optional(evidence),
  at: optional(place),
}

/** A further finding of a step has no name, only its word. */
const judgedCheck = answer({ check: optional(typed<CheckName>(text())), ...judged })

const judgedStep = answer({
  id: typed<StepId>(text('The section and number in WebAuthn Level 3.')),
  ...judged,
  note: optional(typed<StepNote>(text())),
  checks: optional(list(judgedCheck, { description: 'More than one thing wrong, or a step made of several checks.' })),
})

export const secondOpinion = answer({
  heard: flag(),
  by: optional(choice(OPINION_GIVERS, 'The library that gave it.')),
  accepts: optional(flag()),
  reason: optional(either(text('Why it refuses, in its own words.'), coded('The same, or why it was not asked.'))),
  disagrees: optional(flag('It was asked, and says otherwise than the judge.')),
})

export const verdictFields = {
  accepted: flag(),
  failure: optional(
    answer(
      { word: typed<ResultWord>(text()), step: either(typed<StepId>(text()), constant('service')) },
      { description: 'The first failed step of the judge, or what the service decided beside it.' },
    ),
  ),
  algorithm: optional(text('Of the credential’s key, such as `ES256 (-7)`; absent where no key could be read.')),
  steps: list(judgedStep),
  second_opinion: optional(secondOpinion),
}

export type Place = ValueOf<typeof place>
export type JudgedCheck = ValueOf<typeof judgedCheck>
export type JudgedStep = ValueOf<typeof judgedStep>
export type SecondOpinion = ValueOf<typeof secondOpinion>
