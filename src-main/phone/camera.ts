import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parseMessageAddress } from '../protocol/message-address.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import type { Picture } from './picture.ts'
import { isPicture } from './picture.ts'

type Reader = typeof import('zxing-wasm/reader')

let loading: Promise<Reader> | undefined

/** From the package on disk: left to itself the library would fetch its code from a network. */
const load = async (): Promise<Reader> => {
  const reader = await import('zxing-wasm/reader')
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  const wasm = await readFile(file)
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)
  await reader.prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  return reader
}

const reader = (): Promise<Reader> => {
  loading ??= load()
  return loading
}

/** Every QR code in the picture, as text. */
export const readCodes = async (picture: Picture): Promise<Result<readonly string[], PhoneRefusal>> => {
  if (!isPicture(picture)) return err(refusePhone('unreadable_picture'))
  const { readBarcodes } = await reader()
  const input =
    picture instanceof Uint8Array
      ? picture
      : {
          width: picture.width,
          height: picture.height,
          data: new Uint8ClampedArray(picture.rgba),
          colorSpace: 'srgb' as const,
        }
  const found = await readBarcodes(input as Parameters<Reader['readBarcodes']>[0], {
    formats: ['QRCode'],
    tryHarder: true,
    tryRotate: true,
    tryInvert: true,
    tryDownscale: true,
    maxNumberOfSymbols: 8,
  })
  return ok(found.filter(({ isValid }) => isValid).map(({ text }) => text))
}

/** What the camera makes of a picture: the one code of ours in it. */
export const readMessageCode = async (picture: Picture): Promise<Result<string, PhoneRefusal>> => {
  const codes = await readCodes(picture)
  if (!codes.ok) return codes
  if (codes.value.length === 0) return err(refusePhone('no_code'))
  const ours = codes.value.find((text) => parseMessageAddress(text).ok)
  return ours === undefined ? err(refusePhone('not_ours')) : ok(ours)
}
