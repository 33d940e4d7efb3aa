import { afterAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../../src-main/harness/random.ts'
import { readMessageCode } from '../../../src-main/phone/camera.ts'
import { toBase64url } from '../../../src-main/protocol/bytes.ts'
import { encodeMessageAddress } from '../../../src-main/protocol/message-address.ts'
import { below } from '../../../src-main/protocol/random.ts'
import { drawScene, type Placed, type Scene, toRgba } from '../../support/camera/draw-codes.ts'
import { encodeJpeg } from '../../support/camera/encode-jpeg.ts'

const SAMPLES = 12
/** A code of this length has so many modules, with its quiet zone. */
const MODULES = 41

type Draw = {
  readonly between: (from: number, to: number) => number
  readonly address: () => string
}
type Picture = { readonly scene: Scene; readonly quality?: number }

const square = (side: number, code: Placed, more: Partial<Scene> = {}): Scene => ({
  width: side,
  height: side,
  codes: [code],
  ...more,
})

/** Each with the part of its pictures that must be read; the code that counts is the last one of the scene. */
const distortions: Readonly<Record<string, readonly [least: number, make: (draw: Draw) => Picture]>> = {
  'sizes from 120 to 1,200 pixels': [
    1,
    ({ between, address }) => {
      const size = Math.round(120 * 10 ** between(0, 1))
      return { scene: square(Math.ceil(size * 1.1), { text: address(), size }) }
    },
  ],
  'any rotation': [
    0.95,
    ({ between, address }) => ({
      scene: square(420, { text: address(), size: between(150, 290), rotation: between(0, 360) }),
    }),
  ],
  'a tilt of up to 40 degrees': [
    0.95,
    ({ between, address }) => ({
      scene: square(420, {
        text: address(),
        size: between(200, 320),
        rotation: between(-20, 20),
        tilt: [between(-40, 40), between(-40, 40)],
      }),
    }),
  ],
  'blur of up to 0.45 modules': [
    0.95,
    ({ between, address }) => {
      const size = between(150, 350)
      return { scene: square(400, { text: address(), size }, { blur: (between(0.1, 0.45) * size) / MODULES }) }
    },
  ],
  'JPEG of quality 40': [
    0.95,
    ({ between, address }) => ({
      quality: 40,
      scene: square(420, { text: address(), size: between(120, 290), rotation: between(0, 360) }),
    }),
  ],
  'light on dark': [
    0.95,
    ({ between, address }) => ({
      scene: square(
        420,
        { text: address(), size: between(120, 290), rotation: between(0, 360), inverted: true },
        { page: between(0, 30) },
      ),
    }),
  ],
  'a dark page around it': [
    0.95,
    ({ between, address }) => ({
      scene: square(
        420,
        { text: address(), size: between(120, 290), rotation: between(0, 360) },
        { page: between(0, 40) },
      ),
    }),
  ],
  'little contrast': [
    0.95,
    ({ between, address }) => ({
      scene: square(
        420,
        { text: address(), size: between(160, 290), rotation: between(0, 360) },
        { page: 140, light: between(120, 160), dark: between(60, 90) },
      ),
    }),
  ],
  'another code beside it': [
    0.95,
    ({ between, address }) => ({
      scene: {
        width: 800,
        height: 400,
        codes: [
          {
            text: 'https://restaurant.example/menu',
            size: between(160, 340),
            rotation: between(-10, 10),
            at: [0.25, 0.5],
          },
          { text: address(), size: between(160, 340), rotation: between(-10, 10), at: [0.75, 0.5] },
        ],
      },
    }),
  ],
  'everything at once': [
    0.9,
    ({ between, address }) => ({
      quality: 40,
      scene: square(
        520,
        {
          text: address(),
          size: between(200, 340),
          rotation: between(0, 360),
          tilt: [between(-25, 25), between(-25, 25)],
          inverted: between(0, 1) < 0.2,
        },
        { page: between(0, 255), blur: between(0.3, 1) },
      ),
    }),
  ],
}

const drawFrom = (name: string): Draw => {
  const source = createRandom({ seed: 20 }).stream('main', name, 'camera')
  return {
    between: (from, to) => from + (below(source, 1_000_000) / 1_000_000) * (to - from),
    address: () =>
      encodeMessageAddress({
        baseUrl: 'http://localhost:7420/fido',
        kind: 'authentication',
        msgId: toBase64url(source.bytes(16)),
      }),
  }
}

describe('the camera through', () => {
  const tally = { read: 0, all: 0 }

  it.each(Object.entries(distortions))('%s', async (name, [least, make]) => {
    const draw = drawFrom(name)
    let read = 0
    for (let i = 0; i < SAMPLES; i++) {
      const { scene, quality } = make(draw)
      const grey = drawScene(scene)
      const found = await readMessageCode(quality === undefined ? toRgba(grey) : encodeJpeg(grey, quality))
      if (found.ok && found.value === scene.codes.at(-1)?.text) read += 1
    }
    tally.read += read
    tally.all += SAMPLES
    expect(read / SAMPLES).toBeGreaterThanOrEqual(least)
  })

  afterAll(() => {
    expect(tally.read / tally.all).toBeGreaterThanOrEqual(0.95)
  })
})
