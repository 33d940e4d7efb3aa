import { monotonicMicros, realClock } from '../../bench/harness/clock.ts'
import { createRandom } from '../../bench/harness/random.ts'
import {
  CHECK_VERDICTS,
  type CheckedCase,
  type CheckReport,
  type CheckVerdict,
  isHandsetPage,
  isUnexpected,
  sourceQuote,
} from '../../core/contract/check-report.ts'
import type { FileProblem } from '../../core/contract/scenario/file-problems.ts'
import { isObject } from '../../core/protocol/json.ts'
import { didYouMean } from '../../core/protocol/nearest.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { PlayedCase, PlayOptions } from '../../testing/check/play-cases.ts'
import { type ReportableCase, reportedCase } from '../../testing/check/told-case.ts'
import { readDocument } from '../../testing/scenario/read-document.ts'
import { checkJunit, checkPage } from '../../views/report/check-reports.ts'
import type { Environment } from '../command.ts'
import { type ExitCode, ifGiven, misuse, needed, notDone } from '../command-end.ts'
import { readOptionFile } from '../in-file.ts'
import { parseChoices } from '../option-values.ts'
import type { Read } from '../read-options.ts'
import { jsonFile, openResultsFolder, writeReports } from '../run/results-folder.ts'
import { fitColumn, type Paint, paintFor, type Terminal, toOneLine } from '../terminal.ts'

export type ParsedCheckOptions = Read<'check'>

type Named = { readonly id: string }
type Plan<C> = { readonly plan: readonly C[]; readonly all: readonly Named[] }

/** The parts of `handset check` that are the same for every kind of server. */
export const parseCheckPlan = <C extends Named>(parsed: ParsedCheckOptions, { plan, all }: Plan<C>) => {
  const { options, named } = parsed
  const ids = all.map(({ id }) => id)
  return {
    cases: namedCases(parsed, { plan, all }),
    expected: ifGiven(options.expected, (file) => readOptionFile(named('expected'), file, readExpected(ids))) ?? {},
    kinds: parseChoices(options.report, { known: ['html', 'junit', 'json'], name: named('report') }),
    ca: ifGiven(options.ca, (file) => readOptionFile(named('ca'), file, ok)),
    parallel: Math.max(1, options.parallel),
  }
}

type Expected = Readonly<Record<string, string>>

/** The cases that may fail, as YAML or JSON: `case-id: reason`. */
const readExpected =
  (known: readonly string[]) =>
  (text: string): Result<Expected, string | FileProblem> => {
    const document = readDocument(text)
    if (!document.ok) return document
    const value = document.value.value ?? {}
    if (!isObject(value)) return err('it must name cases, each with the reason why it fails, as "case-id: reason".')
    for (const [id, reason] of Object.entries(value)) {
      if (!known.includes(id)) return err(`there is no case "${id}".${hint(id, known)}`)
      if (typeof reason !== 'string' || reason.trim() === '') return err(`${id} needs its reason, as a text.`)
    }
    return ok(value as Expected)
  }

const hint = (id: string, known: readonly string[]): string =>
  didYouMean(id, known) || ' npx handset check --list has them.'

const namedCases = <C extends Named>({ options, named }: ParsedCheckOptions, { plan, all }: Plan<C>): readonly C[] => {
  const { case: given } = options
  if (given === undefined) return plan
  const stranger = given.find((id) => !plan.some((each) => each.id === id))
  if (stranger === undefined) return plan.filter(({ id }) => given.includes(id))
  if (all.some(({ id }) => id === stranger)) misuse(`${named('case')}: the profile leaves out "${stranger}".`)
  const ids = plan.map(({ id }) => id)
  return misuse(`${named('case')}: there is no case "${stranger}".${hint(stranger, ids)}`)
}

export const printCases = (cases: readonly ReportableCase[], terminal: Terminal): ExitCode => {
  const lines = cases.map(
    ({ id, says: { page, heading, step } }) =>
      `${id}  (${page}: ${heading}${step === undefined ? '' : `, WebAuthn §${step}`})`,
  )
  terminal.out(lines.join('\n'))
  return 0
}

type Playing<C> = {
  readonly about: Pick<CheckReport, 'base_url' | 'app_url'>
  /** The command to run a case again, without its `--case` option. */
  readonly again: string
  /** True if a person answers and reads instructions; then no progress is shown. */
  readonly isByHand?: boolean
  readonly play: (common: PlayOptions<C>) => Promise<readonly PlayedCase<C>[]>
  /** Writes a file next to the reports. */
  readonly keep?: (report: CheckReport, common: PlayOptions<C>) => Promise<void>
}

