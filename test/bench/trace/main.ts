import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cpuMs } from '../child.ts'
import { droppedOf } from '../page-frames.ts'
import { quantile } from '../statistics.ts'
import { number } from '../table.ts'
import { writeLargeTrace } from './large-trace.ts'
import { openInPage } from './open-trace.ts'

/** npm run bench:trace: how long a trace of 100,000 exchanges takes until the page and `handset show` have it. */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
    file: { type: 'string' },
  },
})
const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'handset-bench-trace-'))
const file = values.file ?? join(folder, 'large.handset')
try {
  if (!existsSync(file)) {
    const { exchanges, events, bytes } = await writeLargeTrace(file, Number(values.count))
    console.log(
      `${number(exchanges)} exchanges in ${number(events)} events: ${number(bytes / 2 ** 20)} MiB, packed ${number(statSync(file).size / 2 ** 20)} MiB.`,
    )
  }
  for (let run = 0; run < Number(values.runs); run++) {
    const { opening, scrolling, heapMib } = await openInPage(file)
    console.log(
      [
        `The page shows its rows after ${number(opening.shown)} ms (${number(opening.shownCpu, 1)} s of processor)`,
        `and lists all ${number(opening.exchanges)} after ${number(opening.listed)} ms (${number(opening.listedCpu, 1)} s).`,
        `Longest task ${number(Math.max(0, ...opening.longTasks))} ms; heap ${number(heapMib)} MiB.`,
        `Scrolled meanwhile: frames p50 ${number(quantile(scrolling.intervals, 0.5), 1)} ms, p95 ${number(quantile(scrolling.intervals, 0.95), 1)} ms, ${droppedOf(scrolling)} dropped of ${scrolling.intervals.length}.`,
      ].join(' '),
    )
    console.log(await show())
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** What is written goes nowhere. */
async function show(): Promise<string> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(root, 'src-main/bin.mjs'), 'show', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let first: number | undefined
  let processor = 0
  child.stdout.on('data', () => {
    first ??= performance.now() - began
    processor = cpuMs(child.pid ?? 0) ?? processor
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return `handset show: first line after ${number(first ?? Number.NaN)} ms, the last after ${number(performance.now() - began)} ms (${number(processor / 1000, 1)} s of processor), exit code ${code}.`
}
