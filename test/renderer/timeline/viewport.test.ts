import { beforeEach, describe, expect, it } from 'vitest'
import { foldTimeline } from '../../../src-main/timeline/fold-timeline.ts'
import { newTimeline, type Timeline } from '../../../src-main/timeline/timeline.ts'
import { createListing, type Listing, ROW_HEIGHT } from '../../../src-renderer/timeline/listing.ts'
import {
  endOf,
  FOOT,
  follow,
  holdOn,
  newViewport,
  scrolledTo,
  topFor,
  type Viewport,
} from '../../../src-renderer/timeline/viewport.ts'
import { call, record } from '../fixture.ts'

const calls = (count: number) =>
  record(Array.from({ length: count }, (_, n) => [n, call({ id: `req_${n}`, line: 'GET /fido/rp/credentials' })]))

let timeline: Timeline
let listing: Listing
let view: Viewport

/** Lets it become so many calls and stands where the list would stand then. */
const grow = (count: number): number => {
  for (const event of calls(count)) if (event.seq > timeline.exchanges) timeline = foldTimeline(timeline, event)
  listing.show(timeline, '')
  return settle()
}

const settle = (): number => {
  holdOn(view, listing, topFor(view, listing))
  return view.top
}

const isInSight = (row: number): boolean => {
  const top = listing.topOf(row) ?? Number.NaN
  return top >= view.top && top + ROW_HEIGHT <= view.top + view.height
}

beforeEach(() => {
  timeline = newTimeline()
  listing = createListing()
  view = { ...newViewport(), height: 600 }
  grow(100)
})

describe('the view of a list that grows', () => {
  it('stays at its end while it is there', () => {
    expect(view.top).toBe(endOf(view, listing))
    expect(grow(140)).toBe(endOf(view, listing))
    expect(isInSight(140)).toBe(true)
  })

  it('follows on when its pane grows and so scrolls it, before its new height is known otherwise', () => {
    const end = listing.height() + FOOT - 1000
    scrolledTo(view, listing, { top: end, height: 1000 })
    grow(140)
    expect(isInSight(140)).toBe(true)
  })

  it('stays where a reader scrolled to, and follows the end again when the reader returns', () => {
    scrolledTo(view, listing, { top: 500, height: view.height })
    expect(grow(140)).toBe(500)
    scrolledTo(view, listing, { top: endOf(view, listing), height: view.height })
    grow(180)
    expect(isInSight(180)).toBe(true)
  })

  it('keeps what is looked at in its place when more comes above it', () => {
    scrolledTo(view, listing, { top: 500, height: view.height })
    const row = listing.rowAt(500 + 100)?.id ?? 0
    const below = (listing.topOf(row) ?? 0) - view.top
    // The same rows with others before them, as when the backlog has come.
    const older = calls(400).map((event) => ({ ...event, seq: event.seq - 300 }))
    timeline = older.reduce(foldTimeline, newTimeline())
    listing.show(timeline, '')
    settle()
    expect((listing.topOf(row) ?? 0) - view.top).toBe(below)
  })
})

describe('a row that was chosen', () => {
  it('comes into sight from wherever the list stands', () => {
    view.pinned = 3
    settle()
    expect(isInSight(3)).toBe(true)
    view.pinned = 99
    settle()
    expect(isInSight(99)).toBe(true)
  })

  it('stays in sight when the list becomes lower, also at its end', () => {
    view.pinned = 90
    settle()
    expect(view.top).toBe(endOf(view, listing))
    view.height = 180
    settle()
    expect(isInSight(90)).toBe(true)
  })

  it('comes into sight when a hidden list is shown again', () => {
    view.height = 0
    view.pinned = 3
    settle()
    view.height = 600
    settle()
    expect(isInSight(3)).toBe(true)
  })

  it('is not moved out of sight by what streams in, and lets go when a reader scrolls', () => {
    view.pinned = 95
    settle()
    grow(300)
    expect(isInSight(95)).toBe(true)
    scrolledTo(view, listing, { top: endOf(view, listing), height: view.height })
    grow(310)
    expect(isInSight(310)).toBe(true)
  })

  it('is left behind by a reader who goes back to the end', () => {
    view.pinned = 3
    settle()
    follow(view)
    settle()
    expect(isInSight(100)).toBe(true)
  })
})
