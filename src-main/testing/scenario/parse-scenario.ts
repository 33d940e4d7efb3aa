import { within } from '../../core/contract/reasons.ts'
import type { FileProblem } from '../../core/contract/scenario/file-problems.ts'
import { type ScenarioDocument, scenarioHead } from '../../core/contract/scenario.ts'
import { findProblem } from '../../core/contract/validate.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { newNames, profileProblem } from './parse/names.ts'
import { parseSteps } from './parse/parse-steps.ts'
import type { Scenario, Variables, Wish } from './parse/scenario.ts'
import { OWN_VARIABLES, type ReadInclude } from './parse/step-problems.ts'
import { type Path, pathOf, type ReadDocument, readDocument } from './read-document.ts'
import { fillText, headOf, isReference, partOf, referencesIn } from './variables.ts'

export type ScenarioSource = {
  /** Folder of its programs and pages. */
  readonly folder: string
  readonly read: ReadInclude
}

const nowhere: ScenarioSource = { folder: '.', read: (path) => err({ code: 'no_includes', params: { path }, at: [] }) }

/** The scenarios of one file: one, or one for each row of its cases. Refusals name the place and both values. */
export const parseScenarios = (
  text: string,
  source: ScenarioSource = nowhere,
): Result<readonly Scenario[], FileProblem> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const { value, placeOf } = document.value
  const problem = findProblem(value, scenarioHead)
  if (problem !== undefined) {
    return err({ code: 'unfit', params: { problem }, at: [placeOf(pathOf(problem))] })
  }
  const head = value as ScenarioDocument
  const setting = head.profile === undefined ? undefined : profileProblem(head.profile)
  if (setting !== undefined) {
    const unfit = within('profile', setting)
    return err({ code: 'unfit', params: { problem: unfit }, at: [placeOf(pathOf(unfit))] })
  }
  const reserved = reservedName(head)
  if (reserved !== undefined) {
    return err({ code: 'not_variable_name', params: { name: String(reserved.at(-1)) }, at: [placeOf(reserved)] })
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
    const { name = '' } = scenarios[twice] ?? {}
    return err({ code: 'row_repeats', params: { name }, at: [placeOf(['cases', twice])] })
  }
  return ok(scenarios)
}

type Row = { readonly values: Variables; readonly number: number }

const parseRow = (
  head: ScenarioDocument,
  row: Row | undefined,
  document: ReadDocument,
  { folder, read }: ScenarioSource,
): Result<Scenario, FileProblem> => {
  const { vars: common = {}, cases: _, tags = [], profile = {}, phones = {}, rps = {}, ...rest } = head
  const vars: Variables = { ...common, ...row?.values }
  const unknown = referencesIn([head.name, profile, phones, rps]).find((one) => !(headOf(one) in vars))
  if (unknown !== undefined) {
    const known = Object.keys(vars)
    const name = isReference(unknown) ? headOf(unknown) : unknown
    const at = [document.placeOf(row === undefined ? ['name'] : ['cases', row.number - 1])]
    return err({ code: 'unknown_name', params: { kind: 'variable', name, known }, at })
  }
  const names = newNames({ phone: Object.keys(phones), rp: Object.keys(rps) })
  const parts = { setup: head.setup ?? [], steps: head.steps, teardown: head.teardown ?? [] }
  const parsed: { [K in keyof typeof parts]?: Scenario['steps'] } = {}
  for (const part of ['setup', 'steps', 'teardown'] as const) {
    const steps = parseSteps(parts[part], { document, path: [part], names, vars, scopes: [], read, files: [] })
    if (!steps.ok) return row === undefined ? steps : err({ ...steps.error, row: row.number })
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

/** The name distinguishes a row's scenario from the others. */
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
