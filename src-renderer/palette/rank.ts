import { type Match, startsWord } from './fuzzy.ts'

/** A query, split into words once for all sources. */
export type Query = { readonly text: string; readonly words: readonly string[] }

export const parseQuery = (typed: string): Query => {
  const text = typed.trim().toLowerCase()
  return { text, words: text.split(/\s+/).filter(Boolean) }
}

/** In lower case. */
export type Searchable = {
  readonly title: string
  /** Identifiers; a match of the whole or of the beginning ranks first. */
  readonly ids: readonly string[]
  /** Additional search words. */
  readonly also: string
}

export const toSearchable = (title: string, ids: readonly string[] = [], also = ''): Searchable => ({
  title: title.toLowerCase(),
  ids: ids.map((id) => id.toLowerCase()),
  also: also.toLowerCase(),
})

/** Scores for identifiers, far above every score for words. */
const WHOLE_ID = 10_000
const ID_BEGINS = 5_000

/** Scores on the scale of `fuzzy`, for consecutive characters of a word. */
const CHARACTER = 8
const WORD_START = 6
const LATE = -0.05
/** Weight of a match outside the title. */
const ELSEWHERE = 0.5
/** Added if `also` begins with the query, because it begins with a name. */
const NAME_BEGINS = 0.25

/** Matches if the texts contain every word of the query, or if the query begins an identifier. */
export const rankMatch = ({ text, words }: Query, { title, ids, also }: Searchable): Match | undefined => {
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

/** Index of the first title word that begins with `word`, otherwise of any occurrence. */
const findWord = (title: string, word: string): number | undefined => {
  const first = title.indexOf(word)
  if (first < 0) return undefined
  for (let at = first; at >= 0; at = title.indexOf(word, at + 1)) if (startsWord(title, at)) return at
  return first
}
