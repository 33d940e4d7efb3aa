/** What a program has written; of much, the last part. */
export type Output = {
  add(chunk: Buffer): void
  /** How many characters there were in all. */
  length(): number
  /** What was written after so many characters, as far as it is kept. */
  since(length: number): string
}

const MOST_CHARACTERS = 64 * 1024

export const createOutput = (): Output => {
  let kept = ''
  let length = 0
  const decoder = new TextDecoder()
  return {
    add: (chunk) => {
      const text = decoder.decode(chunk, { stream: true })
      length += text.length
      kept = (kept + text).slice(-MOST_CHARACTERS)
    },
    length: () => length,
    since: (from) => kept.slice(Math.max(0, kept.length - (length - from))),
  }
}
