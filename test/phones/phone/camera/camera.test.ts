import { afterAll, describe, expect, it } from 'vitest'
import { readCodes, readMessageCode } from '../../../../src-main/phones/phone/camera.ts'
import { distortions, spoiltPictures, wantedText } from '../../../support/camera/distortions.ts'
import { drawScene, toRgba } from '../../../support/camera/draw-codes.ts'
import { encodeJpeg, encodePrintJpeg, type Grey } from '../../../support/camera/encode-jpeg.ts'
import { assemblePng, encodePng } from '../../../support/camera/encode-png.ts'
import { isNightly } from '../../../support/parts.ts'

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

type More = Pick<Kind, 'interlaced' | 'before'>
const kind = (
  colour: number,
  depth: number,
  dark: readonly number[],
  light: readonly number[],
  more: More = {},
): Kind => ({ ...{ colour, depth, dark, light, ...more } })

const BLACK = [0, 0, 0, 255]
const CLEAR = [0, 0, 0, 0]
const WHITE = [255, 255, 255]

/** Every way in which a PNG can hold a code, most of them with nothing behind it. */
const PNG_KINDS: Readonly<Record<string, Kind>> = {
  'black on transparent': kind(6, 8, BLACK, CLEAR),
  'white on transparent': kind(6, 8, [...WHITE, 255], [...WHITE, 0]),
  'black on transparent in 16 bits': kind(6, 16, [0, 0, 0, 65_535], CLEAR),
  'black on transparent, interlaced': kind(6, 8, BLACK, CLEAR, { interlaced: true }),
  'half black on nearly transparent': kind(6, 8, [0, 0, 0, 150], [0, 0, 0, 10]),
  'grey with alpha': kind(4, 8, [0, 255], [0, 0]),
  'grey with alpha in 16 bits': kind(4, 16, [0, 65_535], [0, 0]),
  'grey with one clear value': kind(0, 8, [0], [1], { before: { tRNS: bytes(0, 1) } }),
  'colour with one clear value': kind(2, 8, [0, 0, 0], [0, 0, 1], { before: { tRNS: bytes(0, 0, 0, 0, 0, 1) } }),
  'one bit of grey': kind(0, 1, [0], [1]),
  'four bits of grey, interlaced': kind(0, 4, [1], [14], { interlaced: true }),
  'a palette of two bits with a clear entry': kind(3, 2, [1], [2], {
    before: { PLTE: bytes(9, 9, 9, 0, 0, 0, 0, 0, 0), tRNS: bytes(255, 255, 0) },
  }),
  'a palette of eight bits': kind(3, 8, [0], [1], { before: { PLTE: bytes(0, 0, 0, ...WHITE) } }),
  'an animation': kind(2, 8, [0, 0, 0], WHITE, { before: { acTL: bytes(0, 0, 0, 2, 0, 0, 0, 0) } }),
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

const encodeKind = ({ width, height, levels }: Grey, kind: Kind): Uint8Array<ArrayBuffer> => {
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

const OURS = 'http://localhost:7420/fido/m#rAAECAwQFBgcICQoLDA0ODw'
const ALSO_OURS = 'http://localhost:7420/w/test-1/fido/m#aAQIDBAUGBwgJCgsMDQ4PEA'
const MENU = 'https://restaurant.example/menu'

const one = { width: 320, height: 320, codes: [{ text: OURS, size: 240 }] }
const pixels = toRgba(drawScene(one))
const png = encodePng(pixels)
const jpeg = encodeJpeg(drawScene(one), 90)

/** A PNG whose head claims a size; nothing else in it is needed to be refused. */
const claiming = (width: number, height: number): Uint8Array<ArrayBuffer> => {
  const bytes = Buffer.from(png)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return new Uint8Array(bytes)
}

/** One pixel by its head, 64 million of them by its data. */
const DOT = { width: 1, height: 1, depth: 8 }
const bomb = assemblePng({ ...DOT, colour: 0, raw: new Uint8Array(64_000_000) })

it.each([
  ['pixels', pixels],
  ['a PNG', png],
  ['a JPEG', jpeg],
])('the camera reads our code from %s', async (_, picture) => {
  expect(await readMessageCode(structuredClone(picture))).toEqual({ ok: true, value: OURS })
})

it.each(Object.entries(PNG_KINDS))('the camera reads a PNG of %s', async (_, kind) => {
  expect(await readMessageCode(encodeKind(drawScene(one), kind))).toEqual({ ok: true, value: OURS })
})

it('the camera reads pixels that are black on transparent', async () => {
  const rgba = Uint8Array.from(pixels.rgba, (_, i) => (i % 4 === 3 ? 255 - (pixels.rgba[i - 1] ?? 0) : 0))
  expect(await readMessageCode({ ...pixels, rgba })).toEqual({ ok: true, value: OURS })
})

it('the camera reads a JPEG that says it was turned', async () => {
  // Exif 2.32 §4.6.4: one entry, Orientation (0x0112), a SHORT of 6.
  const tiff = '4d4d002a00000008' + '0001' + '0112000300000001' + '00060000' + '00000000'
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), Buffer.from(tiff, 'hex')])
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, body.length + 2]), body])
  const turned = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
  expect(await readMessageCode(new Uint8Array(turned))).toEqual({ ok: true, value: OURS })
})

