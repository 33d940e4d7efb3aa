/** The most similar known word, if it is similar enough to be a typo. */
export const findNearest = (word: string, known: readonly string[]): string | undefined => {
  const [best] = known.map((name) => ({ name, distance: distance(word, name) })).sort((a, b) => a.distance - b.distance)
  if (best === undefined) return undefined
  const { name, distance: slips } = best
  const most = Math.max(2, Math.floor(name.length / 3))
  return slips <= most && slips < Math.min(name.length, word.length) ? name : undefined
}

/** The end of a sentence about an unknown word. */
export const didYouMean = (word: string, known: readonly string[]): string => {
  const near = findNearest(word, known)
  return near === undefined ? '' : ` Did you mean ${near}?`
}

/** Levenshtein distance. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
