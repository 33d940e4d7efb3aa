import { encode } from 'uqr'

/** The input of a phone's camera: four octets a pixel, in rows from the top. */
export type Picture = { readonly width: number; readonly height: number; readonly rgba: Uint8Array }

export type QrPictureOptions = {
  /** Pixels per module. */
  readonly scale?: number
  /** Modules of quiet zone; the standard asks for four. */
  readonly quiet?: number
  /** One of the eight masks. Finding the best one for a camera takes most of the time. */
  readonly mask?: number
  /** Error correction. `medium` is raised as far as the size allows; `least` is not. */
  readonly redundancy?: 'least' | 'medium'
}

/** The code an RP would draw, as pixels, so that a phone really reads it. */
export const qrPicture = (text: string, options: QrPictureOptions = {}): Picture => {
  const { scale = 4, quiet = 4, mask = -1, redundancy = 'medium' } = options
  const least = redundancy === 'least'
  const { data, size } = encode(text, { ecc: least ? 'L' : 'M', boostEcc: !least, border: quiet, maskPattern: mask })
  const width = size * scale
  const pixels = new Uint32Array(width * width).fill(WHITE)
  for (const [y, row] of data.entries()) {
    for (const [x, dark] of row.entries()) {
      if (!dark) continue
      for (let line = y * scale; line < (y + 1) * scale; line++) {
        pixels.fill(BLACK, line * width + x * scale, line * width + (x + 1) * scale)
      }
    }
  }
  return { width, height: width, rgba: new Uint8Array(pixels.buffer) }
}

const WHITE = 0xff_ff_ff_ff
/** Little-endian, as every machine that Node runs on: the last octet is the alpha. */
const BLACK = 0xff_00_00_00
