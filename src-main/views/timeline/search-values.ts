import { MESSAGE_STATES, type MessageState } from '../../core/protocol/message-state.ts'

/** The ready-made searches: each is a word of the search, so that it stands in the address like any other. */
export const CHIPS = ['is:failed', 'is:refused', 'is:faulted', 'is:mine'] as const

export type Chip = (typeof CHIPS)[number]

/** `failedWord`: what the page calls it. */
export const stateCalled = (value: string, failedWord: string): MessageState | undefined =>
  ['failed', failedWord.toLowerCase()].includes(value) ? 'fail' : MESSAGE_STATES.find((state) => state === value)

/** The keys that take only certain values. */
const TAKES = {
  is: (value: string) => CHIPS.some((chip) => chip === `is:${value}`),
  state: (value: string, failedWord: string) => stateCalled(value, failedWord) !== undefined,
  /** The beginning of a status or of a code, or a class. */
  status: (value: string) => /^(\d{1,5}|[1-5]xx)$/.test(value),
  after: (value: string) => /^([01]?\d|2[0-3])(:([0-5]\d?)?){0,2}$/.test(value),
} as const satisfies Readonly<Record<string, (value: string, failedWord: string) => boolean>>

export type ClosedKey = keyof typeof TAKES

/** A value that its key does not take, so that nothing can match. */
export type UnknownValue = { readonly key: ClosedKey; readonly term: string }

export const isClosed = (key: string): key is ClosedKey => Object.hasOwn(TAKES, key)

export const takes = (key: string, value: string, failedWord: string): boolean =>
  !isClosed(key) || TAKES[key](value, failedWord)

/** A part of a search, in small letters and without quotes, with the key where one stands before a colon. */
export type Part = { readonly text: string; readonly key: string; readonly value: string }

/** What stands between the parts of a head is pasted with them. A quote that is still open ends with the text. */
const PART = /(?:[a-z]+:)?"[^"]*(?:"|$)|[^\s·]+/gi

export const partsIn = (search: string): readonly string[] => search.replace(/[“”„]/g, '"').match(PART) ?? []

/** Nothing that is written behind it may fall into it. */
export const closeQuote = (part: string): string => part.replace(/^((?:[a-z]+:)?"[^"]*)$/i, '$1"')

export const readPart = (part: string): Part => {
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
