import type { Block, BlockEnds, ReadableBlock } from './tape-block.ts'

/** What was written to a block in one stretch. All parts of a block, in their order, are the block. */
export type BlockPart = {
  /** The number of the block's first record. */
  readonly block: number
  readonly unit: number
  /** How many records the block has before this part. */
  readonly before: number
  readonly kinds: readonly string[]
  /** How many texts each record has. */
  readonly counts: readonly number[]
  /** The bytes between the ends of the block before and after. */
  readonly texts: Uint8Array
  readonly places: Uint8Array
}

export const endsOf = ({ kinds, textsEnd, placesStart }: Block): BlockEnds => ({
  records: kinds.length,
  textsEnd,
  placesStart,
})

/** What is not stored yet. Its bytes are the block's own: they stay as they are until the block is forgotten. */
export const unstoredPart = (block: Block): BlockPart => {
  const { first, unit, bytes, places, kinds, starts, stored } = block
  const added = starts.slice(stored.records)
  return {
    block: first,
    unit,
    before: stored.records,
    kinds: kinds.slice(stored.records),
    counts: added.map((start, i) => (i === 0 ? stored.placesStart : (added[i - 1] ?? 0)) - start),
    texts: bytes.subarray(stored.textsEnd, block.textsEnd),
    places: bytesOf(places.subarray(block.placesStart, stored.placesStart)),
  }
}

/** The block again; undefined when a part is missing or holds something else. */
export const joinParts = (parts: readonly BlockPart[]): ReadableBlock | undefined => {
  const [begin] = parts
  if (begin === undefined) return undefined
  const kinds: string[] = []
  const starts: number[] = []
  const sizes = parts.reduce((sum, { places }) => sum + places.byteLength, 0)
  const places = new Uint16Array(sizes / Uint16Array.BYTES_PER_ELEMENT)
  let start = places.length
  for (const part of parts) {
    if (part.before !== kinds.length || part.kinds.length !== part.counts.length) return undefined
    kinds.push(...part.kinds)
    for (const count of part.counts) {
      start -= count
      starts.push(start)
    }
    if (start < 0) return undefined
    bytesOf(places).set(part.places, start * Uint16Array.BYTES_PER_ELEMENT)
  }
  if (start !== 0) return undefined
  const bytes = Buffer.concat(parts.map(({ texts }) => texts))
  return { first: begin.block, bytes, places, unit: begin.unit, kinds, starts, textsEnd: bytes.length }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
