import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import jsQR from 'jsqr'
import { readMessageCode } from '../../../src-main/phone/camera.ts'
import { distortions, edges, type Spoilt, spoiltPictures, wantedText } from '../../support/camera/distortions.ts'
import { drawScene, toRgba } from '../../support/camera/draw-codes.ts'
import { blocksOf, COSINES, encodeJpeg, type Grey, tableFor, transform } from '../../support/camera/encode-jpeg.ts'

// A.3.3, the other way round.
const inverse = (coefficients: Float64Array): Float64Array => {
  const rows = new Float64Array(64)
  const out = new Float64Array(64)
  for (let v = 0; v < 8; v++) {
    for (let x = 0; x < 8; x++) {
      let sum = 0
      for (let u = 0; u < 8; u++) sum += (coefficients[v * 8 + u] ?? 0) * (COSINES[u * 8 + x] ?? 0)
      rows[v * 8 + x] = sum
    }
  }
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      let sum = 0
      for (let v = 0; v < 8; v++) sum += (rows[v * 8 + x] ?? 0) * (COSINES[v * 8 + y] ?? 0)
      out[y * 8 + x] = sum
    }
  }
  return out
}

/** What a decoder makes of the JPEG, for readers that want pixels: what quantisation takes is all that gets lost. */
const throughJpeg = (picture: Grey, quality: number): Grey => {
  const { width, height } = picture
  const table = tableFor(quality)
  const out = new Uint8Array(width * height)
  for (const { left, top, block } of blocksOf(picture)) {
    const kept = transform(block).map((value, at) => Math.round(value / (table[at] ?? 1)) * (table[at] ?? 1))
    for (const [i, value] of inverse(kept).entries()) {
      const [x, y] = [left + (i & 7), top + (i >> 3)]
      if (x < width && y < height) out[y * width + x] = Math.min(255, Math.max(0, Math.round(value + 128)))
    }
  }
  return { width, height, levels: out }
}

/** npm run camera: every picture once through ours and once through jsQR, and what ours could not read. */
const EACH = 100
const EACH_EDGE = 40
const LEAST = 0.95
const path = 'docs/camera.md'

type Seen = { readonly picture: Spoilt; readonly ours: boolean; readonly jsqr: boolean; readonly ms: number }

const look = async (picture: Spoilt): Promise<Seen> => {
  const { scene, quality } = picture
  const grey = drawScene(scene)
  const shown = quality === undefined ? toRgba(grey) : encodeJpeg(grey, quality)
  const began = performance.now()
  const found = await readMessageCode(shown)
  const ms = performance.now() - began
  const { rgba, width, height } = toRgba(quality === undefined ? grey : throughJpeg(grey, quality))
  const other = jsQR(new Uint8ClampedArray(rgba), width, height, { inversionAttempts: 'attemptBoth' })
  const wanted = wantedText(picture)
  return { picture, ours: found.ok && found.value === wanted, jsqr: other?.data === wanted, ms }
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

/** One way of spoiling, looked at to the end; no least where nothing is promised. */
type Series = { readonly name: string; readonly least?: number; readonly seen: readonly Seen[] }

const lookAt = async (name: string, count: number): Promise<Series> => {
  const seen: Seen[] = []
  for (const picture of spoiltPictures(name, count)) seen.push(await look(picture))
  console.error(`${name}: ${readOf({ seen })} of ${count}`)
  return { name, seen }
}

const readOf = ({ seen }: Pick<Series, 'seen'>): number => seen.filter(({ ours }) => ours).length

const promised: (Series & { readonly least: number })[] = []
for (const [name, [least]] of Object.entries(distortions)) promised.push({ ...(await lookAt(name, EACH)), least })
const beyond: Series[] = []
for (const name of Object.keys(edges)) beyond.push(await lookAt(name, EACH_EDGE))

const together = { name: '**all together**', least: LEAST, seen: promised.flatMap(({ seen }) => seen) }

const tally = ({ name, least, seen }: Series): string =>
  row(
    name,
    seen.length,
    ...(least === undefined ? [] : [percent(least, 1)]),
    percent(readOf({ seen }), seen.length),
    percent(seen.filter(({ jsqr }) => jsqr).length, seen.length),
  )

/** The median, by which a busy moment of the machine does not count. */
const median = (seen: readonly Seen[]): string => {
  const times = seen.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return `${(times[times.length >> 1] ?? 0).toFixed(0)} ms`
}

const looked = beyond.flatMap(({ seen }) => seen)

const page = `<!-- Made by \`npm run camera\`. -->
# What the camera reads

A phone reads codes from PNG, JPEG or raw RGBA with zxing-wasm, also light on dark and on transparent ground.

Below, it and jsQR of npm read ${together.seen.length.toLocaleString('en')} pictures of message addresses, drawn from a fixed seed and spoilt in ${promised.length} ways.
\`npm test\` reads the first dozen of each row and demands the share that must be read.

${row('what is done to the picture', 'pictures', 'must be read', 'Handset reads', 'jsQR reads')}
${row('---', '---:', '---:', '---:', '---:')}
${[...promised, together].map(tally).join('\n')}

## Where it ends

Beyond that nothing is promised. A picture whose code is found takes ${median(looked.filter(({ ours }) => ours))}, any other ${median(looked.filter(({ ours }) => !ours))} (medians).

${row('what is done to the picture', 'pictures', 'Handset reads', 'jsQR reads')}
${row('---', '---:', '---:', '---:')}
${beyond.map(tally).join('\n')}
`

writeFileSync(join(import.meta.dirname, '../../..', path), page)
console.log(`wrote ${path}: ${percent(readOf(together), together.seen.length)} read`)
const short = [...promised, together].filter((series) => readOf(series) < series.least * series.seen.length)
for (const { name } of short) console.error(`too few are read: ${name}`)
if (short.length > 0) process.exitCode = 1
