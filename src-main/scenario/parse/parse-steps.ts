import { type FieldProblem, within } from '../../contract/reasons.ts'
import { includedSteps, includeSchema } from '../../contract/scenario.ts'
import { findProblem } from '../../contract/validate.ts'
import { en } from '../../messages/en/en.ts'
import { unknownNameText } from '../../messages/en/scenario-problems.ts'
import { textOf } from '../../messages/text.ts'
import { isObject } from '../../protocol/json.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { type Path, placeText, type ReadDocument, readDocument } from '../read-document.ts'
import { fillIn, headOf, isReference, referencesIn } from '../variables.ts'
import { defineNames, type Names, unknownName } from './names.ts'
import { parseStep, type StepMistake } from './parse-step.ts'
import type { Step, Variables } from './scenario.ts'

/** Reads a file below the scenario's folder. */
export type ReadInclude = (file: string) => Result<string, string>

export type StepsContext = {
  readonly document: ReadDocument
  /** `steps`, `setup` or `teardown`; empty in a file that is included. */
  readonly path: Path
  readonly names: Names
  /** What is known before anything runs. */
  readonly vars: Variables
  readonly scopes: readonly Variables[]
  readonly read: ReadInclude
  /** The included files around it, the outermost first. */
  readonly files: readonly string[]
}

const DEEPEST = 8
/** A scenario with all that it includes. */
export const MOST_STEPS = 10_000

/** What every scenario has without naming it. */
export const OWN_VARIABLES = ['handset', 'rp', 'rps', 'phones', 'messages']

const mistakeAt = ({ document }: StepsContext, path: Path, text: string): string =>
  `${placeText(document.placeOf(path))}: ${text}`

/** The steps of one list, with those that it includes in their place. */
export const parseSteps = (raw: readonly unknown[], context: StepsContext): Result<readonly Step[], string> => {
  const steps: Step[] = []
  for (const [i, each] of raw.entries()) {
    const path = [...context.path, i]
    const parsed =
      isObject(each) && 'include' in each ? parseInclude(each, path, context) : parseOne(each, path, context)
    if (!parsed.ok) return parsed
    steps.push(...parsed.value)
    if (steps.length > MOST_STEPS) return err(mistakeAt(context, path, `there are more than ${MOST_STEPS} steps.`))
  }
  return ok(steps)
}

const parseOne = (raw: unknown, path: Path, context: StepsContext): Result<readonly Step[], string> => {
  const { names, scopes } = context
  const reference = referenceProblem(raw, context)
  if (reference !== undefined) return err(mistakeAt(context, path, reference))
  const parsed = parseStep(raw, fillKnown(raw, context))
  if (!parsed.ok) return err(stepMistake(parsed.error, path, context))
  const { word, input, save = {} } = parsed.value
  const unknown = unknownName(word, input as Variables, names)
  if (unknown !== undefined) {
    return err(mistakeAt(context, [...path, word, unknown.field], unknownNameText(unknown.problem)))
  }
  defineNames(word, input as Variables, names)
  for (const name of Object.keys(save)) {
    const problem = savedNameProblem(name, context)
    if (problem !== undefined) return err(mistakeAt(context, [...path, 'save', name], problem))
    names.variable.add(name)
  }
  const { line } = context.document.placeOf(path)
  const file = context.files.at(-1)
  return ok([{ ...parsed.value, line, scopes, ...(file === undefined ? {} : { file }) }])
}

const parseInclude = (raw: object, path: Path, context: StepsContext): Result<readonly Step[], string> => {
  const refuse = (text: string) => err(mistakeAt(context, [...path, 'include'], text))
  const problem = findProblem(raw, includeSchema)
  if (problem !== undefined) return err(stepMistake(problem, path, context))
  const { include } = raw as { include: string | { file: string; vars?: Variables } }
  const { file, vars = {} } = typeof include === 'string' ? { file: include } : include
  const reference = referenceProblem(vars, context)
  if (reference !== undefined) return refuse(reference)
  if (context.files.includes(file)) {
    return refuse(`${[...context.files, file].join(' includes ')}: a circle; expected files that end.`)
  }
  if (context.files.length >= DEEPEST) return refuse(`files include each other more than ${DEEPEST} levels deep.`)
  const text = context.read(file)
  if (!text.ok) return refuse(text.error)
  const document = readDocument(text.value)
  if (!document.ok) return refuse(`${file}: ${document.error}`)
  const wrong = findProblem(document.value.value, includedSteps)
  if (wrong !== undefined) {
    return refuse(`${file}: line 1, column 1: ${textOf(en.reasons, wrong)} It is a list of steps.`)
  }
  const steps = parseSteps(document.value.value as readonly unknown[], {
    ...context,
    document: document.value,
    path: [],
    scopes: [...context.scopes, vars],
    files: [...context.files, file],
  })
  return steps.ok ? steps : refuse(`${file}: ${steps.error}`)
}

const stepMistake = (mistake: StepMistake, path: Path, context: StepsContext): string => {
  if (mistake.code === 'words') return mistakeAt(context, [...path, mistake.at], mistake.text)
  const name = path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${part}`)).join('')
  const problem: FieldProblem = within(name, mistake)
  return mistakeAt(
    context,
    problem.params.field.split(/[.[\]]+/).filter((part) => part !== ''),
    textOf(en.reasons, problem),
  )
}

/** A variable that nothing defines before, or that is written wrongly. */
const referenceProblem = (value: unknown, { names, vars, scopes }: StepsContext): string | undefined => {
  const known = [...Object.keys(vars), ...scopes.flatMap(Object.keys), ...names.variable, ...OWN_VARIABLES]
  for (const reference of referencesIn(value)) {
    if (!isReference(reference)) {
      return `\${${reference}} is no variable; expected \${name} or \${name.part}. A plain \${ is written $\${.`
    }
    const name = headOf(reference)
    if (!known.includes(name)) return unknownNameText({ kind: 'variable', name, known })
  }
  return undefined
}

/** The value with the variables that are known before anything runs; the others stay as they are written. */
const fillKnown = (value: unknown, { vars, scopes }: StepsContext): unknown => {
  const known: Variables = Object.assign({}, vars, ...scopes)
  return fillIn(value, (reference) => {
    const head = headOf(reference)
    const found = Object.hasOwn(known, head) && head === reference ? known[head] : undefined
    return found === undefined || referencesIn(found).length > 0 ? `\${${reference}}` : found
  })
}

const savedNameProblem = (name: string, { vars, scopes }: StepsContext): string | undefined => {
  if (!/^[A-Za-z_][\w-]{0,63}$/.test(name))
    return `${JSON.stringify(name)} must be a name of letters, digits, "_" and "-".`
  const taken = [...Object.keys(vars), ...scopes.flatMap(Object.keys), ...OWN_VARIABLES].includes(name)
  return taken ? `${JSON.stringify(name)} has a value already; save it under another name.` : undefined
}
