import {
  type Block,
  type BlockReader,
  blockReader,
  createBlock,
  hasRoom,
  sealBlock,
  sizeFor,
  writeRecord,
} from './tape-block.ts'

/** How much a block holds; a record that is longer gets one of its own. */
const BLOCK = 256 * 1024

export type TapeLimits = {
  /** Of records that are kept. */
  readonly count: number
  /** Of memory that is allocated for them. */
  readonly bytes: number
}

/**
 * Records numbered from 1, of which the oldest are forgotten. Each is a kind and a list of texts. They lie in blocks of
 * bytes, since a hundred thousand records as objects would be millions for the garbage collector to follow; and a text
 * that stood at the same place of the record before, or is long and stands near, is not written again: most of a poll is
 * as it was the last time, and memory that is touched for the first time costs more than all the rest of recording.
 */
export type Tape = {
  /** Gives its number. */
  append(kind: string, texts: readonly string[]): number
  /** The number of the first that is kept; one more than the last when none is. */
  first(): number
  last(): number
  kindAt(n: number): string | undefined
  textsAt(n: number): readonly string[] | undefined
  /** False: nothing near it has this in it, so that it need not be read. */
  mayHold(n: number, part: string): boolean
}

export const createTape = (limits: TapeLimits): Tape => {
  const blocks: Block[] = []
  /** What was forgotten last: a tape that is full makes nothing new. */
  let spare: Buffer | undefined
  let first = 1
  let last = 0
  let allocated = 0
  /** Who reads one record mostly reads its neighbours as well. */
  let reader: BlockReader | undefined
  const readerOf = (block: Block): BlockReader => {
    if (reader?.block !== block) reader = blockReader(block)
    return reader
  }

  const blockFor = (texts: readonly string[]): Block => {
    const block = blocks.at(-1)
    if (block !== undefined) {
      if (hasRoom(block, texts)) return block
      sealBlock(block)
    }
    const size = Math.max(BLOCK, sizeFor(texts))
    while (blocks.length > 0 && allocated + size > limits.bytes) forgetBlock()
    const bytes = size === BLOCK && spare !== undefined ? spare : Buffer.allocUnsafeSlow(size)
    if (bytes === spare) spare = undefined
    const made = createBlock(bytes, last + 1)
    allocated += size
    blocks.push(made)
    return made
  }

  const forgetBlock = (): void => {
    const oldest = blocks.shift()
    if (oldest === undefined) return
    first = oldest.first + oldest.kinds.length
    allocated -= oldest.bytes.length
    if (oldest.bytes.length === BLOCK) spare = oldest.bytes
  }

  const forgetFirst = (): void => {
    first++
    const [oldest] = blocks
    if (oldest !== undefined && first >= oldest.first + oldest.kinds.length) forgetBlock()
  }

  const blockAt = (n: number): Block | undefined => (n < first || n > last ? undefined : blockOf(blocks, n))

  return {
    append: (kind, texts) => {
      const block = blockFor(texts)
      writeRecord(block, kind, texts)
      last++
      if (last - first >= limits.count) forgetFirst()
      return last
    },
    first: () => first,
    last: () => last,
    kindAt: (n) => {
      const block = blockAt(n)
      return block?.kinds[n - block.first]
    },
    textsAt: (n) => {
      const block = blockAt(n)
      return block && readerOf(block).record(n - block.first)
    },
    mayHold: (n, part) => {
      const block = blockAt(n)
      return block !== undefined && readerOf(block).holds(part)
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
