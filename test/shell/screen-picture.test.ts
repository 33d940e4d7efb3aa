import { expect, it } from 'vitest'
import { readCodes } from '../../src-main/phones/phone/camera.ts'
import { encodePicture, type Image, pictureSize } from '../../src-main/shell/screen-picture.ts'
import { qrPicture } from '../../src-main/testing/scenario/qr-picture.ts'

const display = (width: number, height: number, scaleFactor = 1) => ({ size: { width, height }, scaleFactor })

/** A code in red on green, as the system lays pixels: blue, green, red, alpha. */
const goodImage = (): Image => {
  const { width, height, rgba } = qrPicture('x')
  const bgra = Buffer.from(rgba.map((light, i) => [0, light, 255 - light, 255][i % 4] ?? 0))
  return {
    isEmpty: () => false,
    getSize: () => ({ width, height }),
    toBitmap: () => bgra,
    toJPEG: () => Buffer.from([4, 5, 6]),
  }
}

it('the picture of the screen has room for every display in its own pixels', () => {
  expect(pictureSize([display(1920, 1080), display(1440, 900, 2)])).toEqual({ width: 2880, height: 1800 })
  expect(pictureSize([display(1512, 982, 1.25)])).toEqual({ width: 1890, height: 1228 })
})

it('the picture of the screen is never larger than a phone’s camera takes, and never nothing', () => {
  expect(pictureSize([display(20_000, 10_000)])).toEqual({ width: 8192, height: 8192 })
  expect(pictureSize([])).toEqual({ width: 1, height: 1 })
})

it('the picture of the screen is a PNG in which a code can be read', async () => {
  const picture = await encodePicture(goodImage())
  expect(picture?.type).toBe('png')
  expect(await readCodes(Buffer.from(picture?.data ?? '', 'base64'))).toEqual({ ok: true, value: ['x'] })
})

it('the picture of the screen lets others run while a large screen is encoded', async () => {
  let turns = 0
  let done = false
  const turn = (): void => {
    turns += 1
    if (!done) setImmediate(turn)
  }
  setImmediate(turn)
  const [width, height] = [512, 1024]
  const size = { getSize: () => ({ width, height }), toBitmap: () => Buffer.alloc(width * height * 4) }
  await encodePicture({ ...goodImage(), ...size })
  done = true
  expect(turns).toBeGreaterThan(8)
})

it('the picture of the screen is a JPEG where a PNG would not fit through the control interface', async () => {
  expect(await encodePicture(goodImage(), 9)).toEqual({ type: 'jpeg', data: 'BAUG' })
})

it('the picture of the screen is left out when the system gave none', async () => {
  expect(await encodePicture({ ...goodImage(), isEmpty: () => true })).toBeUndefined()
})
