import { routeOf } from '../../core/contract/control/routes.ts'
import { type FieldProblem, unfit, withinField } from '../../core/contract/errors.ts'
import { combineProblems, type FileProblem, withOuterPlace } from '../../core/contract/scenario/file-problems.ts'
import { fileSchema } from '../../core/contract/scenario/parts.ts'
import {
  CONTROL_CALLS,
  includedSteps,
  includeSchema,
  type ScenarioDocument,
  STEP_OPTION_NAMES,
  STEP_WORDS,
  type StepInput,
  type StepWord,
  scenarioHead,
  stepSchemas,
  type VariableSource,
} from '../../core/contract/scenario.ts'
import type { JsonSchema } from '../../core/contract/schema.ts'
import { findProblem, findProblems } from '../../core/contract/validate.ts'
import { isObject } from '../../core/protocol/json.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { answerProblem, expectationProblem, hasPatterns } from './parse/expectations.ts'
import { defineNames, nameProblem, newNames, profileProblems, unknownName } from './parse/names.ts'
import type { Scenario, Step, Variables, WantedRp } from './parse/scenario.ts'
import {
  mistakeAt,
  OWN_VARIABLES,
  type Problem,
  type ReadInclude,
  referenceProblem,
  type StepsContext,
  stepMistake,
} from './parse/step-problems.ts'
import { firstFound } from './patterns/mismatch.ts'
import { patternProblem } from './patterns/unmatchable.ts'
import { fieldPath, type ParsedDocument, type Path, readDocument, toFileProblem } from './read-document.ts'
import { fillReferences, fillText, findReferences, isReference, readPart, referenceName } from './variables.ts'

export type ScenarioSource = { readonly folder: string; readonly read: ReadInclude }

const nowhere: ScenarioSource = { folder: '.', read: (path) => err({ code: 'no_includes', params: { path }, at: [] }) }

/** One scenario, or one for each row of the file's cases. */
export const parseScenarios = (
  text: string,
  source: ScenarioSource = nowhere,
): Result<readonly Scenario[], FileProblem> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const { value, placeOf } = document.value
  const wrong = findProblems(value, scenarioHead)
  const parts = new Set(wrong.map((problem) => fieldPath(problem)[0]))
  // Steps are read even if the head is wrong, unless they depend on its wrong part.
  const unreadable = toFileProblem(document.value, wrong)
  if (unreadable !== undefined && [...parts].some((part) => part === undefined || DEPENDED_ON.has(part))) {
    return err(unreadable)
  }
  const fitting = Object.entries(value as ScenarioDocument).filter(([key]) => !parts.has(key))
  const head = { name: '', ...Object.fromEntries(fitting) } as ScenarioDocument
  const settings = head.profile === undefined ? [] : profileProblems(head.profile)
  const reserved = reservedName(head)
  const found = [
    toFileProblem(document.value, [...wrong, ...settings.map((setting) => withinField('profile', setting))]),
    reserved &&
      ({ code: 'not_variable_name', params: { name: String(reserved.at(-1)) }, at: [placeOf(reserved)] } as const),
  ].filter((each) => each !== undefined)
  const scenarios: Scenario[] = []
  for (const [i, row] of (head.cases ?? [undefined]).entries()) {
    const parsed = parseRow(
      head,
      row === undefined ? undefined : { values: row, number: i + 1 },
      document.value,
      source,
    )
    const problem = combineProblems(parsed.ok ? found : [...found, parsed.error])
    if (problem !== undefined) return err(problem)
    if (parsed.ok) scenarios.push(parsed.value)
  }
  const twice = scenarios.findIndex(({ name }, i) => scenarios.findIndex((other) => other.name === name) < i)
  if (twice >= 0) {
    const { name = '' } = scenarios[twice] ?? {}
    return err({ code: 'row_repeats', params: { name }, at: [placeOf(['cases', twice])] })
  }
  return ok(scenarios)
}

const DEPENDED_ON: ReadonlySet<string | number> = new Set([
  ...['steps', 'setup', 'teardown', 'vars', 'cases', 'phones', 'rps'],
])