/** Plays the cases, prints and writes their report, and returns the exit code. */
export const playAndReport = async <C extends ReportableCase>(
  { cases, expected, kinds, parallel }: ReturnType<typeof parseCheckPlan<C>>,
  { options }: ParsedCheckOptions,
  environment: Environment,
  { about, again, isByHand = false, play, keep }: Playing<C>,
): Promise<ExitCode> => {
  const { terminal, stop } = environment
  const folder = openResultsFolder(options.out)
  if (kinds.length > 0) needed(folder.prepare(), notDone)
  const [began, from] = [realClock.now(), monotonicMicros()]
  let done = 0
  const onResult = ({ case: { name }, finding }: PlayedCase<C>): void => {
    done += 1
    const line = `${done} of ${cases.length}  ${finding.verdict.toUpperCase()}  ${name}`
    if (!isByHand) terminal.status?.(fitColumn(line, terminal.width - 1).trimEnd())
  }
  const random = createRandom().stream('check', 'check', 'check')
  const common = { cases, parallel, random, now: realClock.now, signal: stop, onResult }
  const results = await play(common)
  terminal.status?.('')
  if (stop.aborted) notDone('stopped.')
  const report: CheckReport = {
    ...{ handset: environment.version, ...about, began },
    took_ms: Math.round((monotonicMicros() - from) / 1000),
    cases: results.map((result) => reportedCase(result, { expected, again })),
  }
  const calls = report.cases.flatMap(({ exchanges }) => exchanges)
  if (calls.length > 0 && calls.every(({ status }) => status === 0))
    notDone(`nobody answers at ${report.base_url}: ${calls[0]?.problem}.`)
  terminal.out(options.json === true ? JSON.stringify(report) : checkText(report, terminal))
  const files = {
    html: ['check.html', () => checkPage(report)],
    junit: ['check.xml', () => checkJunit(report)],
    json: ['check.json', () => jsonFile(report)],
  } as const
  needed(writeReports(folder, kinds, files), notDone)
  if (options.json !== true) folder.tell(terminal)
  await keep?.(report, common)
  if (report.cases.some(isUnexpected)) return 1
  if (report.cases.some(({ verdict }) => verdict !== 'skipped')) return 0
  return notDone('nothing could be checked: every case was skipped.')
}

const COLORS: Readonly<Record<CheckVerdict, keyof Paint>> = {
  failed: 'red',
  vacuous: 'red',
  warning: 'yellow',
  review: 'yellow',
  skipped: 'dim',
  passed: 'green',
}

const WIDTH = 9
const INDENT = ' '.repeat(WIDTH + 2)

const counted = (cases: readonly CheckedCase[], paint: Paint): string =>
  CHECK_VERDICTS.toReversed()
    .flatMap((verdict) => {
      const count = cases.filter((each) => each.verdict === verdict).length
      return count === 0 ? [] : [paint[COLORS[verdict]](`${count} ${verdict.toUpperCase()}`)]
    })
    .join(', ')

/** Lists the cases that did not pass, below their paragraph; skipped cases are only counted by reason. */
const checkText = ({ cases, took_ms }: CheckReport, terminal: Terminal): string => {
  const paint = paintFor(terminal)
  const headings = Map.groupBy(
    cases,
    ({ says }) => `${isHandsetPage(says.page) ? `docs/${says.page}.md` : says.page}, ${says.heading}`,
  )
  const parts = [...headings].flatMap(([heading, own]) => {
    const shown = own.filter((each) => isUnexpected(each) || !/^(passed|skipped)$/.test(each.verdict))
    const head = `${paint.bold(heading)}  ${counted(own, paint)}`
    return [head, ...shown.flatMap((each) => linesOf(each, paint, terminal)), '']
  })
  const skipped = Map.groupBy(
    cases.filter(({ verdict }) => verdict === 'skipped'),
    ({ text = '' }) => text,
  )
  const reasons = [...skipped].map(([why, own]) => paint.dim(`${own.length} skipped: ${why}`))
  const total = `${cases.length} ${cases.length === 1 ? 'case' : 'cases'}: ${counted(cases, paint)}`
  return [...parts, ...reasons, `${total} ${paint.dim(`in ${(took_ms / 1000).toFixed(1)} s`)}`].join('\n')
}

const linesOf = (each: CheckedCase, paint: Paint, { width }: Terminal): readonly string[] => {
  const { verdict, name, says, text, expected, again } = each
  const unexpected = isUnexpected(each)
  const color = expected !== undefined && !unexpected ? 'dim' : COLORS[verdict]
  const told = unexpected ? 'It passes: take it out of the expected failures' : 'Expected'
  const calls = each.exchanges.slice(-1).map(({ method, url, status, problem = '', response_body }) => {
    const answer = status === 0 ? problem : `HTTP ${status} ${toOneLine(response_body)}`
    return fitColumn(`${method} ${url} → ${answer}`, Math.max(60, width - WIDTH - 3)).trimEnd()
  })
  const proof = unexpected ? [...calls, again] : []
  return [
    `  ${paint[color](verdict.toUpperCase().padEnd(WIDTH))}${name}`,
    ...(text === undefined ? [] : [`${INDENT}${toOneLine(text)}`]),
    ...(unexpected ? [paint.dim(`${INDENT}${sourceQuote(says)}`)] : []),
    ...(expected === undefined ? [] : [`${INDENT}${told}: ${toOneLine(expected)}`]),
    ...proof.map((line) => paint.dim(`${INDENT}${line}`)),
  ]
}
