import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { TraceProblem } from '../../src-main/core/contract/trace.ts'
import { foldBench, newBench } from '../../src-renderer/bench/bench-state.ts'
import { createTimelineView } from '../../src-renderer/timeline/timeline-view.ts'
import { createTraceSource } from '../../src-renderer/viewer/trace-source.ts'
import { openTraceBench } from '../../src-renderer/viewer/trace-store.ts'
import { taken } from '../support/taken.ts'
import { until } from './until.ts'

const LINES = gunzipSync(readFileSync(join(import.meta.dirname, '../vectors/traces/version-1.handset')))
  .toString()
  .trimEnd()
  .split('\n')
const [HEADER = '', ...REST] = LINES
const RECORDED = REST.flatMap((line): BenchEvent[] => (line.startsWith('{"event"') ? [JSON.parse(line).event] : []))
const IDS = [...new Set(RECORDED.flatMap((event) => ('msg_id' in event ? [event.msg_id] : [])))].filter(
  (id) => id !== undefined,
)

/** The same over and over, each time about messages of its own. */
const copies = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, copy) => {
    const text = RECORDED.map((event) => JSON.stringify({ event: { ...event, seq: event.seq + copy * 1000 } }))
    return text.map((line) => IDS.reduce((changed, id) => changed.replaceAll(id, `${copy}-${id}`), line))
  }).flat()

const open = async (lines: readonly string[], header = HEADER) => {
  const problems: TraceProblem[] = []
  const refused = Promise.withResolvers<void>()
  const file = new Blob([gzipSync(`${[header, ...lines].join('\n')}\n`)])
  const opened = await openTraceBench(file, createTraceSource(), (problem) => {
    problems.push(problem)
    refused.resolve()
  })
  return { bench: taken(opened), problems, refused: refused.promise }
}

const eventOf = (line: string): BenchEvent => JSON.parse(line).event

test('the end of a large trace is there first, and then everything as if it had been read in one go', async () => {
  const lines = copies(50)
  const { bench, problems } = await open(lines)
  const { store } = bench.tools
  const before = store.getState()
  expect(before.fetched).toBe(0)
  expect(before.lastSeq).toBe(eventOf(lines.at(-1) ?? '').seq)
  store.start()
  await until(store, ({ fetched }) => fetched === undefined)
  const whole = lines.map(eventOf).reduce((state, event) => foldBench(state, event, 0), newBench())
  const { timeline, phones } = store.getState()
  expect(timeline.exchanges).toBe(whole.timeline.exchanges)
  expect(timeline.exchanges).toBeGreaterThan(before.timeline.exchanges)
  expect(timeline.groups.map((group) => group)).toEqual(whole.timeline.groups.map((group) => group))
  expect(phones).toEqual(whole.phones)
  expect(problems).toEqual([])
})

test('an event that was folded without its bodies is whole for who looks at it', async () => {
  const lines = copies(50)
  const { store } = (await open(lines)).bench.tools
  store.start()
  await until(store, ({ fetched }) => fetched === undefined)
  const wanted = lines.map(eventOf).find(({ kind }) => kind === 'exchange')
  const seq = wanted?.seq ?? 0
  expect(store.lookUp(seq)).toBeUndefined()
  const looked = until(store, () => store.lookUp(seq) !== undefined)
  store.want([seq])
  await looked
  expect(store.lookUp(seq)).toEqual(wanted)
})

test('what is wrong in the part that is read later is told with its line', async () => {
  const lines = copies(50)
  const middle = Math.floor(lines.length / 4)
  const { bench, problems, refused } = await open(lines.with(middle, '{"event":{"kind":"exchange"}}'))
  bench.tools.store.start()
  await refused
  expect(problems).toMatchObject([{ code: 'unfit', line: middle + 2 }])
})

test('a small trace is read and checked as a whole before it is shown', async () => {
  const { bench } = await open(copies(1))
  expect(bench.tools.store.getState().fetched).toBeUndefined()
  const bad = new Blob([gzipSync(`${[HEADER, ...copies(1), '{"event":{"kind":"exchange"}}'].join('\n')}\n`)])
  const opened = await openTraceBench(bad, createTraceSource(), () => undefined)
  expect(opened).toMatchObject({ ok: false, error: { code: 'unfit', line: RECORDED.length + 2 } })
})

test('a trace finds its ceremonies by the name of their RP, from its events or, where these began later, its header', async () => {
  const isNamed = (line: string) => line.includes('"subject":"rp"')
  const [named = ''] = copies(1).filter(isNamed)
  const header = JSON.stringify({ ...JSON.parse(HEADER), rps: [JSON.parse(named).event.detail] })
  const later = copies(50).filter((line) => !isNamed(line))
  for (const [lines, head, finds] of [
    [copies(1), HEADER, true],
    [copies(50), HEADER, true],
    [later, header, true],
    [later, HEADER, false],
  ] as const) {
    const { store } = (await open(lines, head)).bench.tools
    store.start()
    await until(store, ({ fetched }) => fetched === undefined)
    const view = createTimelineView(store)
    view.filterBy('rp:demo')
    expect(view.scene().found > 0).toBe(finds)
  }
})