type Row = { readonly values: Variables; readonly number: number }

const parseRow = (
  head: ScenarioDocument,
  row: Row | undefined,
  document: ParsedDocument,
  { folder, read }: ScenarioSource,
): Result<Scenario, FileProblem> => {
  const { vars: common = {}, cases: _, tags = [], profile = {}, phones = {}, rps = {}, ...rest } = head
  const vars: Variables = { ...common, ...row?.values }
  const unknown = findReferences([head.name, profile, phones, rps]).find((one) => !(referenceName(one) in vars))
  if (unknown !== undefined) {
    const known = Object.keys(vars)
    const name = isReference(unknown) ? referenceName(unknown) : unknown
    const at = [document.placeOf(row === undefined ? ['name'] : ['cases', row.number - 1])]
    return err({ code: 'unknown_name', params: { kind: 'variable', name, known }, at })
  }
  const names = newNames(Object.keys(phones), Object.keys(rps))
  const problems: FileProblem[] = []
  const unread = new Set<string>()
  const [setup = [], steps = [], teardown = []] = (['setup', 'steps', 'teardown'] as const).map((part) => {
    const context = { document, path: [part], names, vars, scopes: [], read, files: [], unread }
    const parsed = parseSteps(head[part] ?? [], context)
    if (parsed.ok) return parsed.value
    problems.push(parsed.error)
    return []
  })
  const problem = combineProblems(problems)
  if (problem !== undefined) return err(row === undefined ? problem : { ...problem, row: row.number })
  const wishes = (wanted: Readonly<Record<string, Variables>>, part: string): Readonly<Record<string, WantedRp>> =>
    Object.fromEntries(
      Object.entries(wanted).map(([name, wish]) => [name, { wanted: wish, line: document.placeOf([part, name]).line }]),
    )
  return ok({
    ...rest,
    name: nameOf(head.name, vars, row),
    tags,
    folder,
    profile,
    profileLine: document.placeOf(['profile']).line,
    rps: wishes(rps, 'rps'),
    phones: wishes(phones, 'phones'),
    vars,
    ...{ setup, steps, teardown },
    ...(row === undefined ? {} : { row: row.number }),
  })
}

const nameOf = (name: string, vars: Variables, row: Row | undefined): string => {
  const filled = fillText(name, (reference) => readPart(vars, reference.split('.')))
  if (row === undefined || findReferences(name).length > 0) return filled
  const { name: own, ...values } = row.values
  return `${filled}: ${
    typeof own === 'string'
      ? own
      : Object.values(values)
          .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
          .join(', ')
  }`
}

const reservedName = ({ vars = {}, cases = [] }: ScenarioDocument): Path | undefined => {
  const wrong = (name: string): boolean => OWN_VARIABLES.includes(name) || !/^[A-Za-z_][\w-]*$/.test(name)
  const common = Object.keys(vars).find(wrong)
  if (common !== undefined) return ['vars', common]
  for (const [i, row] of cases.entries()) {
    const own = Object.keys(row).find(wrong)
    if (own !== undefined) return ['cases', i, own]
  }
  return undefined
}

/** Maximum number of steps of a scenario, with all included files. */
const MAX_STEPS = 10_000

/** The steps of an included file replace its `include`. */
const parseSteps = (raw: readonly unknown[], context: StepsContext): Result<readonly Step[], FileProblem> => {
  const steps: Step[] = []
  const problems: FileProblem[] = []
  for (const [i, each] of raw.entries()) {
    const path = [...context.path, i]
    const parsed =
      isObject(each) && 'include' in each ? parseIncluded(each, path, context) : parseOne(each, path, context)
    defineNamesOf(each, context)
    if (parsed.ok) steps.push(...parsed.value)
    // A file that could not be read may define the name.
    else if (parsed.error.code !== 'unknown_name' || context.unread.size === 0) problems.push(parsed.error)
    if (steps.length > MAX_STEPS) {
      return err(mistakeAt(context, path, { code: 'steps_at_most', params: { most: MAX_STEPS } }))
    }
  }
  const problem = combineProblems(problems)
  return problem === undefined ? ok(steps) : err(problem)
}

