import type { Coded, NoParams } from '../../protocol/coded.ts'
import type { FieldProblem } from '../errors.ts'
import type { StepProblemParams } from './problems.ts'

type OfFile = { readonly path: string }
type Most = { readonly most: number }
type Name = { readonly name: string }
type Alias = { readonly alias: string }

export type FileProblemParams = {
  readonly no_file: OfFile
  readonly is_folder: OfFile
  readonly not_a_file: OfFile
  readonly file_too_large: OfFile & Most & { readonly bytes: number }
  readonly unreadable: OfFile & { readonly error: string }
  readonly outside_folder: OfFile
  readonly no_includes: OfFile
  /** `path` is a pattern here, and a folder in `no_yaml_in`. */
  readonly no_match: OfFile
  readonly other_kind: OfFile & { readonly kind: 'program' | 'trace' }
  readonly no_yaml_in: OfFile

  readonly no_report_scenario: NoParams
  readonly second_report_scenario: NoParams
  readonly report_cut_off: NoParams
  readonly report_seed: { readonly got: string }
  readonly report_step: { readonly word: string }

  readonly yaml_says: { readonly words: string }
  readonly too_deep: NoParams
  readonly second_document: NoParams
  readonly alias_unknown: Alias
  readonly alias_circle: Alias
  readonly alias_too_large: Alias & Most

  readonly unfit: { readonly problem: FieldProblem }
  readonly not_steps: { readonly problem: FieldProblem }
  readonly not_variable_name: Name
  readonly row_repeats: Name
  readonly steps_at_most: Most
  readonly unknown_name: StepProblemParams['unknown_name']
  readonly not_reference: { readonly reference: string }
  readonly include_circle: { readonly files: readonly string[] }
  readonly includes_at_most: Most
  readonly not_saved_name: Name
  readonly saved_name_taken: Name
}

/** Line and column count from 1. */
export type Place = { readonly file: string } | { readonly line: number; readonly column: number }

/** `at`: from the outermost file inwards, through the included files. */
export type FileProblem = Coded<FileProblemParams> & {
  readonly at: readonly Place[]
  /** The row in a table of cases. */
  readonly row?: number
  /** Further problems of the same file, in the order of the file. */
  readonly others?: readonly FileProblem[]
}

export const withOuterPlace = (place: Place, { others, ...problem }: FileProblem): FileProblem => ({
  ...problem,
  at: [place, ...problem.at],
  ...(others === undefined ? {} : { others: others.map((other) => withOuterPlace(place, other)) }),
})

/** Combines the problems of one file. */
export const combineProblems = (problems: readonly FileProblem[]): FileProblem | undefined => {
  const [first, ...rest] = problems.toSorted((a, b) => lineAndColumn(a) - lineAndColumn(b))
  return first && { ...first, others: [...(first.others ?? []), ...rest] }
}

const lineAndColumn = ({ at: [place] }: FileProblem): number =>
  place === undefined || 'file' in place ? 0 : place.line * 1e6 + place.column

export type RunProblemParams = {
  readonly no_scenarios: NoParams
  readonly no_tag: { readonly tags: readonly string[]; readonly known: readonly string[] }
  readonly none_failed: NoParams
  readonly none_fits: { readonly found: number; readonly by: 'tags' | 'filter' | 'exclude' }
}

export type RunProblem = Coded<RunProblemParams>

export type ScenarioIdProblemParams = {
  readonly not_scenario_id: { readonly text: string }
  readonly broken_escapes: { readonly text: string }
}

export type ScenarioIdProblem = Coded<ScenarioIdProblemParams>
