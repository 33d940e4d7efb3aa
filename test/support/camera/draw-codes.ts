import { encode } from 'uqr'
import type { Grey } from './encode-jpeg.ts'

/** One code as it lies in the picture. */
export type Placed = {
  readonly text: string
  /** Side of the code with its quiet zone, in pixels, before it is tilted. */
  readonly size: number
  /** Middle of the code, as a part of the picture's sides. */
  readonly at?: readonly [x: number, y: number]
  /** Degrees. */
  readonly rotation?: number
  /** Degrees out of the plane, over the picture's x and y axis. */
  readonly tilt?: readonly [x: number, y: number]
  readonly inverted?: boolean
}

export type Scene = {
  readonly width: number
  readonly height: number
  readonly codes: readonly Placed[]
  /** Grey levels of light modules, dark modules and the page around the quiet zone. */
  readonly light?: number
  readonly dark?: number
  readonly page?: number
  /** Standard deviation of the blur, in pixels. */
  readonly blur?: number
}

const QUIET = 4
const SAMPLES = 2

const DISTANCE = 4

type Level = (x: number, y: number) => number | undefined

/**
 * The grey level of a code at a point of the picture; undefined beside it. The code is turned about its middle and
 * seen by a pinhole camera four of its sides away.
 */
const levelOf = (scene: Scene, placed: Placed): Level => {
  const { light = 255, dark = 0 } = scene
  const { size: side, at = [0.5, 0.5], rotation = 0, tilt = [0, 0] } = placed
  const { data, size } = encode(placed.text, { ecc: 'M', border: 0 })
  const modules = size + 2 * QUIET
  const [off, on] = placed.inverted === true ? [dark, light] : [light, dark]
  const turn = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)] as const
  const [cx, sx] = turn(tilt[0])
  const [cy, sy] = turn(tilt[1])
  const [cz, sz] = turn(rotation)
  // Images of the code's own axes under the three turns.
  const [ux, uy, uz] = [cy * cz, sx * sy * cz + cx * sz, -cx * sy * cz + sx * sz]
  const [vx, vy, vz] = [-cy * sz, -sx * sy * sz + cx * cz, cx * sy * sz + sx * cz]
  const [middleX, middleY, scale] = [at[0] * scene.width, at[1] * scene.height, 1 / side / DISTANCE]
  return (x, y) => {
    const px = (x - middleX) * scale
    const py = (y - middleY) * scale
    // a·u + b·v lies on the ray through the pixel: two equations for a and b.
    const [a1, b1, a2, b2] = [ux - px * uz, vx - px * vz, uy - py * uz, vy - py * vz]
    const determinant = a1 * b2 - a2 * b1
    const a = ((px * b2 - py * b1) * DISTANCE) / determinant
    const b = ((a1 * py - a2 * px) * DISTANCE) / determinant
    if (Math.abs(a) > 0.5 || Math.abs(b) > 0.5) return undefined
    const row = data[Math.floor((b + 0.5) * modules) - QUIET]
    return row?.[Math.floor((a + 0.5) * modules) - QUIET] === true ? on : off
  }
}

const kernelOf = (sigma: number): readonly number[] => {
  const reach = Math.ceil(sigma * 3)
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach) ** 2) / (2 * sigma * sigma)))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / sum)
}

const blurred = ({ width, height, levels }: Grey, sigma: number): Grey => {
  const kernel = kernelOf(sigma)
  const reach = (kernel.length - 1) / 2
  const pass = (from: ArrayLike<number>, stepX: number, stepY: number): Float32Array => {
    const to = new Float32Array(width * height)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let sum = 0
        for (let k = -reach; k <= reach; k++) {
          const nx = Math.min(width - 1, Math.max(0, x + k * stepX))
          const ny = Math.min(height - 1, Math.max(0, y + k * stepY))
          sum += (from[ny * width + nx] ?? 0) * (kernel[k + reach] ?? 0)
        }
        to[y * width + x] = sum
      }
    }
    return to
  }
  return { width, height, levels: Uint8Array.from(pass(pass(levels, 1, 0), 0, 1), Math.round) }
}

/** Draws a scene in grey levels, each pixel the mean of some points in it. */
export const drawScene = (scene: Scene): Grey => {
  const { width, height, page = 255 } = scene
  const codes = scene.codes.map((placed) => levelOf(scene, placed))
  const at = (x: number, y: number): number => {
    for (const level of codes) {
      const found = level(x, y)
      if (found !== undefined) return found
    }
    return page
  }
  const levels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let i = 0; i < SAMPLES * SAMPLES; i++) {
        sum += at(x + ((i % SAMPLES) + 0.5) / SAMPLES, y + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES)
      }
      levels[y * width + x] = Math.round(sum / (SAMPLES * SAMPLES))
    }
  }
  const sharp = { width, height, levels }
  return scene.blur === undefined || scene.blur === 0 ? sharp : blurred(sharp, scene.blur)
}

export const toRgba = ({ width, height, levels }: Grey): { width: number; height: number; rgba: Uint8Array } => {
  const rgba = new Uint8Array(width * height * 4)
  for (const [i, level] of levels.entries()) rgba.set([level, level, level, 255], i * 4)
  return { width, height, rgba }
}
