import type { Match } from './fuzzy.ts'

/** A query, split once for everything that it searches. */
export type Query = { readonly text: string; readonly words: readonly string[] }

export const parseQuery = (typed: string): Query => {
  const text = typed.trim().toLowerCase()
  return { text, words: text.split(/\s+/).filter(Boolean) }
}

/** The texts that a search looks through, in small letters. */
export type Searchable = {
  readonly title: string
  /** Found whole or by their beginning, before all else. */
  readonly ids: readonly string[]
  /** Other words to find it by. */
  readonly also: string
}

export const searchable = (title: string, ids: readonly string[] = [], also = ''): Searchable => ({
  title: title.toLowerCase(),
  ids: ids.map((id) => id.toLowerCase()),
  also: also.toLowerCase(),
})

/** Nothing that is found in words comes near these. */
const WHOLE_ID = 10_000
const ID_BEGINS = 5_000

/** On the scale of `fuzzy`, where the characters of a word follow each other. */
const CHARACTER = 8
const WORD_START = 6
const LATE = -0.05
/** A match in other words ranks below a match in a title. */
const ELSEWHERE = 0.5
/** The first of the other words is a name. */
const NAME_BEGINS = 0.25

/** Every word of the query is in it, or the query begins one of its identifiers. */
export const rank = ({ text, words }: Query, { title, ids, also }: Searchable): Match | undefined => {
  if (words.length === 0) return undefined
  let score = 0
  let inTitle = true
  const at: number[] = []
  for (const word of words) {
    const start = findWord(title, word)
    if (start === undefined) {
      if (!also.includes(word) && !ids.some((id) => id.includes(word))) return undefined
      inTitle = false
      continue
    }
    score += CHARACTER * word.length - 1 + (startsWord(title, start) ? 0 : -WORD_START) + LATE * start
    const before = [...title.slice(0, start)].length
    for (const i of [...word].keys()) at.push(before + i)
  }
  const byId = ids.includes(text) ? WHOLE_ID : ids.some((id) => id.startsWith(text)) ? ID_BEGINS : 0
  const elsewhere = ELSEWHERE + (also.startsWith(text) ? NAME_BEGINS : 0)
  return { score: byId + (inTitle ? score : elsewhere), at }
}

/** The place of a word that begins with it, else any place. */
const findWord = (title: string, word: string): number | undefined => {
  const first = title.indexOf(word)
  if (first < 0) return undefined
  for (let at = first; at >= 0; at = title.indexOf(word, at + 1)) if (startsWord(title, at)) return at
  return first
}

export const startsWord = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')
