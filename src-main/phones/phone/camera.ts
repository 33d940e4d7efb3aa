import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { parseMessageAddress } from '../../core/protocol/message-address.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { decodePng } from './decode-png.ts'
import { type PhoneRefusal, type PhoneResult, refusePhone } from './phone-state.ts'
import { isPicture, isPng, type Picture, type Pixels } from './picture.ts'

export type CodesOrRefusal = Result<readonly string[], PhoneRefusal>
export type CameraRequest = { readonly of: number; readonly picture: Picture }
export type CameraResult = { readonly of: number; readonly codes: CodesOrRefusal }

type Reader = typeof import('zxing-wasm/reader')

let loading: Promise<Reader> | undefined

/** Loads from disk: by default the library fetches its code from a network. `#` names are in package.json. */
const load = async (): Promise<Reader> => {
  const reader = await import('zxing-wasm/reader')
  const file = createRequire(import.meta.url).resolve('#reader.wasm')
  const wasm = await readFile(file)
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)
  await reader.prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  return reader
}

const reader = (): Promise<Reader> => {
  loading ??= load()
  return loading
}

type Look = NonNullable<Parameters<Reader['readBarcodes']>[1]>

const FOUND: Look = { tryHarder: true, tryRotate: true, tryInvert: true, tryDownscale: true, maxNumberOfSymbols: 8 }

/** A local threshold finds most codes; a global one finds others, at a steep angle or in bad light. */
const LOOKS: readonly Look[] = [
  { ...FOUND, binarizer: 'LocalAverage' },
  { ...FOUND, binarizer: 'GlobalHistogram' },
]

/** For a code drawn by a program, upright and alone: no search is needed. */
const DRAWN: Look = {
  ...{ isPure: true, binarizer: 'FixedThreshold', maxNumberOfSymbols: 1 },
  ...{ tryHarder: false, tryRotate: false, tryInvert: false, tryDownscale: false },
}
/** Maximum number of pixels of a drawn code. The largest has 177 modules a side; a camera's pictures are larger. */
const MAX_DRAWN = 256 * 256

const isSmall = (picture: Picture): boolean =>
  !(picture instanceof Uint8Array) && picture.width * picture.height <= MAX_DRAWN

const lookAt = async (picture: Picture, look: Look): Promise<readonly string[]> => {
  const { readBarcodes } = await reader()
  // The reader uses only these members of an ImageData.
  const input = picture instanceof Uint8Array ? picture : ({ ...picture, data: picture.rgba } as object)
  const found = await readBarcodes(input as Parameters<Reader['readBarcodes']>[0], { formats: ['QRCode'], ...look })
  return found.filter(({ isValid }) => isValid).map(({ text }) => text)
}

/** Blocks this thread while it reads. */
export const readCodesInThread = async (given: Picture): Promise<CodesOrRefusal> => {
  const picture = isPng(given) ? await decodePng(given) : given
  if (picture === undefined) return err(refusePhone('unreadable_picture'))
  for (const look of isSmall(picture) ? [DRAWN, ...LOOKS] : LOOKS) {
    for (const input of onPaper(picture)) {
      const texts = await lookAt(input, look)
      if (texts.length > 0) return ok(texts)
    }
  }
  return ok([])
}

/** The process's only reader thread. The first picture that needs it starts it; it does not keep the process alive. */
let thread: Worker | undefined
let last = 0
const waiting = new Map<number, (codes: CodesOrRefusal) => void>()

/** The thread's file: the source, or the bundle of a build. */
const fileOfThread = (): string =>
  import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, 'camera-thread.ts')
    : createRequire(import.meta.url).resolve('#camera-thread')

const startThread = (): Worker => {
  const worker = new Worker(fileOfThread())
  const fail = (): void => {
    if (thread !== worker) return
    thread = undefined
    for (const resolve of waiting.values()) resolve(err(refusePhone('camera_failed')))
    waiting.clear()
  }
  worker.once('error', fail)
  worker.once('exit', fail)
  worker.on('message', ({ of, codes }: CameraResult) => {
    waiting.get(of)?.(codes)
    waiting.delete(of)
    if (waiting.size === 0) worker.unref()
  })
  // If the first picture cannot be posted, the idle thread must not keep the process alive.
  worker.unref()
  return worker
}

/** Moves the picture's memory to the thread that reads it. */
const readInThread = (picture: Picture): Promise<CodesOrRefusal> =>
  new Promise((resolve) => {
    const { buffer, byteLength } = picture instanceof Uint8Array ? picture : picture.rgba
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    const message: CameraRequest = { of: ++last, picture }
    try {
      thread ??= startThread()
      thread.postMessage(message, isWhole ? [buffer] : [])
      thread.ref()
      waiting.set(message.of, resolve)
    } catch {
      resolve(err(refusePhone('camera_failed')))
    }
  })

/** Reading a large screen takes a second but does not block this thread. The caller gives the picture away. */
export const readCodes = async (picture: Picture): Promise<CodesOrRefusal> => {
  if (!isPicture(picture)) return err(refusePhone('unreadable_picture'))
  return isSmall(picture) ? readCodesInThread(picture) : readInThread(picture)
}

export const readMessageCode = async (picture: Picture): PhoneResult<string> => {
  const codes = await readCodes(picture)
  if (!codes.ok) return codes
  if (codes.value.length === 0) return err(refusePhone('no_code'))
  const ours = codes.value.find((text) => parseMessageAddress(text).ok)
  return ours === undefined ? err(refusePhone('not_ours')) : ok(ours)
}

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

/**
 * Yields a picture with transparent parts on a white ground, then on a black one, because the reader ignores
 * transparency. Each copy is made only when it is needed.
 */
function* onPaper(picture: Picture): Generator<Picture> {
  if (picture instanceof Uint8Array || isSolid(picture)) yield picture
  else for (const paper of [WHITE, BLACK]) yield laidOn(picture, paper)
}
