import * as t from '../schema.ts'
import type { CheckName } from './checks.ts'
import type { Evidence } from './evidence.ts'
import type { FailureWord, ResultWord } from './failure-words.ts'
import { OPINION_GIVERS } from './opinion.ts'
import type { StepId, StepNote } from './steps.ts'

const evidence = t.typed<Evidence>(t.either(t.text(), t.answer({ code: t.text(), params: t.optional(t.dictionary()) })))

/** Octets from `start` up to, not including, `end`. In a registration, authenticatorData is in the attestation object. */
const place = t.answer({
  part: t.choice(['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']),
  start: t.count(),
  end: t.count(),
})

const judged = {
  outcome: t.choice(['passed', 'failed', 'skipped']),
  word: t.optional(t.typed<FailureWord>(t.text('Why it failed.'))),
  expected: t.optional(evidence),
  received: t.optional(evidence),
  at: t.optional(place),
}

/** A further finding of a step has no name, only its word. */
const judgedCheck = t.answer({ check: t.optional(t.typed<CheckName>(t.text())), ...judged })

const judgedStep = t.answer({
  id: t.typed<StepId>(t.text('The section and number in WebAuthn Level 3.')),
  ...judged,
  note: t.optional(t.typed<StepNote>(t.text())),
  checks: t.optional(t.list(judgedCheck, 'More than one thing wrong, or a step made of several checks.')),
})

export const secondOpinion = t.answer({
  heard: t.flag(),
  by: t.optional(t.choice(OPINION_GIVERS, 'The library that gave it.')),
  accepts: t.optional(t.flag()),
  reason: t.optional(
    t.either(t.text('Why it refuses, in its own words.'), t.coded('The same, or why it was not asked.')),
  ),
  disagrees: t.optional(t.flag('It was asked, and says otherwise than the judge.')),
})

export const verdictFields = {
  accepted: t.flag(),
  failure: t.optional(
    t.answer('The first failed step of the judge, or what the service decided beside it.', {
      word: t.typed<ResultWord>(t.text()),
      step: t.either(t.typed<StepId>(t.text()), t.constant('service')),
    }),
  ),
  algorithm: t.optional(t.text('Of the credential’s key, such as `ES256 (-7)`; absent where no key could be read.')),
  steps: t.list(judgedStep),
  second_opinion: t.optional(secondOpinion),
}

export type Place = t.ValueOf<typeof place>
export type JudgedCheck = t.ValueOf<typeof judgedCheck>
export type JudgedStep = t.ValueOf<typeof judgedStep>
export type SecondOpinion = t.ValueOf<typeof secondOpinion>