/** A step with a mistake also defines its names, so that the steps that use them are not reported as well. */
const defineNamesOf = (raw: unknown, { names }: StepsContext): void => {
  if (!isObject(raw)) return
  for (const [word, input] of Object.entries(raw)) {
    const fields: Variables = isObject(input) ? input : {}
    if (isStepWord(word)) defineNames(word, fields, names)
    else if (word === 'save') for (const name of Object.keys(fields)) names.variable.add(name)
    else if (typeof fields.as === 'string') for (const known of Object.values(names)) known.add(fields.as)
  }
}

const parseIncluded = (raw: object, path: Path, context: StepsContext): Result<readonly Step[], FileProblem> => {
  const included = openInclude(raw, path, context)
  if (!included.ok) {
    context.unread.add(JSON.stringify(raw))
    return included
  }
  const steps = parseSteps(included.value.steps, included.value.context)
  return steps.ok ? steps : included.value.refuse(steps.error)
}

const parseOne = (raw: unknown, path: Path, context: StepsContext): Result<readonly Step[], FileProblem> => {
  const { names, scopes } = context
  const reference = referenceProblem(raw, context)
  if (reference !== undefined) return err(mistakeAt(context, path, reference))
  const parsed = parseStep(raw, fillKnown(raw, context))
  if (!parsed.ok) {
    const [first, ...others] = parsed.error
    return err({ ...stepMistake(first, path, context), others: others.map((each) => stepMistake(each, path, context)) })
  }
  const { word, input, save = {} } = parsed.value
  const unknown = unknownName(word, input as Variables, names)
  if (unknown !== undefined) {
    return err(mistakeAt(context, [...path, word, unknown.field], { code: 'unknown_name', params: unknown.problem }))
  }
  for (const name of Object.keys(save)) {
    const problem = savedNameProblem(name, context)
    if (problem !== undefined) return err(mistakeAt(context, [...path, 'save', name], problem))
  }
  const { line } = context.document.placeOf(path)
  const file = context.files.at(-1)
  return ok([{ ...parsed.value, line, scopes, ...(file === undefined ? {} : { file }) }])
}

/** Replaces the variables that are known before anything runs; references to others stay as written. */
const fillKnown = (value: unknown, { vars, scopes }: StepsContext): unknown => {
  const known: Variables = Object.assign({}, vars, ...scopes)
  return fillReferences(value, (reference) => {
    const head = referenceName(reference)
    const found = Object.hasOwn(known, head) && head === reference ? known[head] : undefined
    return found === undefined || findReferences(found).length > 0 ? `\${${reference}}` : found
  })
}

const savedNameProblem = (name: string, { vars, scopes }: StepsContext): Problem | undefined => {
  if (!/^[A-Za-z_][\w-]{0,63}$/.test(name)) return { code: 'not_saved_name', params: { name } }
  const taken = [...Object.keys(vars), ...scopes.flatMap(Object.keys), ...OWN_VARIABLES].includes(name)
  return taken ? { code: 'saved_name_taken', params: { name } } : undefined
}

const DEEPEST = 8

type Included = {
  readonly steps: readonly unknown[]
  readonly context: StepsContext
  readonly refuse: (mistake: FileProblem) => Result<never, FileProblem>
}

