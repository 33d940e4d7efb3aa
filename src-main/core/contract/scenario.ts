import { mapValues } from '../protocol/json.ts'
import type { ConditionsPart } from './conditions.ts'
import { type RouteId, routes } from './control/routes.ts'
import { newServiceFault } from './control/service-fault-routes.ts'
import type { Profile } from './profile.ts'
import { eventSteps, phoneSteps, rpSteps } from './scenario/bench-steps.ts'
import { ownRpSteps } from './scenario/own-rp-steps.ts'
import { change, fileSchema, messageReference, shortName, until } from './scenario/parts.ts'
import * as t from './schema.ts'
import { scope } from './scope.ts'

export type { Limit } from './scenario/parts.ts'

/** Calls that a step `control` can make: those of the scenario's own workspace. */
export const CONTROL_CALLS = (Object.keys(routes) as RouteId[]).filter((id) => {
  const route = routes[id]
  return route.scope === 'workspace' && !('stream' in route)
})

export const benchSteps = {
  clock: t.partial(
    {
      ...{ now: t.decimal(), frozen: t.flag(), speed: t.decimal() },
      real: t.constant(true, 'Back to real time; it goes alone.'),
    },
    change,
  ),
  advance: t.oneForm(
    ['{s: SECONDS}', '{ms: MILLISECONDS}', '{to: next-expiry}'],
    [t.object({ s: t.decimal() }), t.object({ ms: t.decimal() }), t.object({ to: t.constant('next-expiry') })],
  ),
  expire: t.object({ message: messageReference }),
  profile: t.typed<Partial<Profile>>({ ...t.dictionary(), ...change }),
  conditions: t.typed<ConditionsPart>(t.partial({ rp: t.dictionary(), app: t.dictionary(), scope }, change)),
  arm_service: newServiceFault,
  snapshot: t.object({ as: shortName('A name for the snapshot.') }),
  restore: t.object({ snapshot: t.text('What an earlier step `snapshot` named.') }),
  control: t.object({
    call: t.choice(CONTROL_CALLS as [RouteId, ...RouteId[]], 'A call of the control interface, by its name.'),
    params: t.optional(t.dictionary('What stands in its path.')),
    query: t.optional(t.dictionary()),
    body: t.optional(t.dictionary()),
    until,
  }),
}

/**
 * The input of each step. Conditions and the clock are checked against their own contract only when the step runs, and
 * so are profile settings in a step that must be `refused`, so that a scenario can show the refusal.
 */
export const stepInputs = { ...rpSteps, ...phoneSteps, ...benchSteps, ...eventSteps, ...ownRpSteps }

export type StepWord = keyof typeof stepInputs
export type StepInput<W extends StepWord> = t.ValueOf<(typeof stepInputs)[W]>

export const STEP_WORDS = Object.keys(stepInputs) as readonly StepWord[]

/** A JSON pointer into the step's answer, or a part of it that a regex finds. */
const source = t.oneForm(
  ['a JSON pointer', '{from: POINTER, matches: REGEX}'],
  [
    t.text('A JSON pointer, such as /json/user/id.', { pattern: '^(/.*)?$' }),
    t.object({ from: t.text('A JSON pointer.', { pattern: '^(/.*)?$' }), matches: t.text('A regular expression.') }),
  ],
)

export type VariableSource = t.ValueOf<typeof source>

export const stepOptions = t.allOptional({
  refused: t.errorCode('The step must be refused with this code.'),
  answer: t.anything('What the step’s answer must be: a value or a pattern.'),
  save: t.typed<Readonly<Record<string, VariableSource>>>({
    type: 'object',
    additionalProperties: source,
    description: 'Variables from parts of the step’s answer, for later steps.',
  }),
})

export const STEP_OPTION_NAMES = Object.keys(stepOptions)

export const stepSchemas = mapValues(
  stepInputs,
  (input: t.Schema, word): t.Schema =>
    t.object({
      [word]: t.typed(fileSchema(input)),
      ...stepOptions,
      refused: t.optional(t.typed(fileSchema(stepOptions.refused))),
    }),
)

export const includeSchema = t.object({
  include: t.oneForm(
    ['a file', '{file: FILE, vars: VARIABLES}'],
    [
      t.text('A file of steps, below the scenario’s folder.'),
      t.object({ file: t.text('A file of steps.'), vars: t.optional(t.dictionary('Variables that the steps use.')) }),
    ],
  ),
})

const step = t.typed<Readonly<Record<string, unknown>>>({
  anyOf: [...STEP_WORDS.map((word) => stepSchemas[word]), includeSchema],
  ...t.expecting({ code: 'scenario_step', params: { words: STEP_WORDS } }),
})

const byName = (description: string, of: t.Schema, code: 'phones_by_name' | 'rps_by_name') =>
  t.typed<Readonly<Record<string, Readonly<Record<string, unknown>>>>>({
    type: 'object',
    additionalProperties: of,
    description,
    ...t.expecting({ code }),
  })

const rpWish = t.partial({
  name: t.text('The short name when absent.'),
  rp_id: t.text('SHORT-NAME.example when absent.'),
  origins: t.list(t.text()),
})
const caseRow = t.typed<Readonly<Record<string, unknown>>>({ ...t.dictionary(), minProperties: 1 })

const documentParts = <S extends t.Schema>(steps: S) => ({
  name: t.text('What it shows, as a sentence.', { minLength: 1 }),
  ...t.allOptional({
    about: t.text('Shown when it is played.'),
    tags: t.list(t.text(undefined, { pattern: '^[\\w-]{1,64}$', ...t.expecting({ code: 'tag' }) }), {
      uniqueItems: true,
    }),
    skip: t.text('Why it does not run.', { minLength: 1 }),
    only: t.text('Why it runs alone, for now.', { minLength: 1 }),
    profile: t.dictionary('Settings of the scenario’s workspace that differ from the defaults.'),
    rps: byName('RPs by short name; the demo RP when absent.', rpWish, 'rps_by_name'),
    phones: byName('By short name what `POST /phones` takes.', t.dictionary(), 'phones_by_name'),
    vars: t.dictionary(`Variables by name; a step uses one as \${name}.`),
    cases: t.list(caseRow, {
      minItems: 1,
      maxItems: 1000,
      description: 'The scenario runs once for each row, with the row’s variables; `name` says which row it is.',
    }),
    setup: t.list(steps),
  }),
  steps: t.list(steps, { minItems: 1 }),
  teardown: t.optional(t.list(steps)),
})

/** Also the JSON Schema for editors. */
export const scenarioSchema = t.object(documentParts(step), t.expecting({ code: 'scenario' }))

/** Without the steps, which are checked one by one. */
export const scenarioHead = t.object(documentParts(t.anything()), t.expecting({ code: 'scenario' }))

export const includedSteps = t.list(t.anything(), { minItems: 1 })

export type ScenarioDocument = t.DeepReadonly<t.ValueOf<typeof scenarioHead>>
