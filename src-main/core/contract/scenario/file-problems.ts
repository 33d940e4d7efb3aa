import { type Coded, type ParamsOf, textOf } from '../../protocol/coded.ts'
import { reasons } from '../../protocol/reasons.ts'
import { shellWord } from '../../protocol/shell-word.ts'
import type { FieldProblem } from '../errors.ts'
import { REPORT_BLOCK } from '../report-block.ts'
import { unknownNameText } from './problems.ts'

type OfFile = { readonly path: string }
type Most = { readonly most: number }
type Name = { readonly name: string }
type Alias = { readonly alias: string }

/** Why a scenario’s file cannot be played, in English. */
const fileProblems = {
  no_file: ({ path }: OfFile) => `there is no file ${path}.`,
  is_folder: ({ path }: OfFile) => `${path} is a folder; name the files in it.`,
  not_a_file: ({ path }: OfFile) => `${path} is not a file.`,
  file_too_large: ({ path, bytes, most }: OfFile & Most & { bytes: number }) =>
    `${path} has ${bytes} bytes; expected at most ${most}.`,
  unreadable: ({ path, error }: OfFile & { error: string }) => `${path} cannot be read (${error}).`,
  outside_folder: ({ path }: OfFile) => `${path} is outside the scenario’s folder.`,
  no_includes: ({ path }: OfFile) => `${path} cannot be included here.`,
  other_kind: ({ path, kind }: OfFile & { kind: 'program' | 'trace' }) =>
    kind === 'trace'
      ? `${path} is a trace: npx handset show ${shellWord(path)}`
      : `${path} is a program, not a scenario in YAML: a step "exec" runs one.`,
  /** `path` is a pattern here, and a folder in `no_yaml_in`. */
  no_match: ({ path }: OfFile) => `no .yaml or .yml file matches ${path}.`,
  no_yaml_in: ({ path }: OfFile) => `${path} holds no .yaml or .yml file.`,

  no_report_scenario: `this Markdown has no scenario; expected a block that begins with \`\`\`yaml ${REPORT_BLOCK}, as in a report of Handset.`,
  second_report_scenario: 'a second scenario begins here; expected one. Keep the one that is to be repeated.',
  report_cut_off: 'the scenario that begins here has no end: the file was cut off. Copy or download the report again.',
  report_seed: ({ got }: { got: string }) => `expected seed=NUMBER behind ${REPORT_BLOCK}; got ${JSON.stringify(got)}.`,
  report_step: ({ word }: { word: string }) =>
    `a report cannot hold the step "${word}": it may come from somebody else, and repeats only what phones, RPs and the service do. Put the scenario into a .yaml file if you trust it.`,

  yaml_says: ({ words }: { words: string }) => words,
  too_deep: 'this is nested too deeply.',
  second_document: 'a second document begins here; expected one.',
  alias_unknown: ({ alias }: Alias) => `*${alias} names nothing; expected &${alias} before it, at what it stands for.`,
  alias_circle: ({ alias }: Alias) => `*${alias} is inside what it names; expected another value.`,
  alias_too_large: ({ alias, most }: Alias & Most) =>
    `with *${alias} this is more than ${most} values; expected fewer.`,

  unfit: ({ problem }: { problem: FieldProblem }) => textOf(reasons, problem),
  not_steps: ({ problem }: { problem: FieldProblem }) => `${textOf(reasons, problem)} It is a list of steps.`,
  not_variable_name: ({ name }: Name) => `${JSON.stringify(name)} cannot name a variable.`,
  row_repeats: ({ name }: Name) => `another row has the name ${JSON.stringify(name)}, too.`,
  steps_at_most: ({ most }: Most) => `there are more than ${most} steps.`,
  unknown_name: unknownNameText,
  not_reference: ({ reference }: { reference: string }) =>
    `\${${reference}} is not a variable; expected \${name} or \${name.part}. A plain \${ is written $\${.`,
  include_circle: ({ files }: { files: readonly string[] }) =>
    `${files.join(' includes ')}: a circle; expected files that end.`,
  includes_at_most: ({ most }: Most) => `files include each other more than ${most} levels deep.`,
  not_saved_name: ({ name }: Name) => `${JSON.stringify(name)} must be a name of letters, digits, "_" and "-".`,
  saved_name_taken: ({ name }: Name) => `${JSON.stringify(name)} has a value already; save it under another name.`,
}

/** Line and column count from 1. */
export type Place = { readonly file: string } | { readonly line: number; readonly column: number }

export type FileProblemParams = ParamsOf<typeof fileProblems>

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

const placeText = (place: Place): string =>
  'file' in place ? place.file : `line ${place.line}, column ${place.column}`

const MAX_LINES = 10

/** One line for each problem. */
export const fileProblemText = (problem: FileProblem): string => {
  const lines = linesOf(problem, problem.row)
  const more = lines.length > MAX_LINES ? [`and ${lines.length - MAX_LINES} more.`] : []
  return [...lines.slice(0, MAX_LINES), ...more].join('\n')
}

const linesOf = ({ at, row: _, others = [], ...problem }: FileProblem, row: number | undefined): readonly string[] => {
  const inRow = row === undefined ? '' : ` (in row ${row} of "cases")`
  const line = [...at.map(placeText), `${textOf(fileProblems, problem)}${inRow}`].join(': ')
  return [line, ...others.flatMap((other) => linesOf(other, row))]
}

/** Why there is nothing to run, in English. */
const runProblems = {
  no_scenarios: 'no scenario was found: a scenario is a YAML file with "steps".',
  no_tag: ({ tags, known }: { tags: readonly string[]; known: readonly string[] }) =>
    `no scenario has the tag ${tags.join(', ')}. Known are: ${known.join(', ') || 'none'}.`,
  none_failed: 'none of these scenarios failed the last time.',
  none_fits: ({ found, by }: { found: number; by: 'tags' | 'filter' | 'exclude' }) => {
    const why = { tags: 'has all these tags', filter: 'fits --filter', exclude: 'is left by --exclude' }[by]
    return `none of ${found} scenario${found === 1 ? '' : 's'} ${why}.`
  },
}

export type RunProblem = Coded<ParamsOf<typeof runProblems>>

export const runProblemText = (problem: RunProblem): string => textOf(runProblems, problem)

/** What must be an ID of a scenario, in English. */
const idProblems = {
  not_scenario_id: ({ text }: { text: string }) =>
    `an ID such as login.yaml@1234, as a report names it; got "${text}".`,
  broken_escapes: ({ text }: { text: string }) =>
    `an ID as a report names it; got "${text}", where %-escapes are broken.`,
}

export type ScenarioIdProblem = Coded<ParamsOf<typeof idProblems>>

export const scenarioIdProblemText = (problem: ScenarioIdProblem): string => textOf(idProblems, problem)
