import { readFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { foldTimeline } from '../../src-main/views/timeline/event-views.ts'
import { shortPath } from '../../src-main/views/timeline/fold/fold-exchange.ts'
import { chipCounts } from '../../src-main/views/timeline/search-terms.ts'
import { newTimeline, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import { type BenchState, newBench } from '../../src-renderer/bench/bench-state.ts'
import { createHeights, createListing, type Listing, ROW_HEIGHT } from '../../src-renderer/timeline/listing.ts'
import * as timelineView from '../../src-renderer/timeline/timeline-view.ts'
import { took } from '../../src-renderer/ui/format.ts'
import { call, move, record, registration, timelineOf } from './fixture.ts'

const MSG = 'BBBBBBBBBBBBBBBBBBBBBB'

const { groups } = timelineOf(record(registration()))
const group = groups.at(0)

it('a registration is one group in its lanes, with polls folded and the state of the message down the ribbon', () => {
  expect(groups).toHaveLength(1)
  const told = group?.rows.map(
    ({ from, to, method, path, seqs, before, after }) =>
      `${from} ${to}: ${method} ${path} ×${seqs.length}, ${before} ${after}`,
  )
  expect(told).toEqual([
    'rp service: POST attestation/options ×1, undefined init',
    'rp service: GET attestation/result ×2, init init',
    'phone service: POST bind ×1, init bind',
    'rp service: GET attestation/result ×1, bind bind',
    'phone service: POST attestation ×1, bind success',
    'rp service: GET attestation/result ×1, success undefined',
  ])
  expect(group?.rows.map(({ moved }) => moved)).toEqual(['init', undefined, 'bind', undefined, 'success', undefined])
})

it('a registration knows what became of it, who answered and that the RP has read it', () => {
  expect(group?.message).toMatchObject({
    ceremony: 'registration',
    username: 'alice',
    state: 'success',
    svcUser: 'Alice (138****5678)',
    delivered: true,
  })
  expect((group?.message?.endedWall ?? 0) - (group?.message?.startedWall ?? 0)).toBe(5874)
})

const poll = (id: string, more: object = {}) =>
  call({ id, line: `GET /fido/rp/assertion/result?msg_id=${MSG}`, ...more })

const signIn = () =>
  [
    [0, move({ msgId: MSG, to: 'init', cause: 'req_1', method: 'qrcode' })],
    [1, call({ id: 'req_1', line: 'POST /fido/rp/assertion/options' })],
  ] as const

it('polls fold into one row that keeps its place and remembers each of them', () => {
  const { groups } = timelineOf(
    record([...signIn(), [500, poll('req_2')], [1000, poll('req_3')], [1500, poll('req_4')]]),
  )
  const row = groups.at(0)?.rows.at(1)
  expect(row?.id).toBe(3)
  expect([...(row?.seqs ?? [])]).toEqual([3, 4, 5])
  expect(row?.wall).toBe(record([[500, poll('req_2')]])[0]?.wall)
})

it('polls do not fold when they were answered differently', () => {
  const { groups } = timelineOf(
    record([...signIn(), [500, poll('req_2')], [1000, poll('req_3', { code: 50301, status: 503 })]]),
  )
  expect(groups.at(0)?.rows).toHaveLength(3)
})

it('a message whose time runs out gets a row of its own, since no call brought it about', () => {
  const { groups } = timelineOf(record([...signIn(), [180_000, move({ msgId: MSG, from: 'init', to: 'timeout' })]]))
  expect(groups.at(0)?.rows.at(-1)).toMatchObject({
    kind: 'moment',
    before: 'init',
    after: 'timeout',
    moved: 'timeout',
  })
  expect(groups.at(0)?.message?.state).toBe('timeout')
})

const push = (stage: 'queued' | 'sent') => ({ kind: 'push', msg_id: MSG, device_id: 'dev_alice', stage }) as const

it('a push that a call set off is drawn after that call, though it is known before', () => {
  const [made, asked] = signIn()
  const queued = { ...push('queued'), cause: 'req_1' }
  const { groups } = timelineOf(record([made, [1, queued], [2, push('sent')], asked]))
  expect(groups.at(0)?.rows.map(({ route }) => route)).toEqual(['POST rp/assertion/options', 'push sent'])
})

it('a push from the service to the phone is one row where it leaves at once, and two where it has to wait', () => {
  const pushes = (...drafts: Parameters<typeof record>[0]) => {
    const { groups } = timelineOf(record([...signIn(), [2, push('queued')], ...drafts, [900, push('sent')]]))
    return [...(groups.at(0)?.rows ?? [])].filter(({ kind }) => kind === 'push')
  }
  expect(pushes()).toMatchObject([{ from: 'service', to: 'phone', route: 'push sent' }])
  expect(pushes([500, poll('req_2')]).map(({ route }) => route)).toEqual(['push queued', 'push sent'])
})

it('calls outside any request stand together until a request begins', () => {
  const list = (id: string) => call({ id, line: 'GET /fido/rp/credentials?user_id=alice' })
  const later = signIn().map(([at, draft]) => [at + 100, draft] as const)
  const { groups } = timelineOf(record([[0, list('req_8')], [50, list('req_9')], ...later, [900, list('req_10')]]))
  expect(groups.map(({ message, rows }) => [message?.msgId, rows.length])).toEqual([
    [undefined, 2],
    [MSG, 1],
    [undefined, 1],
  ])
})

it('calls outside any request keep a phone’s vault calls with the request that the phone is answering', () => {
  const bind = [10, move({ msgId: MSG, from: 'init', to: 'bind', cause: 'req_2' })] as const
  const bound = [11, call({ id: 'req_2', line: `POST /app/messages/${MSG}/bind`, device: 'dev_alice' })] as const
  const vault = call({ id: 'req_3', line: 'PUT /app/vault/abcdefghijkl', device: 'dev_alice' })
  const { groups } = timelineOf(record([...signIn(), bind, bound, [20, vault]]))
  expect(groups).toHaveLength(1)
  expect(groups.at(0)?.rows.at(-1)?.path).toBe('vault/abcdefgh…')
})

it.each([
  ['/fido/rp/attestation/result?msg_id=x', 'attestation/result'],
  ['/w/job-3/fido/rp/credentials', 'credentials'],
  ['/app/messages/AAAAAAAAAAAAAAAAAAAAAA/bind', 'bind'],
  ['/app/devices/self', 'devices/self'],
])('the path %s is spoken of as %s', (target, short) => {
  expect(shortPath(target)).toBe(short)
})

const css = readFileSync(new URL('../../src-renderer/timeline/exchange-row.module.css', import.meta.url), 'utf8')

/** JetBrains Mono: each character is 0.6 em wide. */
const CHARACTER_PX = 0.6 * Number(/\.took \{\s*font: \d+ (\d+)px/.exec(css)?.[1])

it('the column of durations has room for every duration', () => {
  const columns = [...css.matchAll(/grid-template-columns: .* auto (\d+)(?:px)?;/g)].map(([, px]) => Number(px))
  const shown = columns.filter((px) => px > 0)
  expect(shown).toHaveLength(4)
  const times = [0, 4_200, 99_949, 99_960, 100_000, 9_999_000, 10_000_000, 3_600_000_000]
  const widest = Math.max(...times.map((us) => took(us).length * CHARACTER_PX))
  expect(widest).toBeGreaterThan(0)
  for (const px of shown) expect(px).toBeGreaterThanOrEqual(widest)
})

/** The same, worked out the long way. */
const plainly = (heights: readonly number[]) => ({
  top: (index: number) => heights.slice(0, index).reduce((sum, height) => sum + height, 0),
  at: (y: number) =>
    y < 0
      ? -1
      : heights.findIndex((_, index) => heights.slice(0, index + 1).reduce((sum, height) => sum + height, 0) > y),
})

it('finds every height and every top as plain adding up does, from nothing and while they change', () => {
  const tree = createHeights()
  expect([tree.at(0), tree.total(), tree.top(3)]).toEqual([-1, 0, 0])
  const heights: number[] = []
  for (let n = 0; n < 200; n++) {
    const index = n % 3 === 0 ? (n * 7) % (heights.length + 1) : heights.length
    const height = n % 5 === 0 ? 0 : (n * 13) % 90
    heights[index] = height
    tree.set(index, height)
  }
  const plain = plainly(heights)
  const total = plain.top(heights.length)
  expect(tree.total()).toBe(total)
  expect(heights.map((_, index) => tree.top(index))).toEqual(heights.map((_, index) => plain.top(index)))
  const ys = Array.from({ length: total + 2 }, (_, y) => y - 1)
  expect(ys.map(tree.at)).toEqual(ys.map(plain.at))
})

const none = chipCounts(() => 0)

const viewOf = (first: Partial<BenchState>) => {
  let state: BenchState = { ...newBench(), connection: 'live', ...first }
  let listener = (): void => undefined
  const nothing = (): void => undefined
  const view = timelineView.createTimelineView({
    getState: () => state,
    subscribe: (wanted) => {
      listener = wanted
      return nothing
    },
    older: nothing,
    search: nothing,
    keep: nothing,
  })
  view.subscribe(nothing)
  return {
    ...view,
    become: (change: Partial<BenchState>) => {
      state = { ...state, ...change }
      listener()
    },
  }
}

it('a search says that it goes on from its first moment, and that nothing matches only at its end', () => {
  const view = viewOf({})
  expect(view.scene().instead).toBe('empty')
  const search = { text: 'is:failed', from: 900, among: 0, chips: none, more: true, busy: true }
  view.become({ search })
  view.filterBy(search.text)
  expect(view.scene().instead).toBe('searching')
  view.become({ search: { ...search, more: false, busy: false } })
  expect(view.scene().instead).toBe('noMatch')
})

it('a value that no search takes is told at once, and only where nothing stands', () => {
  const view = viewOf({})
  view.become({ search: { text: 'state:xyz', from: 900, among: 0, chips: none, more: true, busy: true } })
  view.filterBy('state:xyz')
  expect(view.scene()).toMatchObject({ instead: 'noMatch', unknown: { key: 'state', term: 'state:xyz' } })
  view.filterBy('state:fail')
  expect(view.scene().instead).toBe('searching')
  expect(view.scene().unknown).toBeUndefined()
})

it('before anything is read, nothing is said to be missing', () => {
  const view = viewOf({ connection: 'connecting' })
  expect(view.scene().instead).toBeUndefined()
  view.filterBy('alice')
  expect(view.scene().instead).toBe('searching')
})

it('the chips say that they count only what the page holds, until the service has counted the rest', () => {
  const view = viewOf({ timeline: newTimeline(900) })
  expect(view.scene()).toMatchObject({ whole: false, chips: { 'is:failed': 0 } })
  const counted = { before: 900, chips: { ...none, 'is:failed': 3 } }
  view.become({ counted })
  expect(view.scene()).toMatchObject({ whole: true, chips: { 'is:failed': 3 } })
  // What left the page since is in neither count.
  view.become({ timeline: newTimeline(950) })
  expect(view.scene()).toMatchObject({ whole: false, chips: { 'is:failed': 0 } })
})

it('a row that the search leaves out ends the search where a person goes to it, and not where an address names both', () => {
  const events = record([[0, call({ id: 'req_1', line: 'GET /fido/rp/credentials?user_id=u-1' })]])
  const view = viewOf({ timeline: timelineOf(events) })
  view.filterBy('status:599')
  view.choose(1, true)
  expect(view.scene()).toMatchObject({ filter: 'status:599', selected: 1 })
  view.choose(1)
  expect(view.scene()).toMatchObject({ filter: '', selected: 1 })
})

const calls = (count: number) =>
  record(Array.from({ length: count }, (_, n) => [n, call({ id: `req_${n}`, line: 'GET /fido/rp/credentials' })]))

let timeline: Timeline
let listing: Listing
let view: timelineView.Viewport

/** Lets it become so many calls and stands where the list would stand then. */
const grow = (count: number): number => {
  for (const event of calls(count)) if (event.seq > timeline.exchanges) timeline = foldTimeline(timeline, event)
  listing.show(timeline, '')
  return settle()
}

const settle = (): number => {
  timelineView.anchorAt(view, listing, timelineView.targetScrollTop(view, listing))
  return view.top
}

const isInSight = (row: number): boolean => {
  const top = listing.topOf(row) ?? Number.NaN
  return top >= view.top && top + ROW_HEIGHT <= view.top + view.height
}

beforeEach(() => {
  timeline = newTimeline()
  listing = createListing()
  view = { ...timelineView.newViewport(), height: 600 }
  grow(100)
})

it('the view of a list that grows stays at its end while it is there', () => {
  expect(view.top).toBe(timelineView.endScrollTop(view, listing))
  expect(grow(140)).toBe(timelineView.endScrollTop(view, listing))
  expect(isInSight(140)).toBe(true)
})

it('the view of a list that grows follows on when its pane grows and so scrolls it, before its new height is known otherwise', () => {
  const end = listing.height() + timelineView.BOTTOM_SPACE - 1000
  timelineView.handleScroll(view, listing, { top: end, height: 1000 })
  grow(140)
  expect(isInSight(140)).toBe(true)
})

it('the view of a list that grows stays where a reader scrolled to, and follows the end again when the reader returns', () => {
  timelineView.handleScroll(view, listing, { top: 500, height: view.height })
  expect(grow(140)).toBe(500)
  timelineView.handleScroll(view, listing, { top: timelineView.endScrollTop(view, listing), height: view.height })
  grow(180)
  expect(isInSight(180)).toBe(true)
})

it('the view of a list that grows keeps what is looked at in its place when more comes above it', () => {
  timelineView.handleScroll(view, listing, { top: 500, height: view.height })
  const row = listing.rowAt(500 + 100)?.id ?? 0
  const below = (listing.topOf(row) ?? 0) - view.top
  // The same rows with others before them, as when the backlog has come.
  const older = calls(400).map((event) => ({ ...event, seq: event.seq - 300 }))
  timeline = timelineOf(older)
  listing.show(timeline, '')
  settle()
  expect((listing.topOf(row) ?? 0) - view.top).toBe(below)
})

it('a row that was chosen stays in sight when the list becomes lower, also at its end', () => {
  view.pinned = 90
  settle()
  expect(view.top).toBe(timelineView.endScrollTop(view, listing))
  view.height = 180
  settle()
  expect(isInSight(90)).toBe(true)
})

it('a row that was chosen comes into sight when a hidden list is shown again', () => {
  view.height = 0
  view.pinned = 3
  settle()
  view.height = 600
  settle()
  expect(isInSight(3)).toBe(true)
})

it('a row that was chosen is not moved out of sight by what streams in, and lets go when a reader scrolls', () => {
  view.pinned = 95
  settle()
  grow(300)
  expect(isInSight(95)).toBe(true)
  timelineView.handleScroll(view, listing, { top: timelineView.endScrollTop(view, listing), height: view.height })
  grow(310)
  expect(isInSight(310)).toBe(true)
})

it('a row that was chosen comes into sight from wherever the list stands, and is left behind by a reader who goes back to the end', () => {
  for (const row of [99, 3]) {
    view.pinned = row
    settle()
    expect(isInSight(row)).toBe(true)
  }
  timelineView.followEnd(view)
  settle()
  expect(isInSight(100)).toBe(true)
})
