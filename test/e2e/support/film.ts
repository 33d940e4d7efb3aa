import type { Picture } from '../../../src-main/scenario/qr-picture.ts'

const WIDTH = 640
const HEIGHT = 480
const WHITE = 235
const BLACK = 16

/** A film of one frame in YUV4MPEG2, as a browser takes it in the place of a webcam: the picture on white paper. */
export const filmOf = ({ width, height, rgba }: Picture): Buffer => {
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE)
  const left = (WIDTH - width) >> 1
  const top = (HEIGHT - height) >> 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((rgba[(y * width + x) * 4] ?? 0) < 128) luma[(y + top) * WIDTH + x + left] = BLACK
    }
  }
  const noColour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n`), luma, noColour])
}
