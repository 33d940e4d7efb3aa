/** A baseline JPEG (ITU-T T.81): of grey levels, enough to spoil a picture the way a camera does, or of four inks. */

// Annex K.1, luminance; in the order of rows.
const QUANTISATION = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
]

// Annex K.3: how many codes of each length 1 to 16, and their values.
const DC = { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }
const AC = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d],
  values: [
    ...Buffer.from(
      '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
      'hex',
    ),
  ],
}

type Huffman = { readonly counts: readonly number[]; readonly values: readonly number[] }

// Annex C.2: codes in order of length.
const codesOf = ({ counts, values }: Huffman): ReadonlyMap<number, readonly [code: number, length: number]> => {
  const codes = new Map<number, readonly [number, number]>()
  let code = 0
  let next = 0
  counts.forEach((count, index) => {
    for (let i = 0; i < count; i++) codes.set(values[next++] ?? 0, [code++, index + 1])
    code <<= 1
  })
  return codes
}

const DC_CODES = codesOf(DC)
const AC_CODES = codesOf(AC)

/** Figure A.6: row by row position of the n-th coefficient. */
const ZIGZAG = Array.from({ length: 64 }, (_, i) => i).sort((a, b) => {
  const [ay, ax, by, bx] = [a >> 3, a & 7, b >> 3, b & 7]
  const diagonal = ax + ay - (bx + by)
  if (diagonal !== 0) return diagonal
  return (ax + ay) % 2 === 0 ? ax - bx : ay - by
})

/** A.3.3, by frequency and place. */
const COSINES = Array.from({ length: 64 }, (_, i) => {
  const [u, x] = [i >> 3, i & 7]
  return (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / 16)
})

const transform = (block: Float64Array): Float64Array => {
  const rows = new Float64Array(64)
  const out = new Float64Array(64)
  for (let y = 0; y < 8; y++) {
    for (let u = 0; u < 8; u++) {
      let sum = 0
      for (let x = 0; x < 8; x++) sum += (block[y * 8 + x] ?? 0) * (COSINES[u * 8 + x] ?? 0)
      rows[y * 8 + u] = sum
    }
  }
  for (let v = 0; v < 8; v++) {
    for (let u = 0; u < 8; u++) {
      let sum = 0
      for (let y = 0; y < 8; y++) sum += (rows[y * 8 + u] ?? 0) * (COSINES[v * 8 + y] ?? 0)
      out[v * 8 + u] = sum
    }
  }
  return out
}

/** Row by row. */
const tableFor = (quality: number): readonly number[] => {
  const scale = quality < 50 ? 5000 / quality : 200 - quality * 2
  return QUANTISATION.map((value) => Math.min(255, Math.max(1, Math.floor((value * scale + 50) / 100))))
}

const segment = (marker: number, ...body: readonly number[]): readonly number[] => [
  0xff,
  marker,
  (body.length + 2) >> 8,
  (body.length + 2) & 255,
  ...body,
]

export type Grey = { readonly width: number; readonly height: number; readonly levels: Uint8Array }

/** Eight by eight levels, around zero; at the edges the last one goes on (A.2.4, A.3.1). */
const blockAt = ({ width, height, levels }: Grey, left: number, top: number): Float64Array =>
  Float64Array.from({ length: 64 }, (_, i) => {
    const [x, y] = [Math.min(width - 1, left + (i & 7)), Math.min(height - 1, top + (i >> 3))]
    return (levels[y * width + x] ?? 0) - 128
  })

export const encodeJpeg = (picture: Grey, quality: number): Uint8Array<ArrayBuffer> =>
  encodePlanes([picture], { quality })

/** How Adobe's programs write four inks, as light left over: plain, or with the colours turned into YCbCr. */
const ADOBE = { CMYK: { transform: 0, light: [255, 255, 255] }, YCCK: { transform: 2, light: [0, 128, 128] } } as const

/** The same grey levels, printed with black ink alone. */
export const encodePrintJpeg = (picture: Grey, { inks, quality }: { inks: keyof typeof ADOBE; quality: number }) => {
  const { transform, light } = ADOBE[inks]
  const planes = light.map((level) => ({ ...picture, levels: new Uint8Array(picture.levels.length).fill(level) }))
  // Adobe technical note 5116, APP14: version 100, no flags, how the colours are written.
  const head = segment(0xee, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform)
  return encodePlanes([...planes, picture], { quality, head })
}

type Encoding = { readonly quality: number; readonly head?: readonly number[] }

/** One block of each plane after the other (A.2.3). */
const encodePlanes = (planes: readonly Grey[], { quality, head = [] }: Encoding): Uint8Array<ArrayBuffer> => {
  const { width = 0, height = 0 } = planes[0] ?? {}
  const ids = planes.map((_, i) => i + 1)
  const table = tableFor(quality)
  const out: number[] = [
    ...[0xff, 0xd8],
    ...head,
    ...segment(0xdb, 0, ...ZIGZAG.map((at) => table[at] ?? 1)),
    ...segment(
      0xc0,
      8,
      height >> 8,
      height & 255,
      width >> 8,
      width & 255,
      ids.length,
      ...ids.flatMap((id) => [id, 0x11, 0]),
    ),
    ...segment(0xc4, 0x00, ...DC.counts, ...DC.values),
    ...segment(0xc4, 0x10, ...AC.counts, ...AC.values),
    ...segment(0xda, ids.length, ...ids.flatMap((id) => [id, 0]), 0, 63, 0),
  ]
  let bits = 0
  let held = 0
  const put = (value: number, length: number): void => {
    for (let i = length - 1; i >= 0; i--) {
      bits = (bits << 1) | ((value >> i) & 1)
      if (++held < 8) continue
      out.push(bits)
      if (bits === 0xff) out.push(0)
      bits = 0
      held = 0
    }
  }
  const putCode = (codes: typeof DC_CODES, symbol: number): void => {
    const [code, length] = codes.get(symbol) ?? [0, 0]
    put(code, length)
  }
  const sizeOf = (value: number): number => (value === 0 ? 0 : 32 - Math.clz32(Math.abs(value)))
  // F.1.2.1.1: negative values as one's complement.
  const putValue = (value: number, size: number): void => put(value < 0 ? value + (1 << size) - 1 : value, size)

  const lastDcs = ids.map(() => 0)
  const putBlock = (block: Float64Array, plane: number): void => {
    const coefficients = transform(block)
    const quantised = ZIGZAG.map((at) => Math.round((coefficients[at] ?? 0) / (table[at] ?? 1)))
    const dc = quantised[0] ?? 0
    const step = dc - (lastDcs[plane] ?? 0)
    putCode(DC_CODES, sizeOf(step))
    putValue(step, sizeOf(step))
    lastDcs[plane] = dc
    const last = quantised.findLastIndex((value) => value !== 0)
    let zeros = 0
    for (let i = 1; i <= last; i++) {
      const value = quantised[i] ?? 0
      if (value === 0) {
        zeros += 1
        continue
      }
      for (; zeros > 15; zeros -= 16) putCode(AC_CODES, 0xf0)
      putCode(AC_CODES, (zeros << 4) | sizeOf(value))
      putValue(value, sizeOf(value))
      zeros = 0
    }
    if (last < 63) putCode(AC_CODES, 0)
  }
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      for (const [n, plane] of planes.entries()) putBlock(blockAt(plane, left, top), n)
    }
  }
  if (held > 0) put(0x7f, 8 - held)
  out.push(0xff, 0xd9)
  return Uint8Array.from(out)
}
