import { join } from 'node:path'
import { DIFFERENCE_KINDS, type Difference, type ParityReport } from '../../core/contract/parity-report.ts'
import { type Paint, paintFor, type Terminal, toOneLine } from '../terminal.ts'

const hasAny = (settings: object): boolean => Object.keys(settings).length > 0

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** First the differences that a setting would remove, grouped by setting; then the rest. */
export const parityText = (report: ParityReport, folder: string, terminal: Terminal): string => {
  const paint = paintFor(terminal)
  const { differences, compared, left_out, base_url } = report
  const left = differences.filter(({ removed_by }) => removed_by === undefined)
  const bySetting = Map.groupBy(
    differences.filter(({ removed_by }) => removed_by !== undefined),
    ({ removed_by = '' }) => removed_by,
  )
  const parts = [...bySetting].flatMap(([setting, own]) => [
    `${paint.green('removed by')} ${paint.bold(setting)}`,
    ...linesOf(own, paint),
    '',
  ])
  const kept = left.length === 0 ? [] : [paint.red('removed by no setting'), ...linesOf(left, paint), '']
  const files = [
    ...(hasAny(report.profile) ? [join(folder, 'profile.json')] : []),
    ...(hasAny(report.conditions) ? [join(folder, 'conditions.json')] : []),
  ]
  const near = left.length === 0 ? 'answers like' : 'comes as near as its settings let it to'
  return [
    ...parts,
    ...kept,
    `${counted(differences.length, 'difference')} in ${counted(compared, 'case')}, ${differences.length - left.length} removed by settings` +
      (left_out === 0 ? '' : paint.dim(`; ${counted(left_out, 'case')} not compared`)),
    ...(files.length === 0 ? [] : [`With ${files.join(' and ')} the bench ${near} ${base_url}.`]),
  ].join('\n')
}

const MAX_NAMED = 3

const named = (all: readonly string[]): string =>
  all.length > MAX_NAMED ? `${all.slice(0, MAX_NAMED).join(', ')} and ${all.length - MAX_NAMED} more` : all.join(', ')

/** A difference in several places is one entry; sentences are only counted, since each service has different ones. */
const linesOf = (differences: readonly Difference[], paint: Paint): readonly string[] => {
  const sorted = differences.toSorted((a, b) => DIFFERENCE_KINDS.indexOf(a.kind) - DIFFERENCE_KINDS.indexOf(b.kind))
  const words = sorted.filter(({ kind }) => kind === 'words')
  const entries = Map.groupBy(
    sorted.filter(({ kind }) => kind !== 'words'),
    ({ kind, field, theirs, ours }) => JSON.stringify([kind, field, theirs, ours]),
  )
  return [
    ...[...entries.values()].flatMap((own) => entryOf(own, paint)),
    ...(words.length === 0
      ? []
      : [`  words   of ${counted(words.length, 'sentence')}: ${named(words.map(({ where }) => where))}`]),
  ]
}

const entryOf = (own: readonly Difference[], paint: Paint): readonly string[] => {
  const [first] = own
  if (first === undefined) return []
  const { kind, field, theirs, ours } = first
  const places = own.map(({ where }) => where).filter((where) => where !== '')
  const cases = [...new Set(own.flatMap((each) => each.cases))]
  return [
    `  ${kind.padEnd(7)} ${toOneLine([field === kind ? '' : field, named(places)].filter((part) => part !== '').join(', '))}`,
    `          theirs ${toOneLine(theirs)}`,
    `          ours   ${toOneLine(ours)}`,
    ...(cases.length === 0
      ? []
      : [paint.dim(`          ${cases.length === 1 ? cases[0] : `${cases.length} cases, such as ${cases[0]}`}`)]),
  ]
}
