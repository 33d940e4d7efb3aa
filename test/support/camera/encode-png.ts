import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, body: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const out = Buffer.alloc(named.length + 8)
  out.writeUInt32BE(body.length, 0)
  named.copy(out, 4)
  out.writeUInt32BE(crc32(named), named.length + 4)
  return out
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A PNG of any kind, from its parts; chunks before the picture's data are taken as they are. */
export const assemblePng = (png: {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colour: number
  readonly interlaced?: boolean
  readonly before?: Readonly<Record<string, Uint8Array>>
  readonly raw: Uint8Array
}): Uint8Array<ArrayBuffer> => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(png.width, 0)
  head.writeUInt32BE(png.height, 4)
  head.set([png.depth, png.colour, 0, 0, png.interlaced === true ? 1 : 0], 8)
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      chunk('IHDR', head),
      ...Object.entries(png.before ?? {}).map(([type, body]) => chunk(type, body)),
      chunk('IDAT', deflateSync(png.raw)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

/** ISO/IEC 15948: eight bits of red, green, blue and alpha, unfiltered. */
export const encodePng = (picture: {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array | Uint8ClampedArray
}): Uint8Array<ArrayBuffer> => {
  const { width, height, rgba } = picture
  const raw = Buffer.alloc(height * (width * 4 + 1))
  for (let y = 0; y < height; y++) raw.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1)
  return assemblePng({ width, height, depth: 8, colour: 6, raw })
}
