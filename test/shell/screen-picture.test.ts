import { describe, expect, it } from 'vitest'
import { encodePicture, type Image, pictureSize } from '../../src-main/shell/screen-picture.ts'

const display = (width: number, height: number, scaleFactor = 1) => ({ size: { width, height }, scaleFactor })

const goodImage = (): Image => ({
  isEmpty: () => false,
  toPNG: () => Buffer.from([1, 2, 3]),
  toJPEG: () => Buffer.from([4, 5, 6]),
})

describe('the picture of the screen', () => {
  it('has room for every display in its own pixels', () => {
    expect(pictureSize([display(1920, 1080), display(1440, 900, 2)])).toEqual({ width: 2880, height: 1800 })
    expect(pictureSize([display(1512, 982, 1.25)])).toEqual({ width: 1890, height: 1228 })
  })

  it('is never larger than a phone’s camera takes, and never nothing', () => {
    expect(pictureSize([display(20_000, 10_000)])).toEqual({ width: 8192, height: 8192 })
    expect(pictureSize([])).toEqual({ width: 1, height: 1 })
  })

  it('is a PNG', () => {
    expect(encodePicture(goodImage())).toEqual({ type: 'png', data: 'AQID' })
  })

  it('is a JPEG where a PNG would not fit through the control interface', () => {
    const image = { ...goodImage(), toPNG: () => Buffer.alloc(16_000_001) }
    expect(encodePicture(image)).toEqual({ type: 'jpeg', data: 'BAUG' })
  })

  it('is only its own octets, wherever they lie', () => {
    const bytes = Buffer.from([9, 1, 2, 3, 9]).subarray(1, 4)
    expect(encodePicture({ ...goodImage(), toPNG: () => bytes })?.data).toBe('AQID')
  })

  it('is left out when the system gave none', () => {
    expect(encodePicture({ ...goodImage(), isEmpty: () => true })).toBeUndefined()
  })
})
