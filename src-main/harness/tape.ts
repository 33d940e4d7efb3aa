/** How much a block holds; what is longer gets one of its own. */
const BLOCK = 256 * 1024
const LONG = 4 * 1024

export type TapeLimits = {
  /** Of texts that are kept. */
  readonly count: number
  /** Of their UTF-8. What is allocated is at most a twentieth and two blocks more. */
  readonly bytes: number
}

/**
 * Texts numbered from 1, of which the oldest are forgotten. They lie one behind the other in blocks of bytes: a
 * hundred thousand events as objects would be millions for the garbage collector to follow.
 */
export type Tape = {
  /** Gives its number. */
  append(kind: string, text: string): number
  /** The number of the first that is kept; one more than the last when none is. */
  first(): number
  last(): number
  kindAt(n: number): string | undefined
  textAt(n: number): string | undefined
}

type Block = {
  readonly first: number
  readonly bytes: Buffer
  /** Where each text ends; it begins where the one before it ends. */
  readonly ends: number[]
  readonly kinds: string[]
}

export const createTape = (limits: TapeLimits): Tape => {
  const blocks: Block[] = []
  /** What was forgotten last: a tape that is full makes nothing new. */
  let spare: Buffer | undefined
  let first = 1
  let last = 0
  let kept = 0

  const blockFor = (room: number): Block => {
    const block = blocks.at(-1)
    if (block !== undefined && (block.ends.at(-1) ?? 0) + room <= block.bytes.length) return block
    const made: Block = {
      first: last + 1,
      bytes: spare !== undefined && room <= BLOCK ? spare : Buffer.allocUnsafeSlow(Math.max(room, BLOCK)),
      ends: [],
      kinds: [],
    }
    if (made.bytes === spare) spare = undefined
    blocks.push(made)
    return made
  }

  const tooMuch = (): boolean => last > first && (kept > limits.bytes || last - first >= limits.count)

  const forgetOldest = (): void => {
    const [oldest] = blocks
    if (oldest === undefined) return
    kept -= lengthOf(oldest, first - oldest.first)
    first++
    if (first < oldest.first + oldest.ends.length) return
    blocks.shift()
    if (oldest.bytes.length === BLOCK) spare = oldest.bytes
  }

  return {
    append: (kind, text) => {
      // No unit of UTF-16 takes more than three bytes: long texts alone are worth counting.
      const block = blockFor(text.length < LONG ? text.length * 3 : Buffer.byteLength(text))
      const start = block.ends.at(-1) ?? 0
      const length = block.bytes.write(text, start)
      block.ends.push(start + length)
      block.kinds.push(kind)
      last++
      kept += length
      while (tooMuch()) forgetOldest()
      return last
    },
    first: () => first,
    last: () => last,
    kindAt: (n) => {
      const block = n < first ? undefined : blockOf(blocks, n)
      return block?.kinds[n - block.first]
    },
    textAt: (n) => {
      const block = n < first || n > last ? undefined : blockOf(blocks, n)
      if (block === undefined) return undefined
      const i = n - block.first
      return block.bytes.toString('utf8', block.ends[i - 1] ?? 0, block.ends[i])
    },
  }
}

/** The last block that begins at or before n. */
const blockOf = (blocks: readonly Block[], n: number): Block | undefined => {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((blocks[middle]?.first ?? 0) <= n) low = middle + 1
    else high = middle
  }
  return blocks[low - 1]
}

const lengthOf = ({ ends }: Block, i: number): number => (ends[i] ?? 0) - (ends[i - 1] ?? 0)
