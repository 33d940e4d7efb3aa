import { beforeAll, expect, it } from 'vitest'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { foldTimeline } from '../../src-main/views/timeline/event-views.ts'
import { chipCounts } from '../../src-main/views/timeline/search-terms.ts'
import { Series } from '../../src-main/views/timeline/series.ts'
import { groupOf, newTimeline, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import { createApi } from '../../src-renderer/api.ts'
import { foldBench, newBench } from '../../src-renderer/bench/bench-state.ts'
import { benchNow, clockPace, readClock } from '../../src-renderer/bench/clock-reading.ts'
import { countSearched, createOlderEvents, type HeldEvents } from '../../src-renderer/bench/older.ts'
import { findChoice } from '../../src-renderer/bench/selection.ts'
import { createListing, searchContext } from '../../src-renderer/timeline/listing.ts'
import { createChipCounts } from '../../src-renderer/timeline/timeline-view.ts'
import { minuteSecond } from '../../src-renderer/ui/format.ts'
import { cast, register } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { call, record, timelineOf } from './fixture.ts'

const [event] = record([[5000, call({ id: 'req_1', line: 'GET /fido/rp/credentials?user_id=alice' })]])
if (event === undefined) throw new Error('no event was recorded')

/** A page that read the workspace's clock so many milliseconds late. */
const late = (by: number, speed = 1) => ({
  ...newBench(),
  clock: readClock({ now: event.bench - by, frozen: false, speed, offset_ms: 0 }, 1000),
})

const timeAfter = (state: ReturnType<typeof newBench>): number | undefined =>
  state.clock === undefined ? undefined : benchNow(state.clock, 1000)

it('the workspace’s clock, as the page reads it, is never behind what has happened, and does not go back for an event that came late', () => {
  expect(timeAfter(foldBench(late(40), event, 1000))).toBe(event.bench)
  expect(timeAfter(foldBench(late(-40), event, 1000))).toBe(event.bench + 40)
})

it('the workspace’s clock, as the page reads it, shows three minutes when a message of three minutes begins, though it was read late and runs fast', () => {
  const { clock } = foldBench(late(640, 60), event, 1000)
  expect(clock?.speed).toBe(60)
  expect(minuteSecond(event.bench + 180_000 - (clock === undefined ? 0 : benchNow(clock, 1000)))).toBe('3:00')
})

const pace = (more: { readonly frozen?: boolean; readonly speed?: number; readonly offset_ms?: number }) =>
  clockPace(readClock({ now: event.bench, frozen: false, speed: 1, offset_ms: 0, ...more }, 1000))

it('what is said of a clock is live only while it shows real time and runs as fast', () => {
  expect(pace({ offset_ms: 12 })).toBe('live')
  expect(pace({ offset_ms: 3_600_000 })).toBe('ahead')
  expect(pace({ offset_ms: -3_600_000 })).toBe('behind')
  expect(pace({ speed: 60 })).toBe('fast')
  expect(pace({ frozen: true, speed: 60 })).toBe('frozen')
})

it('what is said of a clock changes with the event that tells of a clock that was moved', () => {
  const [moved] = record([
    [5000, { kind: 'clock', change: 'advanced', now: event.wall + 3_600_000, frozen: false, speed: 1 }],
  ])
  if (moved === undefined) throw new Error('no event was recorded')
  const { clock } = foldBench(late(0), { ...moved, seq: 9 }, 1000)
  expect(clock === undefined ? undefined : clockPace(clock)).toBe('ahead')
})

const counting = (count: number): Series<number> => {
  let series = Series.of<number>()
  for (let i = 0; i < count; i++) series = series.append(i)
  return series
}

it.each([0, 1, 127, 128, 129, 1000])('a long list of %i holds what was added, in order', (count) => {
  const series = counting(count)
  expect([...series]).toEqual(Array.from({ length: count }, (_, i) => i))
  expect(series).toHaveLength(count)
  expect([series.at(-1), series.at(count)]).toEqual([count === 0 ? undefined : count - 1, undefined])
})

it('a long list stays as it is when another one goes on from it', () => {
  const before = counting(300)
  const after = before.append(300).put(7, -7).put(299, -299)
  expect([before.at(7), before.at(299), before.length]).toEqual([7, 299, 300])
  expect([after.at(7), after.at(299), after.length]).toEqual([-7, -299, 301])
})

it('a long list leaves places behind where things left at the front', () => {
  let series = counting(300)
  for (let i = 0; i < 130; i++) series = series.shift()
  expect([series.first, series.end, series.length]).toEqual([130, 300, 170])
  expect([series.get(129), series.get(130), series.at(0), series.at(-1)]).toEqual([undefined, 130, 130, 299])
  expect([...series.put(130, -1).append(300)].slice(0, 2)).toEqual([-1, 131])
})

it('a long list can lose everything and go on', () => {
  let series = counting(128)
  for (let i = 0; i < 128; i++) series = series.shift()
  expect([...series]).toEqual([])
  expect([...series.shift().append(128)]).toEqual([128])
})

it('a long list tells what differs from an earlier one, across what has left', () => {
  const before = counting(400)
  let after = before.put(130, -130).append(400).append(401)
  expect([...after.changedSince(before)]).toEqual([130, 400, 401])
  for (let i = 0; i < 200; i++) after = after.shift()
  expect([...after.changedSince(before)]).toEqual([400, 401])
})

const bench = benchOfFile()
let events: readonly BenchEvent[]
let whole: Timeline

beforeAll(async () => {
  const { client } = bench
  const actors = await cast(client)
  for (let n = 0; n < 8; n++) {
    if (n % 4 === 1) await fetch(`${bench.bench.baseUrl}/rp/credentials?user_id=u-${n}`)
    await register(client, actors)
  }
  events = (await client.call('events.list', { query: { limit: 10_000 } })).events
  whole = timelineOf(events)
})

/** A page that holds the last so many events. */
const pageWith = (count: number, more: Partial<Timeline> = {}) => {
  const last = events.slice(-count)
  let held: HeldEvents = {
    timeline: { ...last.reduce(foldTimeline, newTimeline(last[0]?.seq)), ...more },
    lastSeq: events.at(-1)?.seq ?? 0,
    firstSeq: 1,
  }
  const older = createOlderEvents({
    api: createApi({ controlUrl: bench.bench.controlUrl, token: bench.bench.token }),
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
  expect(Math.abs(countSearched(held()) - whole.groups.length)).toBeLessThanOrEqual(1)
  older.search('', undefined)
  expect(held().search).toBeUndefined()
  expect(ids(held().timeline)).toEqual(before)
})

it('what each chip would leave is counted to the end by a search, and unasked where little is missing', async () => {
  const counts = (timeline: Timeline, since?: number) => createChipCounts(searchContext())(timeline, since)
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
  expect(findChoice(held().timeline, { msgId })).toBeUndefined()
  expect(await older.find({ msgId })).toBe(true)
  const rows = (timeline: Timeline) => [...(groupOf(timeline, msgId)?.rows ?? [])].map(({ id }) => id)
  expect(rows(held().timeline)).toEqual(rows(whole))
  expect(findChoice(held().timeline, { seq: rows(whole)[1] ?? 0 })).toBeDefined()
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
