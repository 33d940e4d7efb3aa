import type { Messages } from '../messages/messages.ts'
import type { TimelineWords } from '../messages/timeline-words.ts'
import { type Group, isRefused, type Row } from './timeline.ts'

/** The ready-made searches: each is a word of the search, so that it stands in the address like any other. */
export const CHIPS = ['is:failed', 'is:refused', 'is:faulted', 'is:mine'] as const

export type Chip = (typeof CHIPS)[number]

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
  refused: { fitsRow: isRefused },
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
  state: (value) => ({ fitsGroup: aboutMessage(({ state }) => state === value) }),
  status: (value) => ({
    fitsRow: ({ status, code }) => [status, code].some((number) => String(number ?? '').startsWith(value)),
  }),
  after: (value, { clock }) => {
    const from = value.replace(/^(?=\d(?::|$))/, '0')
    return { fitsRow: ({ bench }) => clock(bench) >= from }
  },
}

/** A term with a key that means nothing is a word like any other: addresses have colons, too. */
const isTerm = (word: string): boolean => {
  const [, key = '', value = ''] = /^([a-z]+):(.+)$/.exec(word) ?? []
  return Object.hasOwn(KEYS, key) && (key !== 'is' || CHIPS.some((chip) => chip === word)) && value !== ''
}

export const termsOf = (text: string, around: Surroundings): Terms => {
  // What stands between the parts of a head is pasted with them.
  const all = text
    .toLowerCase()
    .split(/[\s·]+/)
    .filter(Boolean)
  const tests = all.filter(isTerm).map((word) => {
    const colon = word.indexOf(':')
    return KEYS[word.slice(0, colon)]?.(word.slice(colon + 1), around) ?? {}
  })
  return {
    words: all.filter((word) => !isTerm(word)),
    fitsGroup: (group) => tests.every(({ fitsGroup }) => fitsGroup?.(group) ?? true),
    fitsRow: (row, group) => tests.every(({ fitsRow }) => fitsRow?.(row, group) ?? true),
  }
}

export const hasChip = (text: string, chip: Chip): boolean => text.toLowerCase().split(/\s+/).includes(chip)

/** The search with the chip in it, or without it. */
export const toggleChip = (text: string, chip: Chip): string => {
  const words = text.split(/\s+/).filter(Boolean)
  const rest = words.filter((word) => word.toLowerCase() !== chip)
  return (rest.length === words.length ? [...words, chip] : rest).join(' ')
}
