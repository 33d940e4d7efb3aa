import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { droppedOf, FRAME } from './page-frames.ts'
import { measurePaint, type Paint } from './page-paint.ts'
import { measureScale, PER_SECOND, type Scene } from './page-scale.ts'
import { INITIAL_SCRIPT_GOAL, initialScripts } from './page-script.ts'
import { median, quantile } from './statistics.ts'
import { head, number, row } from './table.ts'

const FIRST_PAINT_GOAL = 1500
const root = join(import.meta.dirname, '../..')

/** The page in a browser: its script, its first picture, and a hundred thousand exchanges while more come. */
export const pageTables = async (options: {
  readonly quick: boolean
  readonly say: (text: string) => void
}): Promise<string> => {
  const { quick, say } = options
  const scripts = initialScripts(join(root, 'out/renderer'))
  const gzipped = scripts.reduce((sum, script) => sum + script.gzipped, 0)
  say('First paints …')
  const paints = await measurePaint({ runs: quick ? 2 : 9 })
  const scale = await measureScale({
    exchanges: quick ? 5_000 : 100_000,
    seconds: quick ? 3 : 12,
    paints: quick ? 1 : 5,
    say,
  })
  const worstTask = Math.max(0, ...scale.fetching.longTasks)
  return [
    `Chromium ${scale.browser} headless with \`--disable-gpu\`, 1440 × 900, on the same cores as the service and its clients.`,
    '',
    ...head('The page’s first picture, cold', 'First paint', 'Usable, median', 'Usable, worst', 'Runs'),
    paintRow('Nothing recorded yet', paints),
    paintRow(`${number(scale.listed)} exchanges recorded`, scale.paints),
    '',
    'Each run is a new browser process with an empty profile. Usable: the RP’s form and the phone’s buttons are drawn and can be pressed.',
    `The goal is ${number(FIRST_PAINT_GOAL)} ms: ${verdict(Math.max(...paints.map(({ useful }) => useful)) < FIRST_PAINT_GOAL)} in every run.`,
    `The script for it is ${number(gzipped / 1000)} kB gzipped in ${scripts.length === 1 ? 'one file' : `${scripts.length} files`} (${number(scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1000)} kB as it is); the goal is ${number(INITIAL_SCRIPT_GOAL / 1000)} kB: ${verdict(gzipped < INITIAL_SCRIPT_GOAL)}.`,
    '',
    ...head(
      `${number(scale.listed)} exchanges listed, ${PER_SECOND} a second coming`,
      'Frame p50',
      'p95',
      'p99',
      'Worst',
      'Dropped',
      'Longest task',
      'Main thread',
      'of it script',
      'style, layout',
      'Drawing',
      'Service',
      'Exchanges/s',
    ),
    ...scale.scenes.map(sceneRow),
    '',
    'Frames are those of requestAnimationFrame; a gap above one and a half frames counts as dropped. A headless browser makes 60 frames a second on a timer, which other work on the cores delays: processor time says more than a lost frame. “Main thread”, “Drawing” (a graphics processor’s work elsewhere) and “Service” are shares of one core.',
    'The wheel scrolls 3,000 pixels a second; dragging goes through the whole list, so that every frame shows other rows.',
    ...smoothness(scale.scenes),
    '',
    `Everything recorded is listed ${number(scale.fetchedIn / 1000, 1)} s after the page was opened; the longest task meanwhile: ${worstTask === 0 ? 'none of more than 50 ms' : `${number(worstTask)} ms`}.`,
    `The page’s objects take ${number(scale.heapMib)} MiB then, ${number(scale.heapBeforeMib)} MiB with nothing recorded${scale.residentMib === undefined ? '' : `; its process ${number(scale.residentMib)} MiB`}.`,
    '',
  ].join('\n')
}

const paintRow = (name: string, paints: readonly Paint[]): string =>
  row(
    name,
    `${number(median(paints.map(({ first }) => first)))} ms`,
    `${number(median(paints.map(({ useful }) => useful)))} ms`,
    `${number(Math.max(...paints.map(({ useful }) => useful)))} ms`,
    String(paints.length),
  )

const sceneRow = ({ name, frames, perSecond, server, drawing }: Scene): string => {
  const { intervals, longTasks, busy } = frames
  const longest = Math.max(0, ...longTasks)
  return row(
    name,
    ...[0.5, 0.95, 0.99, 1].map((q) => `${number(quantile(intervals, q), 1)} ms`),
    `${number(droppedOf(frames))} of ${number(intervals.length + droppedOf(frames))}`,
    longest === 0 ? '< 50 ms' : `${number(longest)} ms`,
    ...[busy.all, busy.script, busy.styleAndLayout, drawing, server].map(percent),
    number(perSecond),
  )
}

/** Of 100 frames, 95 come when they should. */
const isSmooth = ({ frames }: Scene): boolean => quantile(frames.intervals, 0.95) < 1.1 * FRAME

const smoothness = (scenes: readonly Scene[]): readonly string[] => {
  const missed = scenes.filter((scene) => !isSmooth(scene)).map(({ name }) => name)
  const goal = 'The goal is 60 frames a second, 95 of 100 frames in time:'
  if (missed.length === 0) return [`${goal} met in all of them.`]
  return [
    `${goal} **missed** in: ${missed.join('; ')}.`,
    'The rest of such a frame is the browser’s own work: styling, layout and painting, here without a graphics processor.',
  ]
}

const percent = (share: number): string => `${number(share * 100)} %`
const verdict = (met: boolean): string => (met ? 'met' : '**missed**')

if (import.meta.main) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, out: { type: 'string' } } })
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node ${process.versions.node}`
  const tables = await pageTables({ quick: values.quick === true, say: (text) => console.error(text) })
  const text = [
    '# Performance of the page',
    '',
    'Written by `npm run build && npm run bench:page -- --out docs/performance-page.md`; do not edit.',
    '',
    `${machine}.`,
    '',
    tables,
  ].join('\n')
  console.log(text)
  if (values.out !== undefined) writeFileSync(values.out, text)
}
