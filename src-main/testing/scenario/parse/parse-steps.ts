import type { FileProblem } from '../../../core/contract/scenario/file-problems.ts'
import { under } from '../../../core/contract/scenario/file-problems.ts'
import { includedSteps, includeSchema } from '../../../core/contract/scenario.ts'
import { findProblem } from '../../../core/contract/validate.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { Path } from '../read-document.ts'
import { readDocument } from '../read-document.ts'
import { fillIn, headOf, referencesIn } from '../variables.ts'
import { defineNames, unknownName } from './names.ts'

import { parseStep } from './parse-step.ts'
import type { Step, Variables } from './scenario.ts'
import {
  mistakeAt,
  OWN_VARIABLES,
  type Problem,
  referenceProblem,
  type StepsContext,
  stepMistake,
} from './step-problems.ts'

/** A scenario with all that it includes. */
export const MOST_STEPS = 10_000

/** The steps of one list, with those that it includes in their place. */
export const parseSteps = (raw: readonly unknown[], context: StepsContext): Result<readonly Step[], FileProblem> => {
  const steps: Step[] = []
  for (const [i, each] of raw.entries()) {
    const path = [...context.path, i]
    const parsed =
      isObject(each) && 'include' in each ? parseIncluded(each, path, context) : parseOne(each, path, context)
    if (!parsed.ok) return parsed
    steps.push(...parsed.value)
    if (steps.length > MOST_STEPS) {
      return err(mistakeAt(context, path, { code: 'steps_at_most', params: { most: MOST_STEPS } }))
    }
  }
  return ok(steps)
}

const parseIncluded = (raw: object, path: Path, context: StepsContext): Result<readonly Step[], FileProblem> => {
  const included = openInclude(raw, path, context)
  if (!included.ok) return included
  const steps = parseSteps(included.value.steps, included.value.context)
  return steps.ok ? steps : included.value.refuse(steps.error)
}

const parseOne = (raw: unknown, path: Path, context: StepsContext): Result<readonly Step[], FileProblem> => {
  const { names, scopes } = context
  const reference = referenceProblem(raw, context)
  if (reference !== undefined) return err(mistakeAt(context, path, reference))
  const parsed = parseStep(raw, fillKnown(raw, context))
  if (!parsed.ok) return err(stepMistake(parsed.error, path, context))
  const { word, input, save = {} } = parsed.value
  const unknown = unknownName(word, input as Variables, names)
  if (unknown !== undefined) {
    return err(mistakeAt(context, [...path, word, unknown.field], { code: 'unknown_name', params: unknown.problem }))
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

/** The value with the variables that are known before anything runs; the others stay as they are written. */
const fillKnown = (value: unknown, { vars, scopes }: StepsContext): unknown => {
  const known: Variables = Object.assign({}, vars, ...scopes)
  return fillIn(value, (reference) => {
    const head = headOf(reference)
    const found = Object.hasOwn(known, head) && head === reference ? known[head] : undefined
    return found === undefined || referencesIn(found).length > 0 ? `\${${reference}}` : found
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
  /** A mistake in the file, under the step that includes it. */
  readonly refuse: (mistake: FileProblem) => Result<never, FileProblem>
}

/** The steps of an included file, still to be parsed, and where they stand. */
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
  if (!document.ok) return refuse(under({ file }, document.error))
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
    refuse: (mistake) => refuse(under({ file }, mistake)),
  })
}
