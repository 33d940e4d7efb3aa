import {
  CHECK_VERDICTS,
  type CheckedCase,
  type CheckReport,
  type CheckVerdict,
  isHandsetPage,
  isUnexpected,
  sourceQuote,
} from '../../core/contract/check-report.ts'
import { fitColumn, type Paint, paintFor, type Terminal, toOneLine } from '../terminal.ts'

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
export const checkText = ({ cases, took_ms }: CheckReport, terminal: Terminal): string => {
  const paint = paintFor(terminal)
  const headings = Map.groupBy(
    cases,
    ({ says }) => `${isHandsetPage(says.page) ? `docs/${says.page}.md` : says.page}, ${says.heading}`,
  )
  const parts = [...headings].flatMap(([heading, own]) => {
    const shown = own.filter((each) =>
      each.verdict !== 'passed' && each.verdict !== 'skipped' ? true : isUnexpected(each),
    )
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
  const last = each.exchanges.at(-1)
  const color = expected !== undefined && !isUnexpected(each) ? 'dim' : COLORS[verdict]
  return [
    `  ${paint[color](verdict.toUpperCase().padEnd(WIDTH))}${name}`,
    ...(text === undefined ? [] : [`${INDENT}${toOneLine(text)}`]),
    ...(isUnexpected(each) ? [paint.dim(`${INDENT}${sourceQuote(says)}`)] : []),
    ...(expected === undefined
      ? []
      : [
          `${INDENT}${isUnexpected(each) ? 'It passes: take it out of the expected failures' : 'Expected'}: ${toOneLine(expected)}`,
        ]),
    ...(isUnexpected(each) && last !== undefined
      ? [
          paint.dim(
            `${INDENT}${fitColumn(`${last.method} ${last.url} → ${last.status === 0 ? (last.problem ?? '') : `HTTP ${last.status} ${toOneLine(last.response_body)}`}`, Math.max(60, width - WIDTH - 3)).trimEnd()}`,
          ),
        ]
      : []),
    ...(isUnexpected(each) ? [paint.dim(`${INDENT}${again}`)] : []),
  ]
}
