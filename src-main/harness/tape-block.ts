/** A piece of memory full of records. Texts grow from its front, and from its back the places where those of a record begin. */
export type Block = {
  readonly first: number
  readonly bytes: Buffer
  readonly places: Uint32Array
  readonly kinds: string[]
  /** Where the places of each record begin; they end where those of the record before it begin. */
  readonly starts: number[]
  /** Between them is what is free. */
  textsEnd: number
  placesStart: number
  /** By how many texts it has: the latest record and where its places begin. For writing only. */
  readonly latest: Map<number, { texts: readonly string[]; start: number }>
}

const PLACE = Uint32Array.BYTES_PER_ELEMENT

export const blockOver = (bytes: Buffer, first: number): Block => ({
  first,
  bytes,
  places: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / PLACE),
  kinds: [],
  starts: [],
  textsEnd: 0,
  placesStart: bytes.length / PLACE,
  latest: new Map(),
})

export const hasRoom = ({ textsEnd, placesStart }: Block, room: number): boolean =>
  textsEnd + room <= placesStart * PLACE

export const writeRecord = (block: Block, texts: readonly string[]): void => {
  const { places, latest } = block
  const like = latest.get(texts.length)
  const start = block.placesStart - texts.length
  let before: string | undefined
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] ?? ''
    // Ids are often said twice in a row: who asked, and for whom.
    if (text === before) places[start + i] = places[start + i - 1] ?? 0
    else if (text === like?.texts[i]) places[start + i] = places[like.start + i] ?? 0
    else places[start + i] = writeText(block, text)
    before = text
  }
  block.placesStart = start
  block.starts.push(start)
  if (like === undefined) latest.set(texts.length, { texts, start })
  else {
    like.texts = texts
    like.start = start
  }
}

export type BlockReader = {
  readonly block: Block
  record(index: number): readonly string[]
  holds(part: string): boolean
}

/** Each text is made a string once, however many records have it. */
export const blockReader = (block: Block): BlockReader => {
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

const writeText = (block: Block, text: string): number => {
  const { bytes, textsEnd } = block
  if (text.length <= SHORT) {
    const length = writeShort(bytes, text, textsEnd + 1)
    bytes[textsEnd] = length
    block.textsEnd = textsEnd + 1 + length
  } else {
    const length = bytes.write(text, textsEnd + LENGTH_BYTES)
    bytes.writeUInt32BE(LONG_BIT + length, textsEnd)
    block.textsEnd = textsEnd + LENGTH_BYTES + length
  }
  return textsEnd
}

/** A call of the system's encoder costs more than a few letters. */
const writeShort = (bytes: Buffer, text: string, start: number): number => {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f) return bytes.write(text, start)
    bytes[start + i] = unit
  }
  return text.length
}

const readText = ({ bytes }: Block, place: number): string => {
  const length = bytes[place] ?? 0
  if (length < 0x80) return bytes.toString('utf8', place + 1, place + 1 + length)
  const start = place + LENGTH_BYTES
  return bytes.toString('utf8', start, start + bytes.readUInt32BE(place) - LONG_BIT)
}

/** Above this, a text is worth being counted. */
const WORTH_COUNTING = 4 * 1024

/** What a record takes at most, with nothing in it known; in whole places. */
export const roomFor = (texts: readonly string[]): number => {
  let room = texts.length * (PLACE + LENGTH_BYTES)
  for (const text of texts) room += text.length < WORTH_COUNTING ? text.length * 3 : Buffer.byteLength(text)
  return Math.ceil(room / PLACE) * PLACE
}
