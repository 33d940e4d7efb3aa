import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { Bytes } from '../../core/protocol/bytes.ts'
import type { Pixels } from './picture.ts'

const inflateAsync = promisify(inflate)

// 40 million pixels of eight bits; the reader's own decoder inflates any file without a limit.
const MAX_RAW = 164_000_000

/** ISO/IEC 15948 §11.2.2: how many samples a pixel has, by its colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** §8.2: where the pixels of each pass begin, and how far apart they are. */
const WHOLE = [[0, 0, 1, 1]] as const
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

type Chunks = NonNullable<ReturnType<typeof parseChunks>>

/** The chunks that describe the pixels; undefined when they are not a picture. */
const parseChunks = (bytes: Bytes) => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const data: Buffer[] = []
  let head: ReturnType<typeof parseHead>
  let palette: Buffer = Buffer.alloc(0)
  let clear: Buffer | undefined
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + length)
    if (body.length < length || type === 'IEND') break
    if (type === 'IHDR') head = parseHead(body)
    else if (type === 'PLTE') palette = body
    else if (type === 'tRNS') clear = body
    else if (type === 'IDAT') data.push(body)
    at += 12 + length
  }
  return head === undefined ? undefined : { head, palette, clear, data: Buffer.concat(data) }
}

const parseHead = (body: Buffer) => {
  const channels = CHANNELS[body[9] ?? -1]
  const depth = body[8] ?? 0
  if (body.length !== 13 || channels === undefined || ![1, 2, 4, 8, 16].includes(depth)) return undefined
  return {
    width: body.readUInt32BE(0),
    height: body.readUInt32BE(4),
    depth,
    colour: body[9] ?? 0,
    channels,
    interlaced: body[12] === 1,
  }
}

/** Rows per slice; other requests run between slices. Decoding a large screen takes a quarter of a second in all. */
const ROWS_AT_ONCE = 128

/** §9.2: undoes the filter of one row, in place. Each filter has its own loop: a screen has over 30 million octets. */
const unfilter = (filter: number, row: Buffer, above: Buffer, step: number): void => {
  if (filter === 1) for (let i = step; i < row.length; i++) row[i] = (row[i] ?? 0) + (row[i - step] ?? 0)
  else if (filter === 2) for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) + (above[i] ?? 0)
  else {
    const guess = filter === 3 ? mean : paeth
    for (let i = 0; i < row.length; i++) {
      const isFirst = i < step
      const left = isFirst ? 0 : (row[i - step] ?? 0)
      const corner = isFirst ? 0 : (above[i - step] ?? 0)
      row[i] = (row[i] ?? 0) + guess(left, above[i] ?? 0, corner)
    }
  }
}

const mean = (left: number, up: number): number => (left + up) >> 1

const paeth = (left: number, up: number, corner: number): number => {
  const byLeft = Math.abs(up - corner)
  const byUp = Math.abs(left - corner)
  const byCorner = Math.abs(left + up - 2 * corner)
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner
}

type Paint = (row: Buffer, x: number, rgba: Uint8Array, at: number) => void

const painter = ({ head, palette, clear }: Chunks): Paint => {
  const { depth, colour, channels } = head
  if (depth === 8 && colour === 2 && clear === undefined) {
    return (row, x, rgba, at) => {
      for (let i = 0; i < 3; i++) rgba[at + i] = row[3 * x + i] ?? 0
      rgba[at + 3] = 255
    }
  }
  const most = 2 ** Math.min(depth, 8) - 1
  const sample = (row: Buffer, index: number): number => {
    if (depth === 8) return row[index] ?? 0
    if (depth === 16) return ((row[2 * index] ?? 0) << 8) | (row[2 * index + 1] ?? 0)
    const bit = index * depth
    return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & most
  }
  const eight = (value: number): number => (depth === 16 ? value >> 8 : (value * 255) / most)
  // §11.3.2.1: one sample value is transparent, where there is no alpha channel.
  const isClear = (row: Buffer, first: number): boolean => {
    if (clear === undefined || clear.length < 2 * channels) return false
    for (let i = 0; i < channels; i++) if (sample(row, first + i) !== clear.readUInt16BE(2 * i)) return false
    return true
  }
  return (row, x, rgba, at) => {
    const first = x * channels
    if (colour === 3) {
      const index = sample(row, first)
      for (let i = 0; i < 3; i++) rgba[at + i] = palette[3 * index + i] ?? 0
      rgba[at + 3] = clear?.[index] ?? 255
      return
    }
    const grey = channels < 3
    for (let i = 0; i < 3; i++) rgba[at + i] = eight(sample(row, grey ? first : first + i))
    const hasAlpha = colour === 4 || colour === 6
    rgba[at + 3] = hasAlpha ? eight(sample(row, first + channels - 1)) : isClear(row, first) ? 0 : 255
  }
}

/** Any PNG as pixels of eight bits with their alpha; undefined when it is damaged, or has more data than it says. */
export const decodePng = async (bytes: Bytes): Promise<Pixels | undefined> => {
  const chunks = parseChunks(bytes)
  if (chunks === undefined) return undefined
  const { width, height, depth, colour, channels, interlaced } = chunks.head
  const passes = (interlaced ? ADAM7 : WHOLE).map(([x0, y0, dx, dy]) => {
    const across = Math.ceil((width - x0) / dx)
    return { x0, y0, dx, dy, across, down: across > 0 ? Math.ceil((height - y0) / dy) : 0 }
  })
  const octets = (pixels: number): number => Math.ceil((pixels * channels * depth) / 8)
  const size = passes.reduce((sum, { across, down }) => sum + down * (1 + octets(across)), 0)
  if (size > MAX_RAW) return undefined
  const raw = await inflateAsync(chunks.data, { maxOutputLength: size }).catch(() => undefined)
  if (raw === undefined || raw.length < size) return undefined
  const rgba = new Uint8Array(width * height * 4)
  const paint = painter(chunks)
  let at = 0
  for (const { x0, y0, dx, dy, across, down } of passes) {
    let above = Buffer.alloc(octets(across))
    for (let line = 0; line < down; line++) {
      const filter = raw[at] ?? 0
      const row = raw.subarray(at + 1, at + 1 + octets(across))
      at += 1 + row.length
      if (filter > 4) return undefined
      if (filter !== 0) unfilter(filter, row, above, Math.max(1, (channels * depth) >> 3))
      // RGBA rows already have the four octets of each pixel.
      if (!interlaced && depth === 8 && colour === 6) rgba.set(row, line * width * 4)
      else for (let x = 0; x < across; x++) paint(row, x, rgba, ((y0 + line * dy) * width + x0 + x * dx) * 4)
      above = row
      if (line % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn()
    }
  }
  return { width, height, rgba }
}
