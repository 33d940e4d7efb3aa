import { type FileProblem, under } from '../../../core/contract/scenario/file-problems.ts'
import { includedSteps, includeSchema } from '../../../core/contract/scenario.ts'
import { findProblem } from '../../../core/contract/validate.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { type Path, readDocument } from '../read-document.ts'
import type { Variables } from './scenario.ts'
import { mistakeAt, type Problem, referenceProblem, type StepsContext, stepMistake } from './step-problems.ts'

const DEEPEST = 8

type Included = {
  readonly steps: readonly unknown[]
  readonly context: StepsContext
  /** A mistake in the file, under the step that includes it. */
  readonly refuse: (mistake: FileProblem) => Result<never, FileProblem>
}

/** The steps of an included file, still to be parsed, and where they stand. */
export const openInclude = (raw: object, path: Path, context: StepsContext): Result<Included, FileProblem> => {
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
