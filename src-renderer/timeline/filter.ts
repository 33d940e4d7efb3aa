import { wordOf } from '../../src-main/contract/judge/failure-words.ts'
import type { Look } from '../../src-main/timeline/look.ts'
import type { Series } from '../../src-main/timeline/series.ts'
import { type Group, isRefused, type Row } from '../../src-main/timeline/timeline.ts'
import { groupTitle, methodWord, timeTaken, verdictMark, verdictWord, wordsOf } from '../bench/words.ts'
import { hourMinuteSecond, offset, took } from '../ui/format.ts'
import { faultText, messages, serviceFaultText } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import { type Surroundings, termsOf } from './search-terms.ts'

/** Which rows of a group the filter leaves, by their places, and what that was worked out from. */
export type Matches = {
  /** Undefined: none of it is wanted. */
  readonly about: string | undefined
  readonly of: Series<Row>
  readonly rows: number[]
}

/** Finds the rows in which every word stands somewhere: in the row itself, or in what its group is about. */
export type Filter = (group: Group, before?: Matches) => Matches

/** No filter when there is no word in it. */
export const createFilter = (text: string, around: Surroundings): Filter | undefined => {
  if (text.trim() === '') return undefined
  const { words, fitsGroup, fitsRow } = termsOf(text, around)
  const missing = new Map<Look, readonly string[]>()
  const missingIn = (look: Look): readonly string[] => {
    const known = missing.get(look)
    if (known !== undefined) return known
    const said = aboutLook(look)
    const lacks = words.filter((word) => !said.includes(word))
    missing.set(look, lacks)
    return lacks
  }
  return (group, before) => {
    const about = fitsGroup(group) ? aboutGroup(group, around.rpName) : undefined
    if (about === undefined) return { about, of: group.rows, rows: [] }
    // What a group is about seldom changes, its rows only at their end.
    const same = before !== undefined && before.about === about
    const rows = same ? before.rows : []
    for (const place of same ? group.rows.changedSince(before.of) : places(group.rows)) {
      if (rows.at(-1) === place) rows.pop()
      const row = group.rows.get(place)
      if (row === undefined || !fitsRow(row, group)) continue
      if (missingIn(row.look).every((word) => about.includes(word) || isOnlyIn(row, word, group))) rows.push(place)
    }
    return { about, of: group.rows, rows }
  }
}

function* places(rows: Series<Row>): Generator<number> {
  for (let place = rows.first; place < rows.end; place++) yield place
}

/** What its look does not say: when it was and how long it took, how often, and which fault of the service struck it. */
const isOnlyIn = (row: Row, word: string, { wall }: Group): boolean =>
  (/\d/.test(word) && numbersOf(row, wall).includes(word)) ||
  (row.struck?.some((name) => saysFault(name, serviceFaultText(name), word)) ?? false)

const numbersOf = ({ bench, wall, tookUs, seqs }: Row, start: number): string =>
  [
    ...[hourMinuteSecond(bench), offset(wall - start), tookUs === undefined ? '' : took(tookUs)],
    seqs.length > 1 ? texts.timeline.folded(seqs.length) : '',
  ].join(' ')

const saysFault = (name: string, sentence: string, word: string): boolean =>
  `${name} ${sentence}`.toLowerCase().includes(word)

const aboutGroup = (group: Group, rpName: Surroundings['rpName']): string => {
  const { message, bench } = group
  const { title, sub } = groupTitle(group)
  const head = [title, sub, hourMinuteSecond(bench)]
  if (message === undefined) return head.join(' ').toLowerCase()
  const { struck, told, state, error, verdict } = message
  const { states, timeline } = texts
  const parts = [
    ...head,
    ...[verdictMark[state], verdictWord(message), methodWord(message), timeTaken(message, message.startedBench)],
    ...[message.ceremony, message.userId, message.method, message.svcUser, message.msgId],
    ...[rpName(message.rpId), message.algorithm, error, state, states[state]],
    ...(state === 'fail' ? [timeline.failedWord, failureSentence(error)] : []),
    ...(verdict !== undefined || told !== undefined ? [timeline.why] : []),
    ...(told === undefined ? [] : [timeline.told[told.makes], told.names]),
    ...(message.disagrees === true ? [timeline.disagree] : []),
    ...(struck?.faults.flatMap((name) => [name, faultText(name)]) ?? []),
  ]
  return parts.join(' ').toLowerCase()
}

const failureSentence = (error: string | undefined): string => {
  const word = wordOf(error)
  return Object.hasOwn(messages.failures, word) ? messages.failures[word as keyof typeof messages.failures] : ''
}

/** Units of what a row took stand beside its numbers. */
export const aboutLook = (look: Look): string => {
  const { states, timeline } = texts
  const parts = [
    ...[wordsOf(look), look.method, look.path, look.status, look.code, look.moved, look.after],
    ...[look.moved && states[look.moved], timeline.lanes[look.from], look.from],
    ...(look.kind === 'exchange' ? ['ms s'] : []),
    ...(isRefused(look) ? [timeline.refusedAnswer] : []),
  ]
  return parts.join(' ').toLowerCase()
}
