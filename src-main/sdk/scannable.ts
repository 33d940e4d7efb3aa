import type { Body } from './client.ts'
import { PhoneError } from './errors.ts'
import { pause, realNow } from './real-time.ts'

/** Input of a phone's camera: the text of a code, a PNG or JPEG, pixels, or an object with `screenshot`. */
export type Scannable =
  | string
  | Uint8Array
  | { readonly width: number; readonly height: number; readonly data: Uint8Array | Uint8ClampedArray }
  | { screenshot(): Promise<Uint8Array> }

type Scan = Body<'phones.scan'>

/** Longest wait until screenshots show a code. */
const LOOKING_MS = 10_000
const BETWEEN_LOOKS_MS = 100

/** Repeats screenshots, since a page may draw the code later. */
export const scanUntilRead = async <T>(code: Scannable, scan: (body: Scan) => Promise<T>): Promise<T> => {
  if (typeof code === 'string') return scan({ url: code })
  if (code instanceof Uint8Array) return scan({ image: encodePicture(code) })
  if (!('screenshot' in code)) {
    const { width, height, data } = code
    return scan({ rgba: { width, height, data: base64(data) } })
  }
  const end = realNow() + LOOKING_MS
  for (;;) {
    try {
      return await scan({ image: encodePicture(await code.screenshot()), glance: true })
    } catch (error) {
      if (!(error instanceof PhoneError) || error.code !== 'no_code' || realNow() > end) throw error
    }
    await pause(BETWEEN_LOOKS_MS)
  }
}

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint8ClampedArray): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

const BEGINNINGS = { png: [0x89, 0x50, 0x4e, 0x47], jpeg: [0xff, 0xd8, 0xff] } as const

/** Throws unless it begins as a PNG or a JPEG. */
export const encodePicture = (
  picture: Uint8Array,
): { readonly type: keyof typeof BEGINNINGS; readonly data: string } => {
  for (const type of ['png', 'jpeg'] as const) {
    if (BEGINNINGS[type].every((octet, i) => picture[i] === octet)) return { type, data: base64(picture) }
  }
  throw new PhoneError({ code: 'unreadable_picture', error: 'The picture must be a PNG or a JPEG.' })
}
