import type { NativeImage } from 'electron'
import type { Picture } from './scan.ts'

export type Image = Pick<NativeImage, 'isEmpty' | 'toPNG' | 'toJPEG'>

// A phone's camera takes up to 40 million pixels; the largest screens have 33.
const LARGEST_SIDE = 8192

/** Four thirds of it are base64, and the control interface takes 24 million characters. */
const LARGEST_FILE = 16_000_000

type Display = {
  readonly size: { readonly width: number; readonly height: number }
  readonly scaleFactor: number
}

/** Every display in its own pixels: a code that is shown small must not become smaller. */
export const pictureSize = (displays: readonly Display[]): { readonly width: number; readonly height: number } => {
  const side = (name: 'width' | 'height'): number =>
    Math.min(LARGEST_SIDE, Math.max(1, ...displays.map(({ size, scaleFactor }) => Math.ceil(size[name] * scaleFactor))))
  return { width: side('width'), height: side('height') }
}

/** PNG keeps every edge; a screen full of photographs is too large for it, and a code survives JPEG well. */
export const encodePicture = (image: Image): Picture | undefined => {
  if (image.isEmpty()) return undefined
  const png = image.toPNG()
  return png.length <= LARGEST_FILE
    ? { type: 'png', data: png.toString('base64') }
    : { type: 'jpeg', data: image.toJPEG(92).toString('base64') }
}
