/** Records, and where their texts begin. Places are counted in units so large that each fits into two bytes. */
export type ReadableBlock = {
  /** The number of its first record. */
  readonly first: number
  readonly bytes: Buffer
  readonly places: Uint16Array
  /** Bytes to which the beginning of a text is rounded up: what one place counts. */
  readonly unit: number
  readonly kinds: readonly string[]
  /** Where the places of each record begin; they end where those of the record before it begin. */
  readonly starts: readonly number[]
  readonly textsEnd: number
}

/** A piece of memory full of records. Texts grow from its front, and their places from its back. */
export type Block = ReadableBlock & {
  readonly kinds: string[]
  readonly starts: number[]
  /** The free space is between them. */
  textsEnd: number
  placesStart: number
  /** How much of it is stored elsewhere as well. */
  stored: BlockEnds
  /** While it is written to. */
  readonly known: {
    /** By how many texts it has: the latest record and where its places begin. */
    readonly records: Map<number, { texts: readonly string[]; start: number }>
    /** Where the long texts are. */
    readonly texts: Map<string, number>
  }
}

/** Ends of the written parts of a block at some time. */
export type BlockEnds = { readonly records: number; readonly textsEnd: number; readonly placesStart: number }

const PLACE = Uint16Array.BYTES_PER_ELEMENT
const PLACES = 0x1_0000

export const createBlock = (bytes: Buffer, first: number): Block => ({
  first,
  bytes,
  places: new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / PLACE),
  unit: Math.ceil(bytes.length / PLACES),
  kinds: [],
  starts: [],
  textsEnd: 0,
  placesStart: bytes.length / PLACE,
  stored: { records: 0, textsEnd: 0, placesStart: bytes.length / PLACE },
  known: { records: new Map(), texts: new Map() },
})

export const hasRoom = ({ textsEnd, placesStart, unit }: Block, texts: readonly string[]): boolean =>
  textsEnd + roomFor(texts, unit) <= placesStart * PLACE

/** Nothing more will be written to it. */
export const sealBlock = ({ known }: Block): void => {
  known.records.clear()
  known.texts.clear()
}

export const writeRecord = (block: Block, kind: string, texts: readonly string[]): void => {
  const { places, known } = block
  const like = known.records.get(texts.length)
  const start = block.placesStart - texts.length
  let before: string | undefined
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] ?? ''
    // Ids are often repeated directly: who asked, and for whom.
    if (text === before) places[start + i] = places[start + i - 1] ?? 0
    else if (text === like?.texts[i]) places[start + i] = places[like.start + i] ?? 0
    // A whole event in one text is unique: looking it up, and keeping it for that, is useless.
    else if (texts.length === 1) places[start + i] = writeLong(block, text)
    else places[start + i] = text.length > SHORT ? placeOfLong(block, text) : writeShort(block, text)
    before = text
  }
  block.placesStart = start
  block.starts.push(start)
  block.kinds.push(kind)
  if (like === undefined) known.records.set(texts.length, { texts, start })
  else {
    like.texts = texts
    like.start = start
  }
}

export type BlockReader = {
  readonly block: ReadableBlock
  record(index: number): readonly string[]
  holds(part: string): boolean
}

/** The number of its last record. */
export const lastOf = ({ first, kinds }: ReadableBlock): number => first + kinds.length - 1

/** Each text is made a string once, however many records have it. */
export const blockReader = (block: ReadableBlock): BlockReader => {
  const { starts, places, bytes } = block
  const texts = new Map<number, string>()
  const textAt = (place: number): string => {
    const known = texts.get(place)
    if (known !== undefined) return known
    const text = readText(block, place)
    texts.set(place, text)
    return text
  }
  /** By part: up to where it was looked for, and whether it was there. */
  const searched = new Map<string, { readonly end: number; readonly found: boolean }>()
  return {
    block,
    record: (index) => {
      const start = starts[index] ?? 0
      const end = starts[index - 1] ?? places.length
      const record: string[] = []
      for (let i = start; i < end; i++) record.push(textAt(places[i] ?? 0))
      return record
    },
    holds: (part) => {
      // Half of a surrogate pair cannot be looked for among bytes.
      if (!part.isWellFormed()) return true
      const known = searched.get(part)
      if (known?.found || known?.end === block.textsEnd) return known.found
      const found = bytes.subarray(0, block.textsEnd).includes(part)
      searched.set(part, { end: block.textsEnd, found })
      return found
    },
  }
}

/** No unit of UTF-16 takes more than three bytes, so that a short one's length fits into one byte. */
const SHORT = 42
/** Longer ones have four bytes of length, and this bit. */
const LONG_BIT = 0x8000_0000
const LENGTH_BYTES = 4

/** A call of the system's encoder costs more than a few letters. */
const writeShort = (block: Block, text: string): number => {
  const { bytes } = block
  const begin = nextBegin(block)
  let end = begin + 1
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i)
    if (letter > 0x7f) {
      end = begin + 1 + bytes.write(text, begin + 1)
      break
    }
    bytes[end++] = letter
  }
  bytes[begin] = end - begin - 1
  block.textsEnd = end
  return begin / block.unit
}

/** Written once in a block, since polls of several users alternate. */
const placeOfLong = (block: Block, text: string): number => {
  const { texts } = block.known
  const known = texts.get(text)
  if (known !== undefined) return known
  const place = writeLong(block, text)
  texts.set(text, place)
  return place
}

const writeLong = (block: Block, text: string): number => {
  const { bytes, unit } = block
  const begin = nextBegin(block)
  const length = bytes.write(text, begin + LENGTH_BYTES)
  bytes.writeUInt32BE(LONG_BIT + length, begin)
  block.textsEnd = begin + LENGTH_BYTES + length
  return begin / unit
}

const nextBegin = ({ textsEnd, unit }: Block): number => Math.ceil(textsEnd / unit) * unit

const readText = ({ bytes, unit }: ReadableBlock, place: number): string => {
  const begin = place * unit
  const length = bytes[begin] ?? 0
  if (length < 0x80) return bytes.toString('utf8', begin + 1, begin + 1 + length)
  const start = begin + LENGTH_BYTES
  return bytes.toString('utf8', start, start + bytes.readUInt32BE(begin) - LONG_BIT)
}

/** Above this, a text is worth being counted. */
const WORTH_COUNTING = 4 * 1024

/** Most bytes of a record, with none of its texts in the block yet. */
const roomFor = (texts: readonly string[], unit: number): number => {
  let room = texts.length * (PLACE + LENGTH_BYTES + unit)
  for (const text of texts) room += text.length < WORTH_COUNTING ? text.length * 3 : Buffer.byteLength(text)
  return room
}

/** How large a block must be for one record, which has far fewer texts than there are places. */
export const sizeFor = (texts: readonly string[]): number => {
  // Rounding up takes up to a unit for each text, and the unit grows with the size.
  const size = roomFor(texts, 1) / (1 - texts.length / PLACES)
  return Math.ceil(size / PLACE) * PLACE
}

/** Data written to a block in one stretch. All parts of a block, in their order, are the block. */
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

/** Data that is not stored yet. It shares the block's bytes, which do not change until the block is forgotten. */
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

/** Undefined when a part is missing or does not fit. */
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
