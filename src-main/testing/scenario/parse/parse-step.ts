import { routeOf } from '../../../core/contract/control/routes.ts'
import { type FieldProblem, within } from '../../../core/contract/reasons.ts'
import { CONTROL_CALLS } from '../../../core/contract/scenario/bench-steps.ts'
import { inFile } from '../../../core/contract/scenario/parts.ts'
import {
  BESIDE_STEP,
  type Source,
  STEP_WORDS,
  type StepInput,
  type StepWord,
  stepSchemas,
} from '../../../core/contract/scenario.ts'
import type { JsonSchema } from '../../../core/contract/schema.ts'
import { findProblem } from '../../../core/contract/validate.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { rememberByObject } from '../../../core/protocol/remember.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { patternProblem } from '../patterns/pattern-problem.ts'
import { answerProblem, expectationProblem } from './expectations.ts'
import { nameProblem } from './names.ts'
import type { Step } from './scenario.ts'

export type ParsedStep = Pick<Step, 'word' | 'input' | 'refused' | 'answer' | 'save'>

export const isStepWord = (word: string): word is StepWord => Object.hasOwn(stepSchemas, word)

/**
 * One step as the file has it. `filled` is the same with the variables whose values are known: it is what has to fit the
 * contract, where a variable that is only known later fits everything.
 */
export const parseStep = (raw: unknown, filled: unknown): Result<ParsedStep, FieldProblem> => {
  if (!isObject(raw) || !isObject(filled)) return err(notOneWord(raw))
  const keys = Object.keys(raw).filter((key) => !BESIDE_STEP.includes(key))
  const [word, ...others] = keys
  if (word === undefined) return err(notOneWord(raw))
  const known = [...STEP_WORDS, 'include', ...BESIDE_STEP]
  const stranger = keys.find((key) => !isStepWord(key))
  if (stranger !== undefined) return err({ code: 'field_unknown', params: { field: stranger, known } })
  if (others.length > 0 || !isStepWord(word)) return err(notOneWord(raw))
  const problem = findProblem(filled, stepSchemas[word]) ?? problemOfCall(word, filled[word])
  if (problem !== undefined) return err(problem)
  for (const at of [word, 'answer']) {
    const wrong = PATTERNED.has(word) || at === 'answer' ? patternProblem(filled[at]) : undefined
    if (wrong !== undefined) return err(within(at, wrong))
  }
  const never =
    expectationProblem(word, filled[word]) ?? (raw.refused === undefined ? nameProblem(word, filled[word]) : undefined)
  if (never !== undefined) return err(within(word, never))
  const unanswered = answerProblem(word, filled[word], filled.answer)
  if (unanswered !== undefined) return err(within('answer', unanswered))
  return ok({
    word,
    input: raw[word] as StepInput<StepWord>,
    ...(raw.refused === undefined ? {} : { refused: raw.refused as number | string }),
    ...('answer' in raw ? { answer: raw.answer } : {}),
    ...(raw.save === undefined ? {} : { save: raw.save as Readonly<Record<string, Source>> }),
  })
}

/** Words whose input has patterns. */
const PATTERNED: ReadonlySet<string> = new Set<StepWord>([
  ...([
    'expect',
    'expect_credentials',
    'expect_phone',
    'wait',
    'no_event',
    'expect_events',
    'browser',
    'check',
  ] as const),
])

const notOneWord = (value: unknown): FieldProblem => ({
  code: 'field_unfit',
  params: {
    field: '',
    expected: { code: 'scenario_step', params: { words: STEP_WORDS } },
    got: JSON.stringify(value)?.slice(0, 60) ?? 'nothing',
  },
})

const tolerant = rememberByObject((schema: object) => inFile(schema as never))

/** A call of the control interface is held against the contract of its route. */
const problemOfCall = (word: StepWord, input: unknown): FieldProblem | undefined => {
  if (word !== 'control' || !isObject(input)) return undefined
  const id = CONTROL_CALLS.find((call) => call === input.call)
  if (id === undefined) return undefined
  const route = routeOf(id)
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = route[part]
    const value = input[part] ?? (schema === undefined ? undefined : {})
    if (schema === undefined && value === undefined) continue
    const problem =
      schema === undefined
        ? ({ code: 'field_unknown', params: { field: '', known: [] } } as const)
        : findProblem(value, tolerant(schema as JsonSchema))
    if (problem !== undefined) return within(`control.${part}`, problem)
  }
  return undefined
}
