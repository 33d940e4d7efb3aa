import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import type { NativeImage } from 'electron'
import type { Picture } from './scan.ts'

export type Image = Pick<NativeImage, 'isEmpty' | 'getSize' | 'toBitmap' | 'toJPEG'>

// A phone's camera takes up to 40 million pixels; the largest screens have 33.
const LARGEST_SIDE = 8192

/** Base64 makes the picture a third larger, and the control interface takes 24 million characters. */
const LARGEST_FILE = 16_000_000

type Display = { readonly size: { readonly width: number; readonly height: number }; readonly scaleFactor: number }

/** A size at which every display keeps its own pixels, so that a small code stays readable. */
export const pictureSize = (displays: readonly Display[]): { readonly width: number; readonly height: number } => {
  const side = (name: 'width' | 'height'): number =>
    Math.min(LARGEST_SIDE, Math.max(1, ...displays.map(({ size, scaleFactor }) => Math.ceil(size[name] * scaleFactor))))
  return { width: side('width'), height: side('height') }
}

/** PNG keeps every edge. For a screen full of photographs, which is too large as PNG, JPEG is good enough. */
export const encodePicture = async (image: Image, largest = LARGEST_FILE): Promise<Picture | undefined> => {
  if (image.isEmpty()) return undefined
  const png = await encodeGrey(image)
  return png.length <= largest
    ? { type: 'png', data: png.toString('base64') }
    : { type: 'jpeg', data: image.toJPEG(92).toString('base64') }
}

/** Rows per slice of a few milliseconds; the window is served between slices. */
const ROWS_AT_ONCE = 64

const deflated = promisify(deflate)

/** PNG (ISO/IEC 15948) in 8-bit grey, as a camera sees a code. Electron's toPNG() can block the window for seconds. */
const encodeGrey = async (image: Image): Promise<Buffer> => {
  const { width, height } = image.getSize()
  const bgra = image.toBitmap()
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    // §9.2: each row begins with its filter type; 0 means none.
    const row = rows.subarray(y * (width + 1) + 1)
    for (let x = 0, at = y * width * 4; x < width; x++, at += 4) {
      row[x] = ((bgra[at] ?? 0) * 29 + (bgra[at + 1] ?? 0) * 150 + (bgra[at + 2] ?? 0) * 77) >> 8
    }
    if (y % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn()
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const data = await deflated(rows, { level: 1 })
  return Buffer.concat([SIGNATURE, ...chunk('IHDR', head), ...chunk('IDAT', data), ...chunk('IEND', Buffer.alloc(0))])
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

const chunk = (type: string, data: Buffer): readonly Buffer[] => {
  const name = Buffer.from(type, 'latin1')
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(data, crc32(name)))
  return [length, name, data, check]
}
