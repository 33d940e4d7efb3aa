import type { Pixels } from './picture.ts'

const WHITE = 255
const BLACK = 0

const laidOn = ({ width, height, rgba }: Pixels, paper: number): Pixels => {
  const solid = new Uint8ClampedArray(rgba.length)
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 255
    for (let i = at; i < at + 3; i++) solid[i] = ((rgba[i] ?? 0) * alpha + paper * (255 - alpha)) / 255
    solid[at + 3] = 255
  }
  return { width, height, rgba: solid }
}

const isSolid = ({ rgba }: Pixels): boolean => {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false
  return true
}

/** The picture as an eye sees it: what shines through is white paper, or else a dark table. Made one at a time. */
export function* onPaper(pixels: Pixels): Generator<Pixels> {
  if (isSolid(pixels)) {
    yield pixels
    return
  }
  yield laidOn(pixels, WHITE)
  yield laidOn(pixels, BLACK)
}
