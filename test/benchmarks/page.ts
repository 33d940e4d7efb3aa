import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { droppedOf, FRAME } from './page-frames.ts'
import { measurePaint, type Paint } from './page-paint.ts'
import { type Build, measureScale, PER_SECOND, type Scene } from './page-scale.ts'
import { INITIAL_SCRIPT_GOAL, initialScripts } from './page-script.ts'
import { head, median, number, quantile, row } from './statistics.ts'

const FIRST_PAINT_GOAL = 1500
const FIRST_ROWS_GOAL = 1000
const MAIN_THREAD_GOAL = 0.25
const root = join(import.meta.dirname, '../..')

type Options = { readonly quick: boolean; readonly before?: string | undefined; readonly say: (text: string) => void }

/** The page in a browser: its script, its first picture, and a million events kept while more come; beside another build. */
export const pageTables = async ({ quick, before, say }: Options): Promise<string> => {
  const events = quick ? 20_000 : 1_000_000
  const builds: readonly Build[] = [
    { name: 'This build', args: ['--keep-events', String(Math.ceil(events * 1.2))] },
    // An older one may not know the option: it is given room by hand.
    ...(before === undefined ? [] : [{ name: 'The build before', root: resolve(before), args: [] }]),
  ]
  const weights = builds.map(({ name, root: at = root }) => {
    const scripts = initialScripts(join(at, 'out/renderer'))
    return { name, gzipped: scripts.reduce((sum, script) => sum + script.gzipped, 0) }
  })
  say('First paints …')
  const empty: Paint[][] = builds.map(() => [])
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    for (const [i, build] of builds.entries()) empty[i]?.push(...(await measurePaint({ runs: 1, root: build.root })))
  }
  const scales = await measureScale({ builds, events, seconds: quick ? 3 : 5, paints: quick ? 1 : 3, say })
  const own = scales[0]?.paints ?? []
  const worst = Math.max(...[...(empty[0] ?? []), ...own].map(({ useful }) => useful))
  const rows = Math.max(...own.map(({ rows: at = Number.NaN }) => at))
  const gzipped = weights[0]?.gzipped ?? Number.NaN
  const following = scales[0]?.scenes[0]?.frames.busy ?? Number.NaN
  return [
    ...head('Cold, in a new browser', 'First paint', 'Usable, median', 'worst', 'First rows, median', 'worst'),
    ...builds.flatMap(({ name }, i) => [
      paintRow(`${name}, nothing recorded`, empty[i] ?? []),
      paintRow(`${name}, ${number(events)} events kept`, scales[i]?.paints ?? []),
    ]),
    '',
    `Usable: the RP’s form and the phone’s buttons are drawn and can be pressed. The goal is ${number(FIRST_PAINT_GOAL)} ms: ${verdict(worst < FIRST_PAINT_GOAL)}. First rows within ${number(FIRST_ROWS_GOAL)} ms: ${verdict(rows < FIRST_ROWS_GOAL)}.`,
    `The script before it, gzipped: ${weights.map(({ name, gzipped: size }) => `${name.toLowerCase()} ${number(size / 1000)} kB`).join(', ')}; the goal is ${number(INITIAL_SCRIPT_GOAL / 1000)} kB: ${verdict(gzipped < INITIAL_SCRIPT_GOAL)}.`,
    '',
    ...head(
      `${number(events)} events kept, ${PER_SECOND} exchanges a second coming`,
      ...['Frame p50', 'p95', 'Dropped', 'Longest task', 'Main thread'],
    ),
    ...(scales[0]?.scenes ?? []).flatMap((_, n) =>
      scales.flatMap(({ name, scenes }) => (scenes[n] === undefined ? [] : [sceneRow(name, scenes[n])])),
    ),
    '',
    'Frames are those of requestAnimationFrame; a gap above one and a half frames counts as dropped. “Main thread” is a share of one core.',
    `Main thread below 25 % while it follows: ${verdict(following < MAIN_THREAD_GOAL)}. ${smoothness(scales[0]?.scenes ?? [])}`,
    '',
  ].join('\n')
}

const paintRow = (name: string, paints: readonly Paint[]): string => {
  const rows = paints.flatMap(({ rows: at }) => at ?? [])
  return row(
    name,
    ms(median(paints.map(({ first }) => first))),
    ms(median(paints.map(({ useful }) => useful))),
    ms(Math.max(...paints.map(({ useful }) => useful))),
    ...(rows.length === 0 ? ['–', '–'] : [ms(median(rows)), ms(Math.max(...rows))]),
  )
}

const ms = (time: number): string => `${number(time)} ms`

const sceneRow = (build: string, { name, frames }: Scene): string => {
  const { intervals, longTasks, busy } = frames
  const longest = Math.max(0, ...longTasks)
  return row(
    `${name}: ${build.toLowerCase()}`,
    ...[0.5, 0.95].map((q) => `${number(quantile(intervals, q), 1)} ms`),
    `${number(droppedOf(frames))} of ${number(intervals.length + droppedOf(frames))}`,
    longest === 0 ? '< 50 ms' : ms(longest),
    percent(busy),
  )
}

/** Of 100 frames, 95 come when they should. */
const isSmooth = ({ frames }: Scene): boolean => quantile(frames.intervals, 0.95) < 1.1 * FRAME

const smoothness = (scenes: readonly Scene[]): string => {
  const missed = scenes.filter((scene) => !isSmooth(scene)).map(({ name }) => name)
  const goal = '60 frames a second, 95 of 100 in time:'
  return missed.length === 0 ? `${goal} met in all.` : `${goal} **missed** in: ${missed.join('; ')}.`
}

const percent = (share: number): string => `${number(share * 100)} %`
const verdict = (met: boolean): string => (met ? 'met' : '**missed**')

if (import.meta.main) {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean' }, out: { type: 'string' }, before: { type: 'string' } },
  })
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node ${process.versions.node}`
  const { quick = false, before } = values
  const tables = await pageTables({ quick, before, say: (text) => console.error(text) })
  const loads = loadavg().map((load) => number(load, 1))
  const text = [
    '# Performance of the page',
    '',
    'Written by `npm run build && npm run bench:page -- --out docs/performance-page.md`; do not edit.',
    '',
    `${machine}; headless Chromium with \`--disable-gpu\`, 1440 × 900, on the same cores as the services and their clients. Load of the machine at the end: ${loads.join(', ')}.`,
    '',
    tables,
  ].join('\n')
  console.log(text)
  if (values.out !== undefined) writeFileSync(values.out, text)
}
