import type { Bytes } from '../../core/protocol/bytes.ts'

/** Pixels in rows from the top, four octets each: red, green, blue, alpha. */
export type Pixels = { readonly width: number; readonly height: number; readonly rgba: Uint8Array | Uint8ClampedArray }

export type Picture = Bytes | Pixels

// An 8K screen has 33 million pixels; no useful picture has more.
const LARGEST_SIDE = 16_384
const MAX_PIXELS = 40_000_000

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean => start.every((byte, i) => bytes[i] === byte)

export const isPng = (picture: Picture): picture is Bytes => picture instanceof Uint8Array && startsWith(picture, PNG)

const uint16At = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

// ISO/IEC 15948 §11.2.1: IHDR is the first chunk.
const pngSize = (bytes: Uint8Array): readonly [number, number] => [
  uint16At(bytes, 16) * 65_536 + uint16At(bytes, 18),
  uint16At(bytes, 20) * 65_536 + uint16At(bytes, 22),
]

// ISO/IEC 15948 §11.2.5: a file without IEND was cut off. Some programs append a little data to it.
const endsAsPng = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(-4096)).includes('IEND', 0, 'latin1')

// ITU-T T.81 §B.2.2: segments up to the first frame header; SOF is C0–CF except C4, C8 and CC.
const jpegSize = (bytes: Uint8Array): readonly [number, number] => {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return [uint16At(bytes, at + 7), uint16At(bytes, at + 5)]
    } else at += 2 + Math.max(2, uint16At(bytes, at + 2))
  }
  return [0, 0]
}

const isReadableSize = ([width, height]: readonly [number, number]): boolean =>
  width > 0 && height > 0 && width <= LARGEST_SIDE && height <= LARGEST_SIDE && width * height <= MAX_PIXELS

/** Accepts known formats up to a size at which even a false header cannot exhaust memory. */
export const isPicture = (picture: Picture): boolean => {
  if (!(picture instanceof Uint8Array)) {
    const { width, height, rgba } = picture
    return (
      Number.isInteger(width) &&
      Number.isInteger(height) &&
      isReadableSize([width, height]) &&
      rgba.length === width * height * 4
    )
  }
  if (isPng(picture)) return isReadableSize(pngSize(picture)) && endsAsPng(picture)
  return startsWith(picture, JPEG) && isReadableSize(jpegSize(picture))
}