it.each(['CMYK', 'YCCK'] as const)('the camera reads a JPEG of four inks, written as %s', async (inks) => {
  const printed = encodePrintJpeg(drawScene(one), { inks, quality: 90 })
  expect(await readMessageCode(printed)).toEqual({ ok: true, value: OURS })
})

it('the camera leaves the event loop to others while it looks at a large screen', async () => {
  const screen = toRgba(drawScene({ width: 1920, height: 1080, codes: [] }))
  const pictures = [screen, encodePng(screen), encodeJpeg(drawScene({ width: 1920, height: 1080, codes: [] }), 90)]
  for (const picture of pictures) {
    let turns = 0
    const ticking = setInterval(() => turns++)
    await readCodes(picture)
    clearInterval(ticking)
    // Held by the reading itself, it turns a few times only, between a file's decoding and the looks.
    expect(turns).toBeGreaterThan(10)
  }
})

it.each([
  ['what no thread can be given', { ...pixels, tell: () => undefined }],
  ['what ends its thread', { ...pixels, rgba: new BigUint64Array(pixels.rgba.length) as unknown as Uint8Array }],
])('the camera says that it failed at %s, and reads the next picture', async (_, picture) => {
  expect(await readMessageCode(picture)).toMatchObject({ ok: false, error: { word: 'camera_failed' } })
  expect(await readMessageCode(structuredClone(pixels))).toEqual({ ok: true, value: OURS })
})

it('the camera looks a second time where the first look finds nothing', async () => {
  const steep = spoiltPictures('a tilt of 40 to 70 degrees', 9)[8]
  if (steep === undefined) throw new Error('the series is shorter')
  expect(await readMessageCode(toRgba(drawScene(steep.scene)))).toEqual({ ok: true, value: wantedText(steep) })
})

it.each([
  ['no_code', 'half a JPEG', jpeg.slice(0, jpeg.length >> 1)],
  ['no_code', 'an empty picture', toRgba(drawScene({ width: 200, height: 200, codes: [] }))],
  ['not_ours', 'the code of others', toRgba(drawScene({ ...one, codes: [{ text: MENU, size: 240 }] }))],
])('the camera says %s of %s', async (word, _, picture) => {
  expect(await readMessageCode(picture)).toMatchObject({ ok: false, error: { word } })
})

it('the camera takes ours among several, wherever it is', async () => {
  for (const texts of [
    [MENU, OURS],
    [OURS, MENU],
  ]) {
    const codes = texts.map((text, i) => ({ text, size: 240, at: [0.27 + i * 0.46, 0.5] as const }))
    const scene = toRgba(drawScene({ width: 640, height: 320, codes }))
    expect(await readMessageCode(scene)).toEqual({ ok: true, value: OURS })
  }
})

it('the camera sees every code in a picture', async () => {
  const texts = [OURS, MENU, ALSO_OURS, 'plain words']
  const codes = texts.map((text, i) => ({
    text,
    size: 240,
    at: [0.25 + 0.5 * (i % 2), 0.25 + 0.5 * (i >> 1)] as const,
  }))
  const read = await readCodes(toRgba(drawScene({ width: 560, height: 560, codes })))
  expect(read.ok && read.value.toSorted()).toEqual(texts.toSorted())
})

it.each([
  ['nothing', new Uint8Array(0)],
  ['text', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a GIF', new TextEncoder().encode('GIF89a')],
  ['a PNG that claims to be huge', claiming(100_000, 100_000)],
  ['a PNG that claims to be wide and high', claiming(16_000, 16_000)],
  ['a PNG without a side', claiming(0, 320)],
  ['the head of a PNG', png.slice(0, 20)],
  ['a PNG whose data go on without an end', bomb],
  ['a PNG with too few rows', assemblePng({ width: 320, height: 320, depth: 8, colour: 0, raw: new Uint8Array(9) })],
  ['a PNG with an unknown filter', assemblePng({ ...DOT, colour: 0, raw: Uint8Array.of(5, 0) })],
  ['a PNG of an unknown colour type', assemblePng({ ...DOT, colour: 5, raw: new Uint8Array(9) })],
  ['half a PNG', png.slice(0, png.length >> 1)],
  ['the head of a JPEG', jpeg.slice(0, 12)],
  ['pixels that are too few', { ...pixels, height: 321 }],
  ['pixels of no size', { width: 0, height: 0, rgba: new Uint8Array(0) }],
  ['pixels of half a size', { width: 0.5, height: 2, rgba: new Uint8Array(4) }],
])('the camera says that it cannot read %s', async (_, picture) => {
  expect(await readMessageCode(picture)).toMatchObject({ ok: false, error: { word: 'unreadable_picture' } })
})

/** docs/camera.md goes on with the same series. */
const SAMPLES = isNightly ? 6 : 3

describe('the camera through', () => {
  const tally = { read: 0, all: 0 }

  it.each(Object.entries(distortions))('%s', async (name, [least]) => {
    let read = 0
    for (const picture of spoiltPictures(name, SAMPLES)) {
      const grey = drawScene(picture.scene)
      const found = await readMessageCode(
        picture.quality === undefined ? toRgba(grey) : encodeJpeg(grey, picture.quality),
      )
      if (found.ok && found.value === wantedText(picture)) read += 1
    }
    tally.read += read
    tally.all += SAMPLES
    expect(read / SAMPLES).toBeGreaterThanOrEqual(least)
  })

  afterAll(() => {
    expect(tally.read / tally.all).toBeGreaterThanOrEqual(0.95)
  })
})
