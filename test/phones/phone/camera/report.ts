import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMessageCode } from '../../../../src-main/phones/phone/camera.ts'
import { distortions, edges, type Spoilt, spoiltPictures, wantedText } from '../../../support/camera/distortions.ts'
import { drawScene, toRgba } from '../../../support/camera/draw-codes.ts'
import { encodeJpeg } from '../../../support/camera/encode-jpeg.ts'

/** npm run camera: every picture once, and what could not be read. */
const EACH = 100
const EACH_EDGE = 40
const LEAST = 0.95
const path = 'docs/camera.md'

type Seen = { readonly ours: boolean; readonly ms: number }

const look = async (picture: Spoilt): Promise<Seen> => {
  const { scene, quality } = picture
  const grey = drawScene(scene)
  const shown = quality === undefined ? toRgba(grey) : encodeJpeg(grey, quality)
  const began = performance.now()
  const found = await readMessageCode(shown)
  const ms = performance.now() - began
  return { ours: found.ok && found.value === wantedText(picture), ms }
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
  row(name, seen.length, ...(least === undefined ? [] : [percent(least, 1)]), percent(readOf({ seen }), seen.length))

/** The median, by which a busy moment of the machine does not count. */
const median = (seen: readonly Seen[]): string => {
  const times = seen.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return `${(times[times.length >> 1] ?? 0).toFixed(0)} ms`
}

const looked = beyond.flatMap(({ seen }) => seen)

const page = `<!-- Made by \`npm run camera\`. -->
# What the camera reads

A phone reads codes from PNG, JPEG or raw RGBA with zxing-wasm, also light on dark and on transparent ground.

Below, it reads ${together.seen.length.toLocaleString('en')} pictures of message addresses, drawn from a fixed seed and spoilt in ${promised.length} ways.
\`npm test\` reads the first dozen of each row and demands the share that must be read.

${row('what is done to the picture', 'pictures', 'must be read', 'Handset reads')}
${row('---', '---:', '---:', '---:')}
${[...promised, together].map(tally).join('\n')}

## Where it ends

Beyond that nothing is promised. A picture whose code is found takes ${median(looked.filter(({ ours }) => ours))}, any other ${median(looked.filter(({ ours }) => !ours))} (medians).

${row('what is done to the picture', 'pictures', 'Handset reads')}
${row('---', '---:', '---:')}
${beyond.map(tally).join('\n')}
`

writeFileSync(join(import.meta.dirname, '../../../..', path), page)
console.log(`wrote ${path}: ${percent(readOf(together), together.seen.length)} read`)
const short = [...promised, together].filter((series) => readOf(series) < series.least * series.seen.length)
for (const { name } of short) console.error(`too few are read: ${name}`)
if (short.length > 0) process.exitCode = 1
