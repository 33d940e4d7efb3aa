import { afterAll, describe, expect, it } from 'vitest'
import { readMessageCode } from '../../../src-main/phone/camera.ts'
import { distortions, spoiltPictures, wantedText } from '../../support/camera/distortions.ts'
import { drawScene, toRgba } from '../../support/camera/draw-codes.ts'
import { encodeJpeg } from '../../support/camera/encode-jpeg.ts'
import { isLong } from '../../support/parts.ts'

/** docs/camera.md goes on with the same series. */
const SAMPLES = isLong ? 6 : 3

describe('the camera through', () => {
  const tally = { read: 0, all: 0 }

  it.each(Object.entries(distortions))('%s', async (name, [least]) => {
    let read = 0
    for (const picture of spoiltPictures(name, SAMPLES)) {
      const grey = drawScene(picture.scene)
      const found = await readMessageCode(
        picture.quality === undefined ? toRgba(grey) : encodeJpeg(grey, picture.quality),
      )
      if (found.ok && found.value === wantedText(picture)) read += 1
    }
    tally.read += read
    tally.all += SAMPLES
    expect(read / SAMPLES).toBeGreaterThanOrEqual(least)
  })

  afterAll(() => {
    expect(tally.read / tally.all).toBeGreaterThanOrEqual(0.95)
  })
})
