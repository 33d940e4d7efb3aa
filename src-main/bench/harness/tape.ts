import {
  type Block,
  type BlockPart,
  type BlockReader,
  blockReader,
  createBlock,
  endsOf,
  hasRoom,
  lastOf,
  sealBlock,
  sizeFor,
  unstoredPart,
  writeRecord,
} from './tape-block.ts'

/** Bytes of a block; a record that is longer gets a separate one. */
const BLOCK = 256 * 1024

export type TapeLimits = {
  /** Of records that are kept. */
  readonly count: number
  /** Of memory that is allocated for them. */
  readonly bytes: number
}

/** Blocks of this tape that are stored elsewhere: those of earlier runs, and what was stored of this one. */
export type StoredBlocks = {
  /** No number above it was given to a record by an earlier run. */
  readonly last: number
  first(): number | undefined
  /** The block that has this record, or the nearest one in this direction. */
  near(n: number, step: Step): BlockReader | undefined
}

export type Step = 1 | -1

/**
 * Records numbered from 1, of which the oldest are forgotten. Each is a kind and a list of texts. They lie in blocks of
 * bytes, since a hundred thousand records as objects would be millions for the garbage collector to follow; and a text
 * that was at the same place of the record before, or is long and nearby, is not written again: most of a poll is as it
 * was the last time, and memory that is touched for the first time costs more than all the rest of recording.
 */
export type Tape = {
  /** Gives its number. */
  append(kind: string, texts: readonly string[]): number
  /** The number of the first that is kept; one more than the last when none is. */
  first(): number
  last(): number
  /** This number if its record is kept, or that of the nearest one in this direction: a run that was killed leaves a gap. */
  near(n: number, step: Step): number | undefined
  kindAt(n: number): string | undefined
  textsAt(n: number): readonly string[] | undefined
  /** False: nothing near it has this in it, so that it need not be read. */
  mayHold(n: number, part: string): boolean
  /** Unstored parts, oldest first, up to so many bytes; the first may be longer. */
  unstored(bytes: number): readonly BlockPart[]
  /** These parts are stored now. */
  markStored(parts: readonly BlockPart[]): void
}

export const createTape = (limits: TapeLimits, stored?: StoredBlocks): Tape => {
  const blocks: Block[] = []
  /** Buffer of the last forgotten block: a full tape allocates none. */
  let spare: Buffer | undefined
  /** In memory. */
  let first = (stored?.last ?? 0) + 1
  let last = first - 1
  let allocated = 0
  /** Readers of one record mostly read its neighbours as well. */
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
    first = lastOf(oldest) + 1
    allocated -= oldest.bytes.length
    if (oldest.bytes.length === BLOCK) spare = oldest.bytes
  }

  const forgetFirst = (): void => {
    first++
    const [oldest] = blocks
    if (oldest !== undefined && first > lastOf(oldest)) forgetBlock()
  }

  const readerAt = (n: number): BlockReader | undefined => {
    if (n > last) return undefined
    const block = n < first ? undefined : blockOf(blocks, n)
    if (block !== undefined) return readerOf(block)
    const kept = stored?.near(n, 1)
    return kept !== undefined && kept.block.first <= n ? kept : undefined
  }

  const near = (n: number, step: Step): number | undefined => {
    if (n >= first && n <= last) return n
    if (n > last && (step === 1 || first <= last)) return step === 1 ? undefined : last
    const block = stored?.near(n, step)?.block
    if (step === -1) return block && Math.min(n, lastOf(block))
    const found = block === undefined ? first : Math.min(first, Math.max(n, block.first))
    return found > last ? undefined : found
  }

  return {
    append: (kind, texts) => {
      const block = blockFor(texts)
      writeRecord(block, kind, texts)
      last++
      if (last - first >= limits.count) forgetFirst()
      return last
    },
    first: () => Math.min(first, stored?.first() ?? first),
    last: () => last,
    near,
    kindAt: (n) => {
      const found = readerAt(n)
      return found?.block.kinds[n - found.block.first]
    },
    textsAt: (n) => {
      const found = readerAt(n)
      return found?.record(n - found.block.first)
    },
    mayHold: (n, part) => readerAt(n)?.holds(part) ?? false,
    unstored: (bytes) => {
      let from = blocks.length
      while (from > 0 && isUnstored(blocks[from - 1])) from--
      const parts: BlockPart[] = []
      for (let size = 0; from < blocks.length && size < bytes; from++) {
        const block = blocks[from]
        if (block === undefined) break
        const part = unstoredPart(block)
        parts.push(part)
        size += part.texts.length
      }
      return parts
    },
    markStored: (parts) => {
      for (const { block: number } of parts) {
        const block = blockOf(blocks, number)
        if (block?.first === number) block.stored = endsOf(block)
      }
    },
  }
}

const isUnstored = (block: Block | undefined): boolean =>
  block !== undefined && block.stored.records < block.kinds.length

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
