import type { Body } from './client.ts'
import { PhoneError } from './errors.ts'

/** What a phone's camera can be held over: what a code says, a PNG or JPEG, pixels, or what takes a picture of itself. */
export type Scannable =
  | string
  | Uint8Array
  | { readonly width: number; readonly height: number; readonly data: Uint8Array | Uint8ClampedArray }
  | { screenshot(): Promise<Uint8Array> }

export const codeBody = async (code: Scannable): Promise<Body<'phones.scan'>> => {
  if (typeof code === 'string') return { url: code }
  if (code instanceof Uint8Array) return { image: { type: typeOf(code), data: base64(code) } }
  if ('screenshot' in code) return codeBody(await code.screenshot())
  const { width, height, data } = code
  return { rgba: { width, height, data: base64(data) } }
}

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint8ClampedArray): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

const BEGINNINGS = { png: [0x89, 0x50, 0x4e, 0x47], jpeg: [0xff, 0xd8, 0xff] } as const

const typeOf = (picture: Uint8Array): keyof typeof BEGINNINGS => {
  for (const type of ['png', 'jpeg'] as const) {
    if (BEGINNINGS[type].every((octet, i) => picture[i] === octet)) return type
  }
  throw new PhoneError({ code: 'unreadable_picture', error: 'The picture must be a PNG or a JPEG.' })
}
