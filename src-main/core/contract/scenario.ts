import type { ConditionsPart } from './conditions.ts'
import { type RouteId, routes } from './control/routes.ts'
import { newServiceFault } from './control/service-fault-routes.ts'
import type { Profile } from './profile.ts'
import { eventSteps, phoneSteps, rpSteps } from './scenario/bench-steps.ts'
import { ownRpSteps } from './scenario/own-rp-steps.ts'
import { change, inFile, message, name, until } from './scenario/parts.ts'
import {
  anything,
  choice,
  constant,
  type DeepReadonly,
  decimal,
  dictionary,
  errorCode,
  expecting,
  flag,
  list,
  object,
  optional,
  type Schema,
  text,
  typed,
  type ValueOf,
} from './schema.ts'
import { scope } from './scope.ts'

export type { Limit } from './scenario/parts.ts'

/** Calls that a step `control` can make: those of the scenario's own workspace. */
export const CONTROL_CALLS = (Object.keys(routes) as RouteId[]).filter((id) => {
  const route = routes[id]
  return route.scope === 'workspace' && !('stream' in route)
})

export const benchSteps = {
  clock: object(
    {
      ...{ now: optional(decimal()), frozen: optional(flag()), speed: optional(decimal()) },
      real: optional(constant(true, 'Back to real time; it goes alone.')),
    },
    change,
  ),
  advance: typed<{ readonly s: number } | { readonly ms: number } | { readonly to: 'next-expiry' }>({
    anyOf: [object({ s: decimal() }), object({ ms: decimal() }), object({ to: constant('next-expiry') })],
    ...expecting({ code: 'any_of', params: { forms: ['{s: SECONDS}', '{ms: MILLISECONDS}', '{to: next-expiry}'] } }),
  }),
  expire: object({ message }),
  profile: typed<Partial<Profile>>({ ...dictionary(), ...change }),
  conditions: typed<ConditionsPart>(
    object({ rp: optional(dictionary()), app: optional(dictionary()), scope: optional(scope) }, change),
  ),
  arm_service: newServiceFault,
  snapshot: object({ as: name('A name for the snapshot.') }),
  restore: object({ snapshot: text('What an earlier step `snapshot` named.') }),
  control: object({
    call: choice(CONTROL_CALLS as [RouteId, ...RouteId[]], 'A call of the control interface, by its name.'),
    params: optional(dictionary('What stands in its path.')),
    query: optional(dictionary()),
    body: optional(dictionary()),
    until,
  }),
}

/**
 * The input of each step. Conditions and the clock are checked against their own contract only when the step runs, and
 * so are profile settings in a step that must be `refused`, so that a scenario can show the refusal.
 */
export const stepInputs = { ...rpSteps, ...phoneSteps, ...benchSteps, ...eventSteps, ...ownRpSteps }

export type StepWord = keyof typeof stepInputs
export type StepInput<W extends StepWord> = ValueOf<(typeof stepInputs)[W]>

export const STEP_WORDS = Object.keys(stepInputs) as readonly StepWord[]

/** A JSON pointer into the step's answer, or a part of it that a regex finds. */
const source = typed<string | { readonly from: string; readonly matches: string }>({
  anyOf: [
    text('A JSON pointer, such as /json/user/id.', { pattern: '^(/.*)?$' }),
    object({ from: text('A JSON pointer.', { pattern: '^(/.*)?$' }), matches: text('A regular expression.') }),
  ],
  ...expecting({ code: 'any_of', params: { forms: ['a JSON pointer', '{from: POINTER, matches: REGEX}'] } }),
})

export const besideStep = {
  refused: optional(errorCode('The step must be refused with this code.')),
  answer: optional(anything('What the step’s answer must be: a value or a pattern.')),
  save: optional(
    typed<Readonly<Record<string, Source>>>({
      type: 'object',
      additionalProperties: source,
      description: 'Variables from parts of the step’s answer, for later steps.',
    }),
  ),
}

export type Source = string | { readonly from: string; readonly matches: string }
export const BESIDE_STEP = Object.keys(besideStep)

export const stepSchemas: Readonly<Record<StepWord, Schema>> = Object.fromEntries(
  STEP_WORDS.map((word): [StepWord, Schema] => [
    word,
    object({
      [word]: typed(inFile(stepInputs[word])),
      ...besideStep,
      refused: optional(typed(inFile(besideStep.refused))),
    }),
  ]),
) as Record<StepWord, Schema>

export const includeSchema = object({
  include: typed<string | { readonly file: string; readonly vars?: Readonly<Record<string, unknown>> }>({
    anyOf: [
      text('A file of steps, below the scenario’s folder.'),
      object({ file: text('A file of steps.'), vars: optional(dictionary('Variables that the steps use.')) }),
    ],
    ...expecting({ code: 'any_of', params: { forms: ['a file', '{file: FILE, vars: VARIABLES}'] } }),
  }),
})

const step = typed<Readonly<Record<string, unknown>>>({
  anyOf: [...STEP_WORDS.map((word) => stepSchemas[word]), includeSchema],
  ...expecting({ code: 'scenario_step', params: { words: STEP_WORDS } }),
})

const byName = (description: string, of: Schema, code: 'phones_by_name' | 'rps_by_name') =>
  optional(
    typed<Readonly<Record<string, Readonly<Record<string, unknown>>>>>({
      type: 'object',
      additionalProperties: of,
      description,
      ...expecting({ code }),
    }),
  )

const rpWish = object({
  name: optional(text('The short name when absent.')),
  rp_id: optional(text('SHORT-NAME.example when absent.')),
  origins: optional(list(text())),
})
const caseRow = typed<Readonly<Record<string, unknown>>>({ ...dictionary(), minProperties: 1 })

const documentParts = <S extends Schema>(steps: S) => ({
  name: text('What it shows, as a sentence.', { minLength: 1 }),
  about: optional(text('Shown when it is played.')),
  tags: optional(
    list(text(undefined, { pattern: '^[\\w-]{1,64}$', ...expecting({ code: 'tag' }) }), { uniqueItems: true }),
  ),
  skip: optional(text('Why it does not run.', { minLength: 1 })),
  only: optional(text('Why it runs alone, for now.', { minLength: 1 })),
  profile: optional(dictionary('Settings of the scenario’s workspace that differ from the defaults.')),
  rps: byName('RPs by short name; the demo RP when absent.', rpWish, 'rps_by_name'),
  phones: byName('By short name what `POST /phones` takes.', dictionary(), 'phones_by_name'),
  vars: optional(dictionary(`Variables by name; a step uses one as \${name}.`)),
  cases: optional(
    list(caseRow, {
      minItems: 1,
      maxItems: 1000,
      description: 'The scenario runs once for each row, with the row’s variables; `name` says which row it is.',
    }),
  ),
  setup: optional(list(steps)),
  steps: list(steps, { minItems: 1 }),
  teardown: optional(list(steps)),
})

/** Also the JSON Schema for editors. */
export const scenarioSchema = object(documentParts(step), expecting({ code: 'scenario' }))

/** Without the steps, which are checked one by one. */
export const scenarioHead = object(documentParts(anything()), expecting({ code: 'scenario' }))

export const includedSteps = list(anything(), { minItems: 1 })

export type ScenarioDocument = DeepReadonly<ValueOf<typeof scenarioHead>>
