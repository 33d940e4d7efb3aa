import { findRow, type Group, newTimeline, type Row, type Timeline } from '../bench/timeline.ts'
import { createFilter, type Filter, type Matches } from './filter.ts'
import { createHeights, type Heights } from './heights.ts'
import type { Surroundings } from './search-terms.ts'

export const HEAD_HEIGHT = 34
export const ROW_HEIGHT = 28

export type ListedRow = { readonly row: Row /** Below the top of its group. */; readonly top: number }

/** A group as far as it is to be drawn. */
export type ListedGroup = {
  readonly group: Group
  readonly place: number
  readonly top: number
  readonly height: number
  readonly rows: readonly ListedRow[]
}

/** Where everything in the timeline stands, in pixels, with only those rows that the filter leaves. */
export type Listing = {
  /** Takes over a later timeline: only what differs from the one before costs anything. */
  readonly show: (timeline: Timeline, filter: string) => void
  readonly height: () => number
  /** How many groups are listed. */
  readonly count: () => number
  readonly topOf: (row: number) => number | undefined
  /** The row that covers this height, or is the next one below. */
  readonly rowAt: (y: number) => Row | undefined
  /** The row above or below another one. */
  readonly beside: (row: number, by: 1 | -1) => Row | undefined
  readonly first: () => Row | undefined
  readonly last: () => Row | undefined
  /** What stands between two heights; one row is always among it, wherever it stands. */
  readonly between: (from: number, to: number, always: number | undefined) => readonly ListedGroup[]
}