const openInclude = (raw: object, path: Path, context: StepsContext): Result<Included, FileProblem> => {
  const refuse = (why: Problem | FileProblem) => err(mistakeAt(context, [...path, 'include'], why))
  const problem = findProblem(raw, includeSchema)
  if (problem !== undefined) return err(stepMistake(problem, path, context))
  const { include } = raw as { include: string | { file: string; vars?: Variables } }
  const { file, vars = {} } = typeof include === 'string' ? { file: include } : include
  const reference = referenceProblem(vars, context)
  if (reference !== undefined) return refuse(reference)
  if (context.files.includes(file)) {
    return refuse({ code: 'include_circle', params: { files: [...context.files, file] } })
  }
  if (context.files.length >= DEEPEST) {
    return refuse({ code: 'includes_at_most', params: { most: DEEPEST } })
  }
  const text = context.read(file)
  if (!text.ok) return refuse(text.error)
  const document = readDocument(text.value)
  if (!document.ok) return refuse(withOuterPlace({ file }, document.error))
  const wrong = findProblem(document.value.value, includedSteps)
  if (wrong !== undefined) {
    return refuse({ code: 'not_steps', params: { problem: wrong }, at: [{ file }, { line: 1, column: 1 }] })
  }
  return ok({
    steps: document.value.value as readonly unknown[],
    context: {
      ...context,
      document: document.value,
      path: [],
      scopes: [...context.scopes, vars],
      files: [...context.files, file],
    },
    refuse: (mistake) => refuse(withOuterPlace({ file }, mistake)),
  })
}

type ParsedStep = Pick<Step, 'word' | 'input' | 'refused' | 'answer' | 'save'>

const isStepWord = (word: string): word is StepWord => Object.hasOwn(stepSchemas, word)

/** `filled` has the values of known variables; a variable that is known only later fits every schema. */
const parseStep = (raw: unknown, filled: unknown): Result<ParsedStep, readonly [FieldProblem, ...FieldProblem[]]> => {
  if (!isObject(raw) || !isObject(filled)) return err([notOneWord(raw)])
  const keys = Object.keys(raw).filter((key) => !STEP_OPTION_NAMES.includes(key))
  const [word, ...others] = keys
  if (word === undefined) return err([notOneWord(raw)])
  const known = [...STEP_WORDS, 'include', ...STEP_OPTION_NAMES]
  const stranger = keys.find((key) => !isStepWord(key))
  if (stranger !== undefined) {
    // YAML reads fields that are not indented below the word as further words.
    if (isStepWord(word) && raw[word] === null) return err([unfit(word, { code: 'indented_fields' }, null)])
    return err([{ code: 'field_unknown', params: { field: stranger, known } }])
  }
  if (others.length > 0 || !isStepWord(word)) return err([notOneWord(raw)])
  const [problem = problemOfCall(word, filled[word]), ...more] = findProblems(filled, stepSchemas[word])
  if (problem !== undefined) return err([problem, ...more])
  const wrong =
    withinField(word, hasPatterns(word) ? patternProblem(filled[word]) : undefined) ??
    withinField('answer', patternProblem(filled.answer)) ??
    withinField(word, expectationProblem(word, filled[word])) ??
    withinField(word, raw.refused === undefined ? nameProblem(word, filled[word]) : undefined) ??
    withinField('answer', answerProblem(word, filled[word], filled.answer))
  if (wrong !== undefined) return err([wrong])
  return ok({
    word,
    input: raw[word] as StepInput<StepWord>,
    ...(raw.refused === undefined ? {} : { refused: raw.refused as number | string }),
    ...('answer' in raw ? { answer: raw.answer } : {}),
    ...(raw.save === undefined ? {} : { save: raw.save as Readonly<Record<string, VariableSource>> }),
  })
}

const notOneWord = (value: unknown): FieldProblem => ({
  code: 'field_unfit',
  params: {
    field: '',
    expected: { code: 'scenario_step', params: { words: STEP_WORDS } },
    got: JSON.stringify(value)?.slice(0, 60) ?? 'nothing',
  },
})

const tolerant = rememberByObject((schema: object) => fileSchema(schema as never))

const problemOfCall = (word: StepWord, input: unknown): FieldProblem | undefined => {
  if (word !== 'control' || !isObject(input)) return undefined
  const id = CONTROL_CALLS.find((call) => call === input.call)
  if (id === undefined) return undefined
  const route = routeOf(id)
  return firstFound(['params', 'query', 'body'] as const, (part) => {
    const schema = route[part]
    if (schema !== undefined)
      return withinField(`control.${part}`, findProblem(input[part] ?? {}, tolerant(schema as JsonSchema)))
    if (input[part] === undefined || input[part] === null) return undefined
    return { code: 'field_unknown', params: { field: `control.${part}`, known: [] } } as const
  })
}
