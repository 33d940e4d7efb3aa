import { textOf } from '../../core/protocol/coded.ts'
import { failureWord } from '../../core/protocol/message-state.ts'
import { durationText, offsetText } from './durations.ts'
import { groupText, messageTime, methodText, rowText, VERDICT_MARKS, verdictText } from './said.ts'
import { type SearchContext, termsOf } from './search-terms.ts'
import type { Series } from './series.ts'
import { type Group, isRefused, type Look, type Row } from './timeline.ts'

/** Indexes of the rows of a group that match the filter, and the input from which they were computed. */
export type GroupMatches = {
  /** The group's searchable text; undefined if the whole group is filtered out. */
  readonly about: string | undefined
  readonly of: Series<Row>
  readonly rows: number[]
}

/** Finds the rows that contain every word, in the row itself or in its group's subject. */
export type Filter = (group: Group, before?: GroupMatches) => GroupMatches

/** Undefined for a text without words. */
export const createFilter = (text: string, around: SearchContext): Filter | undefined => {
  if (text.trim() === '') return undefined
  const { words, fitsGroup, fitsRow } = termsOf(text, around)
  const missing = new Map<Look, readonly string[]>()
  const missingIn = (look: Look): readonly string[] => {
    const known = missing.get(look)
    if (known !== undefined) return known
    const text = searchTextOf(look, around.words)
    const lacks = words.filter((word) => !text.includes(word))
    missing.set(look, lacks)
    return lacks
  }
  return (group, before) => {
    const about = fitsGroup(group) ? aboutGroup(group, around) : undefined
    if (about === undefined) return { about, of: group.rows, rows: [] }
    // A group's subject seldom changes, and its rows change only at the end, so earlier matches are reused.
    const same = before !== undefined && before.about === about
    const rows = same ? before.rows : []
    for (const place of same ? group.rows.changedSince(before.of) : places(group.rows)) {
      if (rows.at(-1) === place) rows.pop()
      const row = group.rows.get(place)
      if (row === undefined || !fitsRow(row, group)) continue
      if (missingIn(row.look).every((word) => about.includes(word) || isOnlyIn(row, word, group, around)))
        rows.push(place)
    }
    return { about, of: group.rows, rows }
  }
}

function* places(rows: Series<Row>): Generator<number> {
  for (let place = rows.first; place < rows.end; place++) yield place
}

/** True for a word in the row's own values, which its look lacks: time, duration, count, and faults of the service. */
const isOnlyIn = (row: Row, word: string, { wall }: Group, around: SearchContext): boolean =>
  (/\d/.test(word) && numbersOf(row, wall, around).includes(word)) ||
  (row.struck?.some((name) => saysFault(name, textOf(around.sentences.serviceFaults, { code: name }), word)) ?? false)

const numbersOf = ({ bench, wall, tookUs, seqs }: Row, start: number, { clock }: SearchContext): string =>
  [
    ...[clock(bench), offsetText(wall - start), tookUs === undefined ? '' : durationText(tookUs)],
    seqs.length > 1 ? `×${seqs.length}` : '',
  ].join(' ')

const saysFault = (name: string, sentence: string, word: string): boolean =>
  `${name} ${sentence}`.toLowerCase().includes(word)

const aboutGroup = (group: Group, { rpName, words, clock, sentences }: SearchContext): string => {
  const { message, bench } = group
  const { title, sub } = groupText(group, words)
  const head = [title, sub, clock(bench)]
  if (message === undefined) return head.join(' ').toLowerCase()
  const { struck, told, state, error, verdict, startedBench } = message
  const parts = [
    ...head,
    ...[VERDICT_MARKS[state], verdictText(message), methodText(message, words)],
    ...[messageTime(message, startedBench, words), message.ceremony, message.userId, message.method, message.svcUser],
    ...[message.msgId, rpName(message.rpId), message.algorithm, error, state],
    ...(state === 'fail' ? [words.failedWord, failureSentence(error, sentences)] : []),
    ...(verdict !== undefined || told !== undefined ? [words.why] : []),
    ...(told === undefined ? [] : [words.told[told.made], told.named]),
    ...(message.disagrees === true ? [words.disagree] : []),
    ...(struck?.faults.flatMap((name) => [name, textOf(sentences.faults, { code: name })]) ?? []),
  ]
  return parts.join(' ').toLowerCase()
}

const failureSentence = (error: string | undefined, { failures }: SearchContext['sentences']): string => {
  const word = failureWord(error)
  return Object.hasOwn(failures, word) ? failures[word as keyof typeof failures] : ''
}

/** Searchable text of a row, including the units of its duration. */
export const searchTextOf = (look: Look, words: SearchContext['words']): string => {
  const parts = [
    ...[rowText(look, words), look.method, look.path, look.status, look.code, look.moved, look.after],
    ...[words.lanes[look.from], look.from],
    ...(look.kind === 'exchange' ? ['ms s'] : []),
    ...(isRefused(look) ? [words.refusedAnswer] : []),
  ]
  return parts.join(' ').toLowerCase()
}
