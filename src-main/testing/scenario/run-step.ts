import { errors, withinField } from '../../core/contract/errors.ts'
import type { StepProblem } from '../../core/contract/scenario/problems.ts'
import { type Limit, type StepInput, type StepWord, stepInputs, stepOptions } from '../../core/contract/scenario.ts'
import { findProblem } from '../../core/contract/validate.ts'
import { ControlError } from '../../sdk/client.ts'
import { expectationProblem } from './parse/expectations.ts'
import type { Step } from './parse/scenario.ts'
import { findMismatch } from './patterns/mismatch.ts'
import { patternProblem } from './patterns/unmatchable.ts'
import { saveValues } from './save-values.ts'
import type { ScenarioState } from './scenario-state.ts'
import { failure, refusal, ScenarioMistake, type StepOutcome, success } from './step-outcome.ts'
import { limitInMs, startLimit } from './time-limit.ts'
import { benchWords, eventWords, rpWords } from './words/bench-words.ts'
import { ownRpWords } from './words/own-rp-words.ts'
import { phoneWords } from './words/phone-words.ts'
import type { StepHandler } from './words/word.ts'

/** Real time between two attempts of a step with `until`. */
const POLL_MS = 100

/** Words whose patterns are checked again when all variables are known; saved values are not patterns. */
const EVENT_WORDS: ReadonlySet<string> = new Set<StepWord>(['wait', 'no_event', 'expect_events'])

/** Words that, with `until`, are repeated until the result is as expected. */
const REPEATING: ReadonlySet<StepWord> = new Set([
  ...(['expect', 'expect_credentials', 'expect_phone', 'expect_events', 'http', 'control'] as const),
])

type Filled = Pick<Step, 'word' | 'input' | 'answer' | 'save'> & { readonly refused?: number }

export const runStep = async (step: Filled, state: ScenarioState): Promise<StepOutcome> => {
  const { word, input, answer, refused } = step
  const wrong =
    withinField(word, findProblem(input, stepInputs[word])) ??
    withinField('refused', refused === undefined ? undefined : findProblem(refused, stepOptions.refused)) ??
    withinField('answer', patternProblem(answer)) ??
    withinField(word, EVENT_WORDS.has(word) ? expectationProblem(word, input) : undefined)
  if (wrong !== undefined) return failure({ code: 'bad_input', params: { problem: wrong } })
  const { until } = REPEATING.has(word) ? (input as { readonly until?: Limit }) : {}
  const left = startLimit(state, until)
  let outcome = await tryStep(step, state)
  while (until !== undefined && !outcome.ok && outcome.final !== true && left() > 0) {
    await state.pause(Math.min(POLL_MS, left()))
    outcome = await tryStep(step, state)
  }
  if (!outcome.ok)
    return until === undefined ? outcome : { ...outcome, problem: inTime(outcome.problem, limitInMs(until)) }
  const done = outcome
  return attempt(async () => saveValues(done, state.saved, step.save))
}

const inTime = (problem: StepProblem, within_ms: number): StepProblem =>
  'params' in problem && !('within_ms' in problem.params)
    ? ({ ...problem, params: { ...problem.params, within_ms } } as StepProblem)
    : problem

const tryStep = async ({ word, input, refused, answer }: Filled, state: ScenarioState): Promise<StepOutcome> => {
  const outcome = await attempt(() => runWord(word, input, state))
  if (refused !== undefined) return asRefusal(refused, outcome)
  if (!outcome.ok || answer === undefined) return outcome
  return attempt(async () => {
    const wrong = findMismatch(answer, outcome.value)
    return wrong === undefined ? outcome : failure({ code: 'differs', params: wrong })
  })
}

const runWord = <W extends StepWord>(word: W, input: StepInput<W>, state: ScenarioState): Promise<StepOutcome> =>
  scenarioWords[word](input, state)

const attempt = async (run: () => Promise<StepOutcome>): Promise<StepOutcome> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ControlError) return stepRefusal(error)
    if (error instanceof ScenarioMistake) return { ...failure(error.problem), final: true }
    throw error
  }
}

/** A phone's step reports what the service answered the phone: the control interface only passes it on. */
export const stepRefusal = ({ code, message, data }: ControlError) =>
  refusal({ code: serviceCodeIn(data) ?? code, error: message })

const serviceCodeIn = (data: unknown): number | undefined =>
  typeof data === 'object' && data !== null && 'service_code' in data && typeof data.service_code === 'number'
    ? data.service_code
    : undefined

const codeOf = ({ code, params }: { readonly code: string; readonly params?: unknown }): number | undefined => {
  if (code === 'no_event') return errors.wait_ended.code
  return code === 'refused' ? (params as { readonly code: number }).code : undefined
}

const asRefusal = (code: number, outcome: StepOutcome): StepOutcome => {
  if (outcome.ok) return failure({ code: 'not_refused', params: { code } })
  const { problem } = outcome
  if (codeOf(problem) === code) return success({ code: 'refused', params: { problem } })
  const final = outcome.final === undefined ? {} : { final: outcome.final }
  return { ...failure({ code: 'not_refused', params: { code, received: problem } }), ...final }
}

export const scenarioWords: { readonly [W in StepWord]: StepHandler<W> } = {
  ...rpWords,
  ...phoneWords,
  ...benchWords,
  ...eventWords,
  ...ownRpWords,
}

export const BEGINNING_WORDS: ReadonlySet<string> = new Set<StepWord>(['register', 'sign_in'])

/**
 * Words that only observe: a search begins where the last step with another word began. A wait after a wait
 * continues from the event that the first one found.
 */
export const OBSERVING_WORDS: ReadonlySet<string> = new Set<StepWord>([
  ...(['wait', 'no_event', 'mark', 'expect_events', 'expect_output', 'check'] as const),
])
