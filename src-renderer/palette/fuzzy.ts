export type Match = { readonly score: number; readonly at: readonly number[] }

const WORD_START = 6
const NEXT_TO = 7
const GAP = -0.2
const LATE = -0.05

/**
 * Matches all characters of the query in order, anywhere in the text. Characters that begin words or follow each other
 * score higher. Spaces in the query are ignored: `si push` finds `Sign in by a push`.
 */
export const fuzzyMatch = (query: string, text: string): Match | undefined => {
  const wanted = [...query.toLowerCase()].filter((char) => char !== ' ')
  const chars = [...text.toLowerCase()]
  if (wanted.length === 0) return { score: 0, at: [] }
  if (wanted.length > chars.length) return undefined
  // best[j]: the best way to place the query so far with its last character at j.
  let best: (Match | undefined)[] = []
  for (const [i, char] of wanted.entries()) {
    const before = i === 0 ? undefined : best
    best = chars.map((each, j) => (each === char ? place(chars, j, before) : undefined))
  }
  return best.reduce((a, b) => (b !== undefined && (a === undefined || b.score > a.score) ? b : a), undefined)
}

/** `before`: the best places of the characters before; undefined for the first one. */
const place = (chars: readonly string[], j: number, before?: readonly (Match | undefined)[]): Match | undefined => {
  const here = 1 + (startsWord(chars, j) ? WORD_START : 0)
  if (before === undefined) return { score: here + LATE * j, at: [j] }
  let found: Match | undefined
  for (let k = 0; k < j; k++) {
    const earlier = before[k]
    if (earlier === undefined) continue
    const score = earlier.score + here + (k === j - 1 ? NEXT_TO : GAP * (j - k))
    if (found === undefined || score > found.score) found = { score, at: [...earlier.at, j] }
  }
  return found
}

export const startsWord = (text: ArrayLike<string>, at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')
