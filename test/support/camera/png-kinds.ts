import type { Grey } from './encode-jpeg.ts'
import { assemblePng } from './encode-png.ts'

/** The samples of one pixel: dark, or light. */
type Kind = {
  readonly colour: number
  readonly depth: number
  readonly dark: readonly number[]
  readonly light: readonly number[]
  readonly interlaced?: boolean
  readonly before?: Readonly<Record<string, Uint8Array>>
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

/** Every way in which a PNG can hold a code, most of them with nothing behind it. */
export const PNG_KINDS: Readonly<Record<string, Kind>> = {
  'black on transparent': { colour: 6, depth: 8, dark: [0, 0, 0, 255], light: [0, 0, 0, 0] },
  'white on transparent': { colour: 6, depth: 8, dark: [255, 255, 255, 255], light: [255, 255, 255, 0] },
  'black on transparent in 16 bits': { colour: 6, depth: 16, dark: [0, 0, 0, 65_535], light: [0, 0, 0, 0] },
  'black on transparent, interlaced': {
    colour: 6,
    depth: 8,
    dark: [0, 0, 0, 255],
    light: [0, 0, 0, 0],
    interlaced: true,
  },
  'half black on nearly transparent': { colour: 6, depth: 8, dark: [0, 0, 0, 150], light: [0, 0, 0, 10] },
  'grey with alpha': { colour: 4, depth: 8, dark: [0, 255], light: [0, 0] },
  'grey with alpha in 16 bits': { colour: 4, depth: 16, dark: [0, 65_535], light: [0, 0] },
  'grey with one clear value': { colour: 0, depth: 8, dark: [0], light: [1], before: { tRNS: bytes(0, 1) } },
  'colour with one clear value': {
    colour: 2,
    depth: 8,
    dark: [0, 0, 0],
    light: [0, 0, 1],
    before: { tRNS: bytes(0, 0, 0, 0, 0, 1) },
  },
  'one bit of grey': { colour: 0, depth: 1, dark: [0], light: [1] },
  'four bits of grey, interlaced': { colour: 0, depth: 4, dark: [1], light: [14], interlaced: true },
  'a palette of two bits with a clear entry': {
    colour: 3,
    depth: 2,
    dark: [1],
    light: [2],
    before: { PLTE: bytes(9, 9, 9, 0, 0, 0, 0, 0, 0), tRNS: bytes(255, 255, 0) },
  },
  'a palette of eight bits': {
    colour: 3,
    depth: 8,
    dark: [0],
    light: [1],
    before: { PLTE: bytes(0, 0, 0, 255, 255, 255) },
  },
  'an animation': {
    colour: 2,
    depth: 8,
    dark: [0, 0, 0],
    light: [255, 255, 255],
    before: { acTL: bytes(0, 0, 0, 2, 0, 0, 0, 0) },
  },
}

const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Row after row with each of the five filters in turn. */
const filtered = (rows: readonly Buffer[], step: number): Buffer => {
  const out: Buffer[] = []
  for (const [y, row] of rows.entries()) {
    const above = rows[y - 1]
    const filter = y % 5
    const line = Buffer.alloc(row.length + 1)
    line[0] = filter
    for (const [x, value] of row.entries()) {
      const a = row[x - step] ?? 0
      const b = above?.[x] ?? 0
      const c = x < step ? 0 : (above?.[x - step] ?? 0)
      const nearest = [a, b, c].toSorted((p, q) => Math.abs(a + b - c - p) - Math.abs(a + b - c - q))[0] ?? 0
      line[x + 1] = value - ([0, a, b, Math.floor((a + b) / 2), nearest][filter] ?? 0)
    }
    out.push(line)
  }
  return Buffer.concat(out)
}

export const encodeKind = ({ width, height, levels }: Grey, kind: Kind): Uint8Array<ArrayBuffer> => {
  const { colour, depth, dark, light, interlaced = false, before = {} } = kind
  const packed = (samples: readonly number[]): Buffer => {
    const bits = samples.map((value) => value.toString(2).padStart(depth, '0')).join('')
    return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((octet) => Number.parseInt(octet.padEnd(8, '0'), 2)))
  }
  const passes = interlaced ? PASSES : ([[0, 0, 1, 1]] as const)
  const raw = passes.map(([x0, y0, dx, dy]) => {
    const rows: Buffer[] = []
    for (let y = y0; y < height; y += dy) {
      const samples: number[] = []
      for (let x = x0; x < width; x += dx) samples.push(...((levels[y * width + x] ?? 0) < 128 ? dark : light))
      rows.push(packed(samples))
    }
    return filtered(rows, Math.max(1, (dark.length * depth) >> 3))
  })
  return assemblePng({ width, height, depth, colour, interlaced, before, raw: Buffer.concat(raw) })
}
