import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { foldTimeline } from '../../src-main/timeline/fold-timeline.ts'
import { chipCounts } from '../../src-main/timeline/search-terms.ts'
import { groupOf, newTimeline, type Timeline } from '../../src-main/timeline/timeline.ts'
import { createApi } from '../../src-renderer/api.ts'
import { createOlder, type Held, searchedAmong } from '../../src-renderer/bench/older.ts'
import { choiceOf } from '../../src-renderer/bench/selection.ts'
import { createChipCounts } from '../../src-renderer/timeline/chip-counts.ts'
import { createListing } from '../../src-renderer/timeline/listing.ts'
import { surroundings } from '../../src-renderer/timeline/surroundings.ts'
import { cast, register, startTestBench, type TestBench } from '../support/bench.ts'

let bench: TestBench
let events: readonly BenchEvent[]
let whole: Timeline

beforeAll(async () => {
  bench = await startTestBench()
  const { client } = bench
  const actors = await cast(client)
  for (let n = 0; n < 8; n++) {
    if (n % 4 === 1) await fetch(`${bench.bench.baseUrl}/rp/credentials?user_id=u-${n}`)
    await register(client, actors)
  }
  events = (await client.call('events.list', { query: { limit: 10_000 } })).events
  whole = events.reduce(foldTimeline, newTimeline())
})

afterAll(() => bench.close())

/** A page that holds the last so many events. */
const pageWith = (count: number, more: Partial<Timeline> = {}) => {
  const last = events.slice(-count)
  let held: Held = {
    timeline: { ...last.reduce(foldTimeline, newTimeline(last[0]?.seq)), ...more },
    lastSeq: events.at(-1)?.seq ?? 0,
    firstSeq: 1,
  }
  const older = createOlder(createApi({ controlUrl: bench.bench.controlUrl, token: bench.bench.token }), {
    page: () => 'page-test',
    state: () => held,
    set: (change) => {
      held = { ...held, ...change }
    },
  })
  return { older, held: () => held }
}

const ids = ({ groups }: Timeline): readonly string[] => [...groups].map(({ id }) => id)
const ceremonies = (timeline: Timeline) => ids(timeline).filter((id) => !id.startsWith('calls-'))

it('what is scrolled to comes in front, and nothing is missing at the end', async () => {
  const { older, held } = pageWith(20)
  expect(ceremonies(held().timeline).length).toBeLessThan(ceremonies(whole).length)
  older.read()
  await expect.poll(() => held().timeline.from).toBeUndefined()
  expect(ceremonies(held().timeline)).toEqual(ceremonies(whole))
  expect(held().timeline.exchanges - held().timeline.left).toBe(whole.exchanges)
})

it('a search goes on where the page ends, counts what it looked through, and leaves nothing behind', async () => {
  const { older, held } = pageWith(20)
  const before = ids(held().timeline)
  const [first = ''] = ceremonies(whole)
  expect(before).not.toContain(first)
  older.search(first, undefined)
  await expect.poll(() => held().search).toMatchObject({ more: false, busy: false })
  expect(ids(held().timeline)).toEqual([first, ...before])
  expect(Math.abs(searchedAmong(held()) - whole.groups.length)).toBeLessThanOrEqual(1)
  older.search('', undefined)
  expect(held().search).toBeUndefined()
  expect(ids(held().timeline)).toEqual(before)
})

it('what each chip would leave is counted to the end by a search, and unasked where little is missing', async () => {
  const counts = (timeline: Timeline, since?: number) => createChipCounts(surroundings())(timeline, since)
  expect(counts(whole)['is:refused']).toBe(2)
  const searched = pageWith(20)
  const { from } = searched.held().timeline
  searched.older.search('nothing-like-it', undefined)
  await expect.poll(() => searched.held().counted?.before).toBe(from)
  const filled = pageWith(20, { exchanges: 10_000 })
  await filled.older.fill()
  expect(filled.held().counted?.before).toBe(from)
  for (const { timeline, counted } of [searched.held(), filled.held()]) {
    const later = counts(timeline, counted?.before)
    expect(chipCounts((chip) => later[chip] + (counted?.chips[chip] ?? 0))).toEqual(counts(whole))
    expect(counts(timeline)).not.toEqual(counts(whole))
  }
})

it('an address brings its ceremony whole, and one of nothing brings nothing', async () => {
  const { older, held } = pageWith(20)
  const [msgId = ''] = ceremonies(whole)
  expect(choiceOf(held().timeline, { msgId })).toBeUndefined()
  expect(await older.find({ msgId })).toBe(true)
  const rows = (timeline: Timeline) => [...(groupOf(timeline, msgId)?.rows ?? [])].map(({ id }) => id)
  expect(rows(held().timeline)).toEqual(rows(whole))
  expect(choiceOf(held().timeline, { seq: rows(whole)[1] ?? 0 })).toBeDefined()
  // What is between is still asked for.
  expect(held().timeline.from).toBeDefined()
  expect(await older.find({ msgId: 'A'.repeat(22) })).toBe(false)
  expect(await older.find({ seq: 10 ** 9 })).toBe(false)
})

it('what is missing behind the ceremony of an address is marked once, and loaded until nothing is', async () => {
  const { older, held } = pageWith(20)
  const listed = () => {
    const listing = createListing()
    listing.show(held().timeline, '')
    const groups = listing.between(0, listing.height(), undefined)
    expect(groups.reduce((sum, { height }) => sum + height, 0)).toBe(listing.height())
    for (const { rows, group } of groups)
      for (const { row } of rows) expect(listing.rowAt((listing.topOf(row.id) ?? 0) + 1)?.id, group.id).toBe(row.id)
    return groups
  }
  expect(listed().filter(({ gap }) => gap !== undefined)).toEqual([])
  const [first = '', second = ''] = ceremonies(whole)
  const from = held().timeline.from ?? 0
  for (const msgId of [second, first]) {
    await older.find({ msgId })
    const seq = groupOf(held().timeline, msgId)?.seq ?? 0
    const [marked, ...others] = listed().filter(({ gap }) => gap !== undefined)
    expect(others).toEqual([])
    expect(marked?.gap).toBe(from - seq)
    expect(marked?.group.seq).toBeGreaterThanOrEqual(from)
  }
  await older.bridge()
  expect(held().timeline.from).toBe(1)
  expect(ceremonies(held().timeline)).toEqual(ceremonies(whole))
  expect(listed().filter(({ gap }) => gap !== undefined)).toEqual([])
})
