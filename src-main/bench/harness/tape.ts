/** Bytes of a block; a record that is longer gets a separate one. */
const BLOCK = 256 * 1024

export type TapeLimits = {
  readonly count: number
  /** Bytes of memory that is allocated for the records. */
  readonly bytes: number
}

/** Blocks of this tape that are stored elsewhere: those of earlier runs, and those that this run has stored. */
export type StoredBlocks = {
  /** Earlier runs gave no record a number above this. */
  readonly last: number
  first(): number | undefined
  /** The block that has this record, or the nearest one in this direction. */
  near(n: number, step: Direction): BlockReader | undefined
}

export type Direction = 1 | -1

export type Tape = ReturnType<typeof createTape>

/**
 * Records numbered from 1, of which the oldest are forgotten. Each is a kind and a list of texts. Records are in blocks
 * of bytes: as objects, 100,000 records would give the garbage collector millions to follow. A text is not written
 * again if the record before has it at the same place, or if it is long and in the block already: most of a poll
 * repeats the last one, and the first access to memory costs more than all the rest of recording.
 */
export const createTape = (limits: TapeLimits, stored?: StoredBlocks) => {
  const blocks: Block[] = []
  /** Buffer of the last forgotten block: a full tape allocates none. */
  let spare: Buffer | undefined
  /** The first record in memory. */
  let first = (stored?.last ?? 0) + 1
  let last = first - 1
  let allocated = 0
  /** Readers of one record mostly read its neighbours as well. */
  let reader: BlockReader | undefined
  const readerOf = (block: Block): BlockReader => {
    if (reader?.block !== block) reader = createBlockReader(block)
    return reader
  }

  const blockFor = (texts: readonly string[]): Block => {
    const block = blocks.at(-1)
    if (block !== undefined) {
      const { textsEnd, placesStart, unit } = block
      if (textsEnd + roomFor(texts, unit) <= placesStart * PLACE) return block
      // No more records are written to the block.
      block.known.records.clear()
      block.known.texts.clear()
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
    first = lastRecord(oldest) + 1
    allocated -= oldest.bytes.length
    if (oldest.bytes.length === BLOCK) spare = oldest.bytes
  }

  const forgetFirst = (): void => {
    first++
    const [oldest] = blocks
    if (oldest !== undefined && first > lastRecord(oldest)) forgetBlock()
  }

  const readerAt = (n: number): BlockReader | undefined => {
    if (n > last) return undefined
    const block = n < first ? undefined : blockOf(blocks, n)
    if (block !== undefined) return readerOf(block)
    const kept = stored?.near(n, 1)
    return kept !== undefined && kept.block.first <= n ? kept : undefined
  }

  /** Returns `n` if its record is kept, else the nearest kept number in this direction: a killed run leaves a gap. */
  const near = (n: number, step: Direction): number | undefined => {
    if (n >= first && n <= last) return n
    if (n > last && (step === 1 || first <= last)) return step === 1 ? undefined : last
    const block = stored?.near(n, step)?.block
    if (step === -1) return block && Math.min(n, lastRecord(block))
    const found = block === undefined ? first : Math.min(first, Math.max(n, block.first))
    return found > last ? undefined : found
  }

  return {
    /** Returns the number of the new record. */
    append: (kind: string, texts: readonly string[]): number => {
      const block = blockFor(texts)
      writeRecord(block, kind, texts)
      last++
      if (last - first >= limits.count) forgetFirst()
      return last
    },
    /** The number of the first kept record; `last() + 1` if none is kept. */
    first: (): number => Math.min(first, stored?.first() ?? first),
    last: (): number => last,
    near,
    kindAt: (n: number): string | undefined => {
      const found = readerAt(n)
      return found?.block.kinds[n - found.block.first]
    },
    textsAt: (n: number): readonly string[] | undefined => {
      const found = readerAt(n)
      return found?.record(n - found.block.first)
    },
    /** False: the record's block does not contain the part, so the record need not be read. */
    mayHold: (n: number, part: string): boolean => readerAt(n)?.holds(part) ?? false,
    /** Unstored parts, oldest first, up to this many bytes; the first part may be longer. */
    unstored: (bytes: number): readonly BlockPart[] => {
      const parts: BlockPart[] = []
      let size = 0
      for (const block of blocks.slice(blocks.findLastIndex(isStored) + 1)) {
        if (size >= bytes) break
        const part = unstoredPart(block)
        parts.push(part)
        size += part.texts.length
      }
      return parts
    },
    markStored: (parts: readonly BlockPart[]): void => {
      for (const { block: number } of parts) {
        const block = blockOf(blocks, number)
        if (block?.first === number) block.stored = endsOf(block)
      }
    },
  }
}

const isStored = ({ stored, kinds }: Block): boolean => stored.records === kinds.length

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

/** Records, and where their texts begin. Places are counted in units so large that each fits into two bytes. */
type ReadableBlock = {
  /** The number of its first record. */
  readonly first: number
  readonly bytes: Buffer
  readonly places: Uint16Array
  /** The unit of places, in bytes: each text begins at a multiple of it. */
  readonly unit: number
  readonly kinds: readonly string[]
  /** Start of each record's places, which end where the previous record's places start. */
  readonly starts: readonly number[]
  readonly textsEnd: number
}

/** A piece of memory full of records. Texts grow from its front, and their places from its back. */
type Block = ReadableBlock & {
  readonly kinds: string[]
  readonly starts: number[]
  /** The free space is between `textsEnd` and `placesStart`. */
  textsEnd: number
  placesStart: number
  /** The part of the block that is also stored elsewhere. */
  stored: BlockEnds
  /** Used while the block is written to. */
  readonly known: {
    /** The latest record for each number of texts, and where its places begin. */
    readonly records: Map<number, { texts: readonly string[]; start: number }>
    readonly texts: Map<string, number>
  }
}

type BlockEnds = { readonly records: number; readonly textsEnd: number; readonly placesStart: number }

const PLACE = Uint16Array.BYTES_PER_ELEMENT
const PLACES = 0x1_0000

const createBlock = (bytes: Buffer, first: number): Block => ({
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

const writeRecord = (block: Block, kind: string, texts: readonly string[]): void => {
  const { places, known } = block
  const like = known.records.get(texts.length)
  const start = block.placesStart - texts.length
  let before: string | undefined
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] ?? ''
    // A record often repeats an id in the next text.
    if (text === before) places[start + i] = places[start + i - 1] ?? 0
    else if (text === like?.texts[i]) places[start + i] = places[like.start + i] ?? 0
    // A whole event in one text is unique: a look-up would never find it.
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

export type BlockReader = ReturnType<typeof createBlockReader>

export const lastRecord = ({ first, kinds }: ReadableBlock): number => first + kinds.length - 1

/** Decodes each text once, however many records have it. */
export const createBlockReader = (block: ReadableBlock) => {
  const { starts, places, bytes } = block
  const texts = new Map<number, string>()
  const textAt = (place: number): string => {
    const known = texts.get(place)
    if (known !== undefined) return known
    const text = readText(block, place)
    texts.set(place, text)
    return text
  }
  /** By part: the end of the searched bytes, and true if they contain it. */
  const searched = new Map<string, { readonly end: number; readonly found: boolean }>()
  return {
    block,
    record: (index: number): readonly string[] => {
      const start = starts[index] ?? 0
      const end = starts[index - 1] ?? places.length
      const record: string[] = []
      for (let i = start; i < end; i++) record.push(textAt(places[i] ?? 0))
      return record
    },
    holds: (part: string): boolean => {
      // Half of a surrogate pair has no bytes to search for.
      if (!part.isWellFormed()) return true
      const known = searched.get(part)
      if (known?.found || known?.end === block.textsEnd) return known.found
      const found = bytes.subarray(0, block.textsEnd).includes(part)
      searched.set(part, { end: block.textsEnd, found })
      return found
    },
  }
}

/** A unit of UTF-16 takes three bytes at most, so the length of a short text fits into one byte. */
const SHORT = 42
/** Longer texts have four bytes of length, with this bit set. */
const LONG_BIT = 0x8000_0000
const LENGTH_BYTES = 4

/** Writes ASCII letter by letter: for a few letters, a call of the system's encoder costs more. */
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

/** Writes a long text once per block: polls of several users alternate, so the previous record rarely has it. */
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

/** From this length on, bytes are counted exactly: the memory saved is worth the time. */
const WORTH_COUNTING = 4 * 1024

/** Upper bound of a record's bytes, if the block has none of its texts yet. */
const roomFor = (texts: readonly string[], unit: number): number => {
  let room = texts.length * (PLACE + LENGTH_BYTES + unit)
  for (const text of texts) room += text.length < WORTH_COUNTING ? text.length * 3 : Buffer.byteLength(text)
  return room
}

/** The size of a block for one record, which has far fewer texts than there are places. */
const sizeFor = (texts: readonly string[]): number => {
  // Rounding up takes up to a unit for each text, and the unit grows with the size.
  const size = roomFor(texts, 1) / (1 - texts.length / PLACES)
  return Math.ceil(size / PLACE) * PLACE
}

/** Data written to a block in one stretch. All parts of a block, in their order, are the block. */
export type BlockPart = {
  /** The number of the block's first record. */
  readonly block: number
  readonly unit: number
  /** Number of the block's records before this part. */
  readonly before: number
  readonly kinds: readonly string[]
  readonly counts: readonly number[]
  /** The bytes of text that this part adds to the block. */
  readonly texts: Uint8Array
  readonly places: Uint8Array
}

const endsOf = ({ kinds, textsEnd, placesStart }: Block): BlockEnds => ({
  records: kinds.length,
  textsEnd,
  placesStart,
})

/** The part shares the block's bytes, which do not change until the block is forgotten. */
const unstoredPart = (block: Block): BlockPart => {
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
