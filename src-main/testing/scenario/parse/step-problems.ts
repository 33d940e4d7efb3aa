import { type FieldProblem, withinField } from '../../../core/contract/errors.ts'
import {
  type FileProblem,
  type FileProblemParams,
  withOuterPlace,
} from '../../../core/contract/scenario/file-problems.ts'
import type { Coded } from '../../../core/protocol/coded.ts'
import type { Result } from '../../../core/protocol/result.ts'
import { fieldPath, type ParsedDocument, type Path } from '../read-document.ts'
import { findReferences, isReference, referenceName } from '../variables.ts'
import type { Names } from './names.ts'
import type { Variables } from './scenario.ts'

export type ReadInclude = (file: string) => Result<string, FileProblem>

export type StepsContext = {
  readonly document: ParsedDocument
  /** `steps`, `setup` or `teardown`; empty in a file that is included. */
  readonly path: Path
  readonly names: Names
  /** Variables that are known before anything runs. */
  readonly vars: Variables
  readonly scopes: readonly Variables[]
  readonly read: ReadInclude
  /** The included files around the steps, the outermost first. */
  readonly files: readonly string[]
  /** The includes that could not be read. */
  readonly unread: Set<string>
}

/** Variables that every scenario has without naming them. */
export const OWN_VARIABLES = ['handset', 'rp', 'rps', 'phones', 'messages']

export type Problem = Coded<FileProblemParams>

export const mistakeAt = ({ document }: StepsContext, path: Path, problem: Problem | FileProblem): FileProblem =>
  withOuterPlace(document.placeOf(path), { at: [], ...problem })

export const stepMistake = (mistake: FieldProblem, path: Path, context: StepsContext): FileProblem => {
  const name = path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${part}`)).join('')
  const problem = withinField(name, mistake)
  return mistakeAt(context, fieldPath(problem), { code: 'unfit', params: { problem } })
}

export const referenceProblem = (value: unknown, { names, vars, scopes }: StepsContext): Problem | undefined => {
  const known = [...Object.keys(vars), ...scopes.flatMap(Object.keys), ...names.variable, ...OWN_VARIABLES]
  for (const reference of findReferences(value)) {
    if (!isReference(reference)) return { code: 'not_reference', params: { reference } }
    const name = referenceName(reference)
    if (!known.includes(name)) return { code: 'unknown_name', params: { kind: 'variable', name, known } }
  }
  return undefined
}
