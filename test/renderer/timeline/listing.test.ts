import { expect, it } from 'vitest'
import type { BenchEvent } from '../../../src-main/core/contract/events.ts'
import { foldTimeline } from '../../../src-main/views/timeline/event-views.ts'
import { CHIPS, hasChip, toggleChip, unknownValueIn } from '../../../src-main/views/timeline/search-terms.ts'
import { newTimeline, type Timeline } from '../../../src-main/views/timeline/timeline.ts'
import { withOlder } from '../../../src-main/views/timeline/with-older.ts'
import { rowWords } from '../../../src-renderer/bench/words.ts'
import * as list from '../../../src-renderer/timeline/listing.ts'
import { createChipCounts } from '../../../src-renderer/timeline/timeline-view.ts'
import { call, move, record, registration } from '../fixture.ts'

const fold = (events: readonly BenchEvent[], from = newTimeline()): Timeline => events.reduce(foldTimeline, from)

const id = (n: number): string => `M${String(n).padStart(21, '0')}`

/** So many sign-ins of two rows each, one after the other; every third one fails at the RP. */
const signIns = (count: number): readonly BenchEvent[] =>
  record(
    Array.from({ length: count }, (_, n) => {
      const user = n % 2 === 0 ? 'alice' : 'bo'
      const code = n % 3 === 0 ? 50301 : 0
      return [
        [n, move({ msgId: id(n), to: 'init', cause: `ask_${n}`, method: 'qrcode', user })],
        [n, call({ id: `ask_${n}`, line: 'POST /fido/rp/assertion/options', msgId: id(n) })],
        [n, call({ id: `poll_${n}`, line: `GET /fido/rp/assertion/result?msg_id=${id(n)}`, msgId: id(n), code })],
      ] as const
    }).flat(),
  )

const listingOf = (timeline: Timeline, filter = ''): list.Listing => {
  const listing = list.createListing()
  listing.show(timeline, filter)
  return listing
}

const everything = (listing: list.Listing) => listing.between(0, listing.height(), undefined)

const rowsOf = (listing: list.Listing): readonly number[] =>
  everything(listing).flatMap(({ rows }) => rows.map(({ row }) => row.id))

const GROUP = list.HEAD_HEIGHT + 2 * list.ROW_HEIGHT

it('the chips count what each of them would leave, while exchanges come, leave and older ones are brought', () => {
  const counts = createChipCounts(list.searchContext({ page: () => 'page-1' }))
  const expected = (timeline: Timeline) =>
    CHIPS.map((chip) => {
      const listing = list.createListing(list.searchContext({ page: () => 'page-1' }))
      listing.show(timeline, chip)
      return [chip, listing.count()]
    })
  const events = signIns(40)
  let timeline: Timeline = { ...newTimeline(), most: 30 }
  for (let at = 0; at < events.length; at += 7) {
    timeline = fold(events.slice(at, at + 7), timeline)
    expect(Object.entries(counts(timeline))).toEqual(expected(timeline))
  }
  expect(counts(timeline)['is:refused']).toBeGreaterThan(3)
  const older = withOlder(timeline, fold(events.slice(0, 30)), undefined)
  expect(Object.entries(counts(older))).toEqual(expected(older))
})

const call40104 = call({ id: 'refused', line: 'POST /fido/rp/assertion/options', code: 40104, status: 401 })
const lied = {
  ...call({ id: 'lied', line: `GET /fido/rp/assertion/result?msg_id=${id(1)}`, msgId: id(1) }),
  faults: [{ id: 'f', fault: 'user-of-another' }],
}
const decided = { kind: 'decision', rp_id: 'rp_demo', msg_id: id(1), care: 'careful', made: 'refused' } as const
const timeline = fold(
  record([
    [0, move({ msgId: id(1), to: 'init', cause: 'ask_1', method: 'qrcode' })],
    [0, call({ id: 'ask_1', line: 'POST /fido/rp/assertion/options', msgId: id(1) })],
    [1, lied],
    [2, decided],
    [3, move({ msgId: id(2), to: 'init', cause: 'ask_2', method: 'push', user: 'bo' })],
    [3, call({ id: 'ask_2', line: 'POST /fido/rp/assertion/options', msgId: id(2) })],
    [4, move({ msgId: id(2), from: 'bind', to: 'fail', error: 'origin_mismatch', user: 'bo' })],
    [5, call40104],
  ]),
)
const around = list.searchContext({ rpName: () => 'Demo RP' })
const found = (search: string): number => {
  const listing = list.createListing(around)
  listing.show(timeline, search)
  return listing.count()
}

it.each([
  ['user:"alice"', 1],
  ['user:"alice" user:bo', 0],
  ['rp:"Demo RP"', 2],
  ['rp:“demo rp” bo', 1],
  ['rp:"Demo R', 2],
  ['rp:"RP Demo"', 0],
  ['"sign in" bo', 1],
  ['"in sign"', 0],
  ['state:failed', 1],
  ['state:fail', 1],
  ['state:init', 1],
  ['status:40104', 1],
  ['status:40103', 0],
  ['status:4xx', 1],
  ['status:2xx', 2],
  ['status:5xx', 0],
  ['after:1x', 0],
])('a value of the search: %s finds %i', (search, count) => {
  expect(found(search)).toBe(count)
})

it('a value of the search is:refused finds what the service refused and the lie that the RP refused, and its chip counts both', () => {
  expect(found('is:refused')).toBe(2)
  expect(found('is:refused alice')).toBe(1)
  expect(found('is:refused bo')).toBe(0)
  expect(createChipCounts(around)(timeline)['is:refused']).toBe(2)
})