export const createListing = (around: Surroundings = { rpName: (id) => id, page: () => '' }): Listing => {
  let timeline = newTimeline()
  let text = ''
  let filter: Filter | undefined
  let heights: Heights = createHeights()
  /** The place that the heights count from. */
  let base = 0
  let matches = new Map<number, Matches>()
  let matching = 0

  const shownRows = (place: number, group: Group): number =>
    filter === undefined ? group.rows.length : (matches.get(place)?.rows.length ?? 0)

  const place = (at: number): void => {
    const group = timeline.groups.get(at)
    if (group === undefined) return
    if (filter !== undefined) {
      const before = matches.get(at)
      const counted = before !== undefined && before.rows.length > 0
      const after = filter(group, before)
      matches.set(at, after)
      matching += Number(after.rows.length > 0) - Number(counted)
    }
    const count = shownRows(at, group)
    heights.set(at - base, count === 0 ? 0 : HEAD_HEIGHT + count * ROW_HEIGHT)
  }

  const anew = (): void => {
    heights = createHeights()
    matches = new Map()
    matching = 0
    base = timeline.groups.first
    for (let at = base; at < timeline.groups.end; at++) place(at)
  }

  const show: Listing['show'] = (next, wanted) => {
    const before = timeline
    timeline = next
    if (wanted !== text || next.places !== before.places) {
      text = wanted
      filter = createFilter(wanted, around)
      anew()
      return
    }
    if (next === before) return
    for (let at = before.groups.first; at < Math.min(next.groups.first, before.groups.end); at++) {
      heights.set(at - base, 0)
      if ((matches.get(at)?.rows.length ?? 0) > 0) matching -= 1
      matches.delete(at)
    }
    // An older timeline than before: somebody stopped it.
    if (next.groups.end < before.groups.end || next.groups.first - base > 2 * next.groups.length) anew()
    else for (const at of next.groups.changedSince(before.groups)) place(at)
  }

  /** The place within the group of its nth row that is shown, and back. */
  const nth = (at: number, n: number): number => (filter === undefined ? n : (matches.get(at)?.rows[n] ?? -1))
  const indexOf = (at: number, row: number): number => {
    if (filter === undefined) return row
    const rows = matches.get(at)?.rows ?? []
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((rows[middle] ?? 0) < row) low = middle + 1
      else high = middle
    }
    return rows[low] === row ? low : -1
  }

  type Where = { readonly at: number; readonly index: number }

  const whereIs = (id: number): Where | undefined => {
    const found = findRow(timeline, id)
    if (found === undefined) return undefined
    const at = timeline.places.ofRow.get(id) ?? -1
    const { rows } = found.group
    let row = rows.end - 1
    while (row >= 0 && rows.get(row)?.id !== id) row -= 1
    const index = indexOf(at, row)
    return index < 0 ? undefined : { at, index }
  }

  const rowOf = ({ at, index }: Where): Row | undefined => timeline.groups.get(at)?.rows.get(nth(at, index))

  /** The shown group at this height, and the row of it nearest to there. */
  const whereAt = (y: number): Where | undefined => {
    const height = heights.total()
    const index = heights.at(Math.min(Math.max(0, y), height - 1))
    if (index < 0) return undefined
    const at = index + base
    const group = timeline.groups.get(at)
    if (group === undefined) return undefined
    const inside = Math.floor((y - heights.top(index) - HEAD_HEIGHT) / ROW_HEIGHT)
    return { at, index: Math.max(0, Math.min(inside, shownRows(at, group) - 1)) }
  }

  const topOf: Listing['topOf'] = (id) => {
    const where = whereIs(id)
    return where === undefined ? undefined : heights.top(where.at - base) + HEAD_HEIGHT + where.index * ROW_HEIGHT
  }

  const rowAt: Listing['rowAt'] = (y) => {
    const where = whereAt(y)
    return where === undefined ? undefined : rowOf(where)
  }

  const listed = (at: number, from: number, to: number): ListedGroup | undefined => {
    const group = timeline.groups.get(at)
    if (group === undefined) return undefined
    const top = heights.top(at - base)
    const count = shownRows(at, group)
    const rows: ListedRow[] = []
    const first = Math.max(0, Math.floor((from - top - HEAD_HEIGHT) / ROW_HEIGHT))
    for (let index = first; index < count; index++) {
      const inside = HEAD_HEIGHT + index * ROW_HEIGHT
      if (top + inside >= to) break
      const row = rowOf({ at, index })
      if (row !== undefined) rows.push({ row, top: inside })
    }
    return { group, place: at, top, height: HEAD_HEIGHT + count * ROW_HEIGHT, rows }
  }

  const between: Listing['between'] = (from, to, always) => {
    const groups: ListedGroup[] = []
    for (let y = Math.max(0, from); y < to; ) {
      const index = heights.at(y)
      const group = index < 0 ? undefined : listed(index + base, from, to)
      if (group === undefined) break
      groups.push(group)
      y = group.top + group.height
    }
    const where = always === undefined ? undefined : whereIs(always)
    return where === undefined ? groups : withRow(groups, where)
  }

  const withRow = (groups: readonly ListedGroup[], where: Where): readonly ListedGroup[] => {
    const row = rowOf(where)
    if (row === undefined) return groups
    const more: ListedRow = { row, top: HEAD_HEIGHT + where.index * ROW_HEIGHT }
    const there = groups.findIndex((each) => each.place === where.at)
    const known = groups[there]
    if (known !== undefined) {
      if (known.rows.some((each) => each.row === row)) return groups
      return groups.with(there, { ...known, rows: [...known.rows, more].sort((a, b) => a.top - b.top) })
    }
    const alone = listed(where.at, 0, 0)
    if (alone === undefined) return groups
    return [...groups, { ...alone, rows: [more] }].sort((a, b) => a.place - b.place)
  }

  return {
    show,
    height: () => heights.total(),
    count: () => (filter === undefined ? timeline.groups.length : matching),
    topOf,
    rowAt,
    beside: (id, by) => {
      const top = topOf(id)
      if (top === undefined) return undefined
      const next = rowAt(by === 1 ? top + ROW_HEIGHT : top - 1)
      if (next?.id !== id) return next
      // Above the first row of a group stands its head.
      return by === -1 && top > HEAD_HEIGHT ? rowAt(top - HEAD_HEIGHT - 1) : undefined
    },
    first: () => rowAt(0),
    last: () => rowAt(heights.total() - 1),
    between,
  }
}
