import { crc32 } from 'node:zlib'
import type { BlockPart } from '../block-part.ts'

/** A part of a block in its table. */
export type PartRow = {
  readonly before: number
  readonly kinds: string
  readonly counts: string
  readonly texts: Uint8Array
  readonly places: Uint8Array
  /** SQLite does not notice a bit that turned. */
  readonly checksum: number
}

export const rowOf = ({ before, kinds, counts, texts, places }: BlockPart): PartRow => {
  const row = { before, kinds: kinds.join(), counts: counts.join(), texts, places }
  return { ...row, checksum: checksumOf(row) }
}

export const sizeOf = ({ kinds, counts, texts, places }: PartRow): number =>
  kinds.length + counts.length + texts.length + places.length

/** Undefined where something in it is not what was written. */
export const partOf = (row: PartRow, { first, unit }: { readonly first: number; readonly unit: number }) => {
  if (checksumOf(row) !== row.checksum) return undefined
  const { before, texts, places } = row
  const counts = row.counts.split(',').map(Number)
  return { block: first, unit, before, kinds: row.kinds.split(','), counts, texts, places } satisfies BlockPart
}

const checksumOf = ({ before, kinds, counts, texts, places }: Omit<PartRow, 'checksum'>): number =>
  crc32(places, crc32(texts, crc32(`${before};${kinds};${counts}`)))