it('a value of the search is kept whole where a chip is added, and goes on where the chip is taken away', () => {
  expect(toggleChip('rp:"Demo RP"', 'is:failed')).toBe('rp:"Demo RP" is:failed')
  expect(toggleChip('rp:"Demo RP" is:failed', 'is:failed')).toBe('rp:"Demo RP"')
  expect(toggleChip('rp:"Demo R', 'is:failed')).toBe('rp:"Demo R" is:failed')
  expect(hasChip('rp:"x is:failed"', 'is:failed')).toBe(false)
})

it.each([
  ['after:banana', 'after'],
  ['after:25:00', 'after'],
  ['state:xyz', 'state'],
  ['status:4yy', 'status'],
  ['is:mined', 'is'],
  ['alice state:', 'state'],
])('a value of the search: %s names what %s takes', (search, key) => {
  expect(unknownValueIn(search, 'failed')).toEqual({ key, term: search.split(' ').at(-1) })
})

it.each(['after:9', 'after:14:30:05', 'state:FAILED', 'status:4xx', 'is:mine', 'user:', 'https://x', 'rp:"a b"'])(
  'a value of the search: %s is understood',
  (search) => {
    expect(unknownValueIn(search, 'failed')).toBeUndefined()
  },
)

it('a listing gives every group its place, and every row its place in it', () => {
  const listing = listingOf(fold(signIns(3)))
  expect(listing.height()).toBe(3 * GROUP)
  expect(everything(listing).map(({ top, height, rows }) => [top, height, rows.map((row) => row.top)])).toEqual(
    [0, 1, 2].map((n) => [n * GROUP, GROUP, [list.HEAD_HEIGHT, list.HEAD_HEIGHT + list.ROW_HEIGHT]]),
  )
  expect([2, 3, 5].map(listing.topOf)).toEqual([34, 62, GROUP + 34])
})

it('a listing draws what is asked for, and one row besides', () => {
  const listing = listingOf(fold(signIns(1000)))
  const drawn = (always?: number) =>
    listing
      .between(500 * GROUP + list.HEAD_HEIGHT + 5, 501 * GROUP + 5, always)
      .map(({ place, rows }) => [place, rows.map(({ row }) => row.id)])
  expect(drawn()).toEqual([
    [500, [1502, 1503]],
    [501, []],
  ])
  expect(drawn(3)).toEqual([[0, [3]], ...drawn()])
  expect(drawn(1503)).toEqual(drawn())
  expect(drawn(1506)).toEqual([
    [500, [1502, 1503]],
    [501, [1506]],
  ])
})

it('a listing leads from row to row, over the heads of groups', () => {
  const listing = listingOf(fold(signIns(2)))
  const down = [2, 3, 5, 6].map((row) => listing.beside(row, 1))
  const up = [2, 3, 5, 6].map((row) => listing.beside(row, -1))
  expect([down, up]).toEqual([
    [3, 5, 6, undefined],
    [undefined, 2, 3, 5],
  ])
  expect([listing.first(), listing.last()]).toEqual([2, 6])
})

it.each(['', 'bo', '50301', 'poll alice'])('a listing filtered by "%s" is the same however it came about', (filter) => {
  const events = signIns(300)
  const grown = list.createListing()
  let timeline = newTimeline()
  for (const event of events) {
    timeline = foldTimeline(timeline, event)
    grown.show(timeline, filter)
  }
  const atOnce = listingOf(fold(events), filter)
  expect(rowsOf(grown)).toEqual(rowsOf(atOnce))
  expect(grown.height()).toBe(atOnce.height())
  expect(rowsOf(grown).length).toBeGreaterThan(90)
  expect(rowsOf(grown).every((row, n, all) => n === 0 || row > (all[n - 1] ?? 0))).toBe(true)
})

it('a listing makes room when an older group gets another row', () => {
  const before = fold(signIns(50))
  const listing = listingOf(before)
  const top = listing.topOf(60) ?? 0
  const late = call({ id: 'late', line: `POST /app/messages/${id(3)}/bind`, route: '/app/messages/{msg_id}/bind' })
  const [event] = record([[999, late]])
  listing.show(foldTimeline(before, { ...(event as BenchEvent), seq: 151 }), '')
  expect(listing.topOf(60)).toBe(top + list.ROW_HEIGHT)
  expect(listing.topOf(151)).toBe(3 * GROUP + list.HEAD_HEIGHT + 2 * list.ROW_HEIGHT)
})

it('a listing goes back to a timeline that was held', () => {
  const held = fold(signIns(10))
  const listing = listingOf(fold(signIns(10)))
  listing.show(foldTimeline(held, { ...(signIns(11).at(-2) as BenchEvent) }), '')
  listing.show(held, '')
  expect(listing.height()).toBe(10 * GROUP)
})

const words = (filter: string) =>
  everything(listingOf(fold(record(registration())), filter)).flatMap(({ rows }) =>
    rows.map(({ row }) => rowWords(row)),
  )

it('the filter finds rows by word, path and state, all of them together', () => {
  expect(words('bind post')).toEqual(['Scanned'])
  expect(words('ALICE success')).toHaveLength(6)
  expect(words('alice signs')).toEqual([])
  expect(words('alice registers')).toEqual(['Registers passkey'])
  expect(words('nothing like it')).toEqual([])
  expect(words('  ')).toHaveLength(6)
})
