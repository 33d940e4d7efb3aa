import { REPORT_BLOCK } from '../../contract/report-block.ts'
import type {
  FileProblem,
  FileProblemParams,
  Place,
  RunProblem,
  RunProblemParams,
  ScenarioIdProblem,
  ScenarioIdProblemParams,
} from '../../contract/scenario/file-problems.ts'
import { shellWord } from '../../protocol/shell-word.ts'
import { type Texts, textOf } from '../text.ts'
import { reasons } from './reasons.ts'
import { unknownNameText } from './scenario-problems.ts'

const fileProblems: Texts<FileProblemParams> = {
  no_file: ({ path }) => `there is no file ${path}.`,
  is_folder: ({ path }) => `${path} is a folder; name the files in it.`,
  not_a_file: ({ path }) => `${path} is not a file.`,
  file_too_large: ({ path, bytes, most }) => `${path} has ${bytes} bytes; expected at most ${most}.`,
  unreadable: ({ path, error }) => `${path} cannot be read (${error}).`,
  outside_folder: ({ path }) => `${path} is outside the scenario’s folder.`,
  no_includes: ({ path }) => `${path} cannot be included here.`,
  other_kind: ({ path, kind }) =>
    kind === 'trace'
      ? `${path} is a trace: npx handset show ${shellWord(path)}`
      : `${path} is a program, not a scenario in YAML: a step "exec" runs one.`,
  no_match: ({ path }) => `no .yaml or .yml file matches ${path}.`,
  no_yaml_in: ({ path }) => `${path} holds no .yaml or .yml file.`,

  no_report_scenario: `this Markdown has no scenario; expected a block that begins with \`\`\`yaml ${REPORT_BLOCK}, as in a report of Handset.`,
  second_report_scenario: 'a second scenario begins here; expected one. Keep the one that is to be repeated.',
  report_cut_off: 'the scenario that begins here has no end: the file was cut off. Copy or download the report again.',
  report_seed: ({ got }) => `expected seed=NUMBER behind ${REPORT_BLOCK}; got ${JSON.stringify(got)}.`,
  report_step: ({ word }) =>
    `a report cannot hold the step "${word}": it may come from somebody else, and repeats only what phones, RPs and the service do. Put the scenario into a .yaml file if you trust it.`,

  yaml_says: ({ words }) => words,
  too_deep: 'this is nested too deeply.',
  second_document: 'a second document begins here; expected one.',
  alias_unknown: ({ alias }) => `*${alias} names nothing; expected &${alias} before it, at what it stands for.`,
  alias_circle: ({ alias }) => `*${alias} is inside what it names; expected another value.`,
  alias_too_large: ({ alias, most }) => `with *${alias} this is more than ${most} values; expected fewer.`,

  unfit: ({ problem }) => textOf(reasons, problem),
  not_steps: ({ problem }) => `${textOf(reasons, problem)} It is a list of steps.`,
  not_variable_name: ({ name }) => `${JSON.stringify(name)} cannot name a variable.`,
  row_repeats: ({ name }) => `another row has the name ${JSON.stringify(name)}, too.`,
  steps_at_most: ({ most }) => `there are more than ${most} steps.`,
  unknown_name: unknownNameText,
  not_reference: ({ reference }) =>
    `\${${reference}} is not a variable; expected \${name} or \${name.part}. A plain \${ is written $\${.`,
  include_circle: ({ files }) => `${files.join(' includes ')}: a circle; expected files that end.`,
  includes_at_most: ({ most }) => `files include each other more than ${most} levels deep.`,
  not_saved_name: ({ name }) => `${JSON.stringify(name)} must be a name of letters, digits, "_" and "-".`,
  saved_name_taken: ({ name }) => `${JSON.stringify(name)} has a value already; save it under another name.`,
}

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

const runProblems: Texts<RunProblemParams> = {
  no_scenarios: 'no scenario was found: a scenario is a YAML file with "steps".',
  no_tag: ({ tags, known }) => `no scenario has the tag ${tags.join(', ')}. Known are: ${known.join(', ') || 'none'}.`,
  none_failed: 'none of these scenarios failed the last time.',
  none_fits: ({ found, by }) => {
    const why = { tags: 'has all these tags', filter: 'fits --filter', exclude: 'is left by --exclude' }[by]
    return `none of ${found} scenario${found === 1 ? '' : 's'} ${why}.`
  },
}

export const runProblemText = (problem: RunProblem): string => textOf(runProblems, problem)

const idProblems: Texts<ScenarioIdProblemParams> = {
  not_scenario_id: ({ text }) => `an ID such as login.yaml@1234, as a report names it; got "${text}".`,
  broken_escapes: ({ text }) => `an ID as a report names it; got "${text}", where %-escapes are broken.`,
}

export const scenarioIdProblemText = (problem: ScenarioIdProblem): string => textOf(idProblems, problem)
