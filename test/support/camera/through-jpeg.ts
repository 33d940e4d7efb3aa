import { blocksOf, COSINES, type Grey, tableFor, transform } from './encode-jpeg.ts'

// A.3.3, the other way round.
const inverse = (coefficients: Float64Array): Float64Array => {
  const rows = new Float64Array(64)
  const out = new Float64Array(64)
  for (let v = 0; v < 8; v++) {
    for (let x = 0; x < 8; x++) {
      let sum = 0
      for (let u = 0; u < 8; u++) sum += (coefficients[v * 8 + u] ?? 0) * (COSINES[u * 8 + x] ?? 0)
      rows[v * 8 + x] = sum
    }
  }
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      let sum = 0
      for (let v = 0; v < 8; v++) sum += (rows[v * 8 + x] ?? 0) * (COSINES[v * 8 + y] ?? 0)
      out[y * 8 + x] = sum
    }
  }
  return out
}

/** What a decoder makes of the JPEG, for readers that want pixels: what quantisation takes is all that gets lost. */
export const throughJpeg = (picture: Grey, quality: number): Grey => {
  const { width, height } = picture
  const table = tableFor(quality)
  const out = new Uint8Array(width * height)
  for (const { left, top, block } of blocksOf(picture)) {
    const kept = transform(block).map((value, at) => Math.round(value / (table[at] ?? 1)) * (table[at] ?? 1))
    for (const [i, value] of inverse(kept).entries()) {
      const [x, y] = [left + (i & 7), top + (i >> 3)]
      if (x < width && y < height) out[y * width + x] = Math.min(255, Math.max(0, Math.round(value + 128)))
    }
  }
  return { width, height, levels: out }
}
