import type { TimelineWords } from '../../core/messages/en/timeline-words.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { MESSAGE_STATES, type MessageState } from '../../core/protocol/message-state.ts'
import { type Group, isRefused, type Row } from './timeline.ts'

/** Number of ceremonies and groups of calls that match each chip. */
export type ChipCounts = Readonly<Record<Chip, number>>

export const chipCounts = (count: (chip: Chip) => number): ChipCounts =>
  Object.fromEntries(CHIPS.map((chip) => [chip, count(chip)])) as ChipCounts

/** Search input other than events: the texts and names of the page or report. */
export type SearchContext = {
  readonly rpName: (id: string) => string
  /** The name (`asked_by`) under which this page calls the simulator. */
  readonly page: () => string
  readonly words: TimelineWords
  readonly sentences: Pick<Messages, 'failures' | 'faults' | 'serviceFaults'>
  /** Formats a time as 11:36:33, in the reader's time zone. */
  readonly clock: (time: number) => string
}

export type Terms = {
  /** Words that may occur in any text. */
  readonly words: readonly string[]
  readonly fitsGroup: (group: Group) => boolean
  readonly fitsRow: (row: Row, group: Group) => boolean
}

type Test = (value: string, around: SearchContext) => Pick<Partial<Terms>, 'fitsGroup' | 'fitsRow'>

const aboutMessage =
  (fits: (message: NonNullable<Group['message']>) => boolean): Terms['fitsGroup'] =>
  ({ message }) =>
    message !== undefined && fits(message)

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part)

/** Predefined searches. Each is a search term, so that the address contains it like any other term. */
export const CHIPS = ['is:failed', 'is:refused', 'is:faulted', 'is:mine'] as const

export type Chip = (typeof CHIPS)[number]

/** `failedWord`: the page's word for a failure. */
const stateCalled = (value: string, failedWord: string): MessageState | undefined =>
  ['failed', failedWord.toLowerCase()].includes(value) ? 'fail' : MESSAGE_STATES.find((state) => state === value)

const TAKES = {
  is: (value: string) => CHIPS.some((chip) => chip === `is:${value}`),
  state: (value: string, failedWord: string) => stateCalled(value, failedWord) !== undefined,
  /** The start of an HTTP status or a code, or a class of statuses. */
  status: (value: string) => /^(\d{1,5}|[1-5]xx)$/.test(value),
  after: (value: string) => /^([01]?\d|2[0-3])(:([0-5]\d?)?){0,2}$/.test(value),
} as const satisfies Readonly<Record<string, (value: string, failedWord: string) => boolean>>

type ClosedKey = keyof typeof TAKES

/** A value that its key does not accept, so nothing can match. */
export type UnknownValue = { readonly key: ClosedKey; readonly term: string }

const isClosed = (key: string): key is ClosedKey => Object.hasOwn(TAKES, key)

const takes = (key: string, value: string, failedWord: string): boolean =>
  !isClosed(key) || TAKES[key](value, failedWord)

/** A part of a search, in lower case and without quotes, with the key before its colon, if any. */
type Part = { readonly text: string; readonly key: string; readonly value: string }

/** Ignores separators that were pasted from a group's head. An open quote ends at the end of the text. */
const PART = /(?:[a-z]+:)?"[^"]*(?:"|$)|[^\s·]+/gi

const partsIn = (search: string): readonly string[] => search.replace(/[“”„]/g, '"').match(PART) ?? []

/** Closes an open quote, because text added after it must not become part of it. */
const closeQuote = (part: string): string => part.replace(/^((?:[a-z]+:)?"[^"]*)$/i, '$1"')

const readPart = (part: string): Part => {
  const text = part
    .toLowerCase()
    .replace(/^([a-z]+:)?"([^"]*)"?$/, '$1$2')
    .trim()
  const [, key = '', value = ''] = /^([a-z]+):(.*)$/.exec(text) ?? []
  return { text, key, value }
}

export const unknownValueIn = (search: string, failedWord: string): UnknownValue | undefined => {
  for (const { text: term, key, value } of partsIn(search).map(readPart))
    if (isClosed(key) && !takes(key, value, failedWord)) return { key, term }
  return undefined
}

const FACTS: Readonly<Record<string, Pick<Partial<Terms>, 'fitsGroup' | 'fitsRow'>>> = {
  failed: { fitsGroup: aboutMessage(({ state }) => state === 'fail') },
  refused: { fitsRow: (row, { message }) => isRefused(row) || message?.told?.made === 'refused' },
  faulted: {
    fitsRow: ({ struck }, { message }) =>
      struck !== undefined || message?.struck !== undefined || message?.told !== undefined,
  },
}

const KEYS: Readonly<Record<string, Test>> = {
  is: (value, { page }) =>
    value === 'mine' ? { fitsGroup: aboutMessage(({ askedBy }) => askedBy === page()) } : (FACTS[value] ?? {}),
  rp: (value, { rpName }) => ({
    fitsGroup: aboutMessage(({ rpId }) => rpId === value || contains(rpName(rpId), value)),
  }),
  user: (value) => ({
    fitsGroup: aboutMessage(({ userId, username }) => contains(userId, value) || contains(username, value)),
  }),
  state: (value, { words }) => {
    const wanted = stateCalled(value, words.failedWord)
    return { fitsGroup: aboutMessage(({ state }) => state === wanted) }
  },
  status: (value) => {
    const start = value.replace('xx', '')
    return { fitsRow: ({ status, code }) => [status, code].some((number) => String(number ?? '').startsWith(start)) }
  },
  after: (value, { clock }) => {
    const from = value.replace(/^(?=\d(?::|$))/, '0')
    return { fitsRow: ({ bench }) => clock(bench) >= from }
  },
}

const NOTHING: ReturnType<Test> = { fitsGroup: () => false }

/** Parts without a known key are words, because addresses also contain colons. */
const testOf = ({ key, value }: Part, around: SearchContext): ReturnType<Test> | undefined => {
  if (value === '' || !Object.hasOwn(KEYS, key)) return undefined
  if (takes(key, value, around.words.failedWord)) return KEYS[key]?.(value, around)
  return key === 'is' ? undefined : NOTHING
}

export const termsOf = (text: string, around: SearchContext): Terms => {
  const all = partsIn(text).map((part) => {
    const read = readPart(part)
    return { text: read.text, test: testOf(read, around) }
  })
  const tests = all.flatMap(({ test }) => (test === undefined ? [] : [test]))
  return {
    words: all.flatMap(({ text, test }) => (test === undefined && text !== '' ? [text] : [])),
    fitsGroup: (group) => tests.every(({ fitsGroup }) => fitsGroup?.(group) ?? true),
    fitsRow: (row, group) => tests.every(({ fitsRow }) => fitsRow?.(row, group) ?? true),
  }
}

export const hasChip = (text: string, chip: Chip): boolean => partsIn(text.toLowerCase()).includes(chip)

export const toggleChip = (text: string, chip: Chip): string => {
  const parts = partsIn(text)
  const rest = parts.filter((part) => part.toLowerCase() !== chip)
  return (rest.length === parts.length ? [...parts.map(closeQuote), chip] : rest).join(' ')
}
