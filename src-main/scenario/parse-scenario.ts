import { type ScenarioDocument, scenarioHead } from '../contract/scenario.ts'
import { findProblem } from '../contract/validate.ts'
import { en } from '../messages/en/en.ts'
import { unknownNameText } from '../messages/en/scenario-problems.ts'
import { textOf } from '../messages/text.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { newNames } from './parse/names.ts'
import { OWN_VARIABLES, parseSteps, type ReadInclude } from './parse/parse-steps.ts'
import type { Scenario, Variables, Wish } from './parse/scenario.ts'
import { type Path, placeText, type ReadDocument, readDocument } from './read-document.ts'
import { fillText, headOf, isReference, partOf, referencesIn } from './variables.ts'

export type ScenarioSource = {
  /** Where its programs and pages belong. */
  readonly folder: string
  readonly read: ReadInclude
}

const nowhere: ScenarioSource = { folder: '.', read: (file) => err(`${file} cannot be included here.`) }

/** The scenarios of one file: one, or one for each row of its cases. Refusals say where, what was got and what was expected. */
export const parseScenarios = (text: string, source: ScenarioSource = nowhere): Result<readonly Scenario[], string> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const { value, placeOf } = document.value
  const problem = findProblem(value, scenarioHead)
  if (problem !== undefined) {
    const path = problem.params.field.split(/[.[\]]+/).filter((part) => part !== '')
    return err(`${placeText(placeOf(path))}: ${textOf(en.reasons, problem)}`)
  }
  const head = value as ScenarioDocument
  const reserved = reservedName(head)
  if (reserved !== undefined) {
    return err(`${placeText(placeOf(reserved))}: ${JSON.stringify(reserved.at(-1))} cannot name a variable.`)
  }
  const scenarios: Scenario[] = []
  for (const [i, row] of (head.cases ?? [undefined]).entries()) {
    const parsed = parseRow(
      head,
      row === undefined ? undefined : { values: row, number: i + 1 },
      document.value,
      source,
    )
    if (!parsed.ok) return parsed
    scenarios.push(parsed.value)
  }
  const twice = scenarios.findIndex(({ name }, i) => scenarios.findIndex((other) => other.name === name) < i)
  if (twice >= 0) {
    const name = JSON.stringify(scenarios[twice]?.name)
    return err(`${placeText(placeOf(['cases', twice]))}: another row has the name ${name}, too.`)
  }
  return ok(scenarios)
}

type Row = { readonly values: Variables; readonly number: number }

const parseRow = (
  head: ScenarioDocument,
  row: Row | undefined,
  document: ReadDocument,
  { folder, read }: ScenarioSource,
): Result<Scenario, string> => {
  const { vars: common = {}, cases: _, tags = [], profile = {}, phones = {}, rps = {}, ...rest } = head
  const vars: Variables = { ...common, ...row?.values }
  const at = (path: Path, problem: string) => err(`${placeText(document.placeOf(path))}: ${problem}`)
  const unknown = referencesIn([head.name, profile, phones, rps]).find((one) => !(headOf(one) in vars))
  if (unknown !== undefined) {
    const known = Object.keys(vars)
    const problem = isReference(unknown) ? headOf(unknown) : unknown
    return at(
      row === undefined ? ['name'] : ['cases', row.number - 1],
      unknownNameText({ kind: 'variable', name: problem, known }),
    )
  }
  const names = newNames({ phone: Object.keys(phones), rp: Object.keys(rps) })
  const parts = { setup: head.setup ?? [], steps: head.steps, teardown: head.teardown ?? [] }
  const parsed: { [K in keyof typeof parts]?: Scenario['steps'] } = {}
  for (const part of ['setup', 'steps', 'teardown'] as const) {
    const steps = parseSteps(parts[part], { document, path: [part], names, vars, scopes: [], read, files: [] })
    if (!steps.ok) return row === undefined ? steps : err(`${steps.error} (in row ${row.number} of "cases")`)
    parsed[part] = steps.value
  }
  const wishes = (wanted: Readonly<Record<string, Variables>>, part: string): Readonly<Record<string, Wish>> =>
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
    setup: parsed.setup ?? [],
    steps: parsed.steps ?? [],
    teardown: parsed.teardown ?? [],
    ...(row === undefined ? {} : { row: row.number }),
  })
}

/** A row's scenario is told from the others by its name. */
const nameOf = (name: string, vars: Variables, row: Row | undefined): string => {
  const filled = fillText(name, (reference) => partOf(vars, reference.split('.')))
  if (row === undefined || referencesIn(name).length > 0) return filled
  const { name: own, ...values } = row.values
  return `${filled}: ${
    typeof own === 'string'
      ? own
      : Object.values(values)
          .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
          .join(', ')
  }`
}

/** A variable with a name that every scenario has, or with none that a step could write. */
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
