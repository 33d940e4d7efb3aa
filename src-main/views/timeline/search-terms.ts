import type { Messages } from '../../core/messages/messages.ts'
import type { TimelineWords } from '../../core/messages/timeline-words.ts'
import { type Chip, closeQuote, type Part, partsIn, readPart, stateCalled, takes } from './search-values.ts'
import { type Group, isRefused, type Row } from './timeline.ts'

/** How many ceremonies and groups of calls each of them would leave. */
export type ChipCounts = Readonly<Record<Chip, number>>

export const chipCounts = (count: (chip: Chip) => number): ChipCounts => ({
  'is:failed': count('is:failed'),
  'is:refused': count('is:refused'),
  'is:faulted': count('is:faulted'),
  'is:mine': count('is:mine'),
})

/** What is known to a search besides what stands in events: the words of its reader. */
export type Surroundings = {
  /** The name of an RP by its id. */
  readonly rpName: (id: string) => string
  /** What the page calls itself that searches. */
  readonly page: () => string
  readonly words: TimelineWords
  readonly sentences: Pick<Messages, 'failures' | 'faults' | 'serviceFaults'>
  /** 11:36:33, where the reader is. */
  readonly clock: (time: number) => string
}

export type Terms = {
  /** Words that stand anywhere. */
  readonly words: readonly string[]
  readonly fitsGroup: (group: Group) => boolean
  readonly fitsRow: (row: Row, group: Group) => boolean
}

type Test = (value: string, around: Surroundings) => Pick<Partial<Terms>, 'fitsGroup' | 'fitsRow'>

const aboutMessage =
  (fits: (message: NonNullable<Group['message']>) => boolean): Terms['fitsGroup'] =>
  ({ message }) =>
    message !== undefined && fits(message)

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part)

const FACTS: Readonly<Record<string, Pick<Partial<Terms>, 'fitsGroup' | 'fitsRow'>>> = {
  failed: { fitsGroup: aboutMessage(({ state }) => state === 'fail') },
  refused: { fitsRow: (row, { message }) => isRefused(row) || message?.told?.makes === 'refused' },
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

/** A part with a key that means nothing is a word like any other: addresses have colons, too. */
const testOf = ({ key, value }: Part, around: Surroundings): ReturnType<Test> | undefined => {
  if (value === '' || !Object.hasOwn(KEYS, key)) return undefined
  if (takes(key, value, around.words.failedWord)) return KEYS[key]?.(value, around)
  return key === 'is' ? undefined : NOTHING
}

export const termsOf = (text: string, around: Surroundings): Terms => {
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

/** The search with the chip in it, or without it. */
export const toggleChip = (text: string, chip: Chip): string => {
  const parts = partsIn(text)
  const rest = parts.filter((part) => part.toLowerCase() !== chip)
  return (rest.length === parts.length ? [...parts.map(closeQuote), chip] : rest).join(' ')
}
