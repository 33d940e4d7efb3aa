import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { encodeMessageAddress } from '../../../src-main/core/protocol/message-address.ts'
import { below } from '../../../src-main/core/protocol/random.ts'
import type { Placed, Scene } from './draw-codes.ts'

/** A code of this length has so many modules, with its quiet zone. */
const MODULES = 41

type Draw = {
  readonly between: (from: number, to: number) => number
  readonly address: () => string
}
/** A scene, and the quality of the JPEG it is seen through; without one it is seen as it is. */
export type Spoilt = { readonly scene: Scene; readonly quality?: number }

type Make = (draw: Draw) => Spoilt

const square = (side: number, code: Placed, more: Partial<Scene> = {}): Scene => ({
  width: side,
  height: side,
  codes: [code],
  ...more,
})

/** Each with the part of its pictures that must be read; the code that counts is the last one of the scene. */
export const distortions: Readonly<Record<string, readonly [least: number, make: Make]>> = {
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

/** Beyond what must be read: where the camera comes to its end. */
export const edges: Readonly<Record<string, Make>> = {
  'sizes from 40 to 120 pixels': ({ between, address }) => ({
    scene: square(160, { text: address(), size: between(40, 120), rotation: between(0, 360) }),
  }),
  'a tilt of 40 to 70 degrees': ({ between, address }) => ({
    scene: square(420, { text: address(), size: between(200, 320), tilt: [between(40, 70), 0] }),
  }),
  'blur of 0.45 to 1 module': ({ between, address }) => {
    const size = between(150, 350)
    return { scene: square(400, { text: address(), size }, { blur: (between(0.45, 1) * size) / MODULES }) }
  },
  'JPEG of quality 1 to 20': ({ between, address }) => ({
    quality: Math.round(between(1, 20)),
    scene: square(420, { text: address(), size: between(120, 290), rotation: between(0, 360) }),
  }),
  'a contrast of 2 to 30 levels': ({ between, address }) => ({
    scene: square(
      420,
      { text: address(), size: between(160, 290), rotation: between(0, 360) },
      { page: 140, light: 130, dark: 130 - between(2, 30) },
    ),
  }),
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

/** The same pictures each time: a longer series begins with the shorter one. */
export const spoiltPictures = (name: string, count: number): readonly Spoilt[] => {
  const draw = drawFrom(name)
  const make = distortions[name]?.[1] ?? edges[name]
  if (make === undefined) throw new Error(`no distortion is called ${name}`)
  return Array.from({ length: count }, () => make(draw))
}

/** The text that is to be read from it. */
export const wantedText = ({ scene }: Spoilt): string => scene.codes.at(-1)?.text ?? ''
