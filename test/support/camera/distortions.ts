import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { encodeMessageAddress } from '../../../src-main/core/protocol/message-address.ts'
import { randomBelow } from '../../../src-main/core/protocol/random.ts'
import type { Placed, Scene } from './draw-codes.ts'

/** A code of this length has so many modules, with its quiet zone. */
const MODULES = 41

type Draw = { readonly between: (from: number, to: number) => number; readonly address: () => string }
/** A scene, and the quality of the JPEG it is seen through; without one it is seen as it is. */
export type Spoilt = { readonly scene: Scene; readonly quality?: number }

type Make = (draw: Draw) => Spoilt

const square = (side: number, code: Placed, more: Partial<Scene> = {}): Scene => ({
  ...{ width: side, height: side, codes: [code] },
  ...more,
})

/** A message's code of such a size, turned by any angle. */
const turned = (
  { address, between }: Draw,
  least: number,
  most: number,
  [from, to] = [0, 360] as readonly [number, number],
): Placed => ({ ...{ text: address(), size: between(least, most), rotation: between(from, to) } })

const blurred = ({ between, address }: Draw, least: number, most: number): Spoilt => {
  const size = between(150, 350)
  return { scene: square(400, { text: address(), size }, { blur: (between(least, most) * size) / MODULES }) }
}

/** Each with the part of its pictures that must be read; the code that counts is the last one of the scene. */
export const distortions: Readonly<Record<string, readonly [least: number, make: Make]>> = {
  'sizes from 120 to 1,200 pixels': [
    1,
    ({ between, address }) => {
      const size = Math.round(120 * 10 ** between(0, 1))
      return { scene: square(Math.ceil(size * 1.1), { text: address(), size }) }
    },
  ],
  'any rotation': [0.95, (draw) => ({ scene: square(420, turned(draw, 150, 290)) })],
  'a tilt of up to 40 degrees': [
    0.95,
    (draw) => ({ scene: square(420, { ...turned(draw, 200, 320, [-20, 20]), tilt: tiltBy(draw, 40) }) }),
  ],
  'blur of up to 0.45 modules': [0.95, (draw) => blurred(draw, 0.1, 0.45)],
  'JPEG of quality 40': [0.95, (draw) => ({ quality: 40, scene: square(420, turned(draw, 120, 290)) })],
  'light on dark': [
    0.95,
    (draw) => ({ scene: square(420, { ...turned(draw, 120, 290), inverted: true }, { page: draw.between(0, 30) }) }),
  ],
  'a dark page around it': [
    0.95,
    (draw) => ({ scene: square(420, turned(draw, 120, 290), { page: draw.between(0, 40) }) }),
  ],
  'little contrast': [
    0.95,
    (draw) => {
      const code = turned(draw, 160, 290)
      return { scene: square(420, code, { page: 140, light: draw.between(120, 160), dark: draw.between(60, 90) }) }
    },
  ],
  'another code beside it': [
    0.95,
    (draw) => {
      const other = { text: 'https://restaurant.example/menu', size: draw.between(160, 340) }
      const codes: readonly Placed[] = [
        { ...other, rotation: draw.between(-10, 10), at: [0.25, 0.5] },
        { ...turned(draw, 160, 340, [-10, 10]), at: [0.75, 0.5] },
      ]
      return { scene: { width: 800, height: 400, codes } }
    },
  ],
  'everything at once': [
    0.9,
    (draw) => {
      const tilted = { ...turned(draw, 200, 340), tilt: tiltBy(draw, 25) }
      const code = { ...tilted, inverted: draw.between(0, 1) < 0.2 }
      return { quality: 40, scene: square(520, code, { page: draw.between(0, 255), blur: draw.between(0.3, 1) }) }
    },
  ],
}

const tiltBy = ({ between }: Draw, most: number) => [between(-most, most), between(-most, most)] as const

/** Beyond what must be read: where the camera comes to its end. */
export const edges: Readonly<Record<string, Make>> = {
  'sizes from 40 to 120 pixels': (draw) => ({ scene: square(160, turned(draw, 40, 120)) }),
  'a tilt of 40 to 70 degrees': ({ between, address }) => ({
    scene: square(420, { text: address(), size: between(200, 320), tilt: [between(40, 70), 0] }),
  }),
  'blur of 0.45 to 1 module': (draw) => blurred(draw, 0.45, 1),
  'JPEG of quality 1 to 20': (draw) => ({
    quality: Math.round(draw.between(1, 20)),
    scene: square(420, turned(draw, 120, 290)),
  }),
  'a contrast of 2 to 30 levels': (draw) => ({
    scene: square(420, turned(draw, 160, 290), { page: 140, light: 130, dark: 130 - draw.between(2, 30) }),
  }),
}

const drawFrom = (name: string): Draw => {
  const source = createRandom({ seed: 20 }).stream('main', name, 'camera')
  return {
    between: (from, to) => from + (randomBelow(source, 1_000_000) / 1_000_000) * (to - from),
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
