import { createFilter, type Filter, type GroupMatches } from '../../src-main/views/timeline/filter.ts'
import type { SearchContext } from '../../src-main/views/timeline/search-terms.ts'
import {
  findRow,
  type Group,
  groupOf,
  newTimeline,
  type Row,
  type Timeline,
} from '../../src-main/views/timeline/timeline.ts'
import { hourMinuteSecond } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'

export const HEAD_HEIGHT = 34
export const ROW_HEIGHT = 28
/** Height of the gap above a group before which events are missing. */
export const GAP_HEIGHT = 36

export type ListedRow = { readonly row: Row /** Below the top of its group. */; readonly top: number }

/** A position of the arrow keys: a row by its number, or the head of a group by the group's id. */
export type KeyStop = number | string

export type ListedGroup = {
  readonly group: Group
  readonly folded: boolean
  readonly place: number
  readonly top: number
  readonly height: number
  readonly rows: readonly ListedRow[]
  /** Approximate number of missing events between this group and the one above. */
  readonly gap?: number
}

export type Listing = ReturnType<typeof createListing>

export const createListing = (around: SearchContext = searchContext()) => {
  let timeline = newTimeline()
  let text = ''
  let folding = NOTHING_FOLDED
  let filter: Filter | undefined
  let heights = createHeights()
  /** Index of the group with which the heights begin. */
  let base = 0
  let matches = new Map<number, GroupMatches>()
  let matching = 0

  /** Number of rows that match the filter, folded or not. */
  const leftRows = (place: number, group: Group): number =>
    filter === undefined ? group.rows.length : (matches.get(place)?.rows.length ?? 0)
  const shownRows = (place: number, group: Group): number => (isFolded(folding, group.id) ? 0 : leftRows(place, group))

  /** Missing events above a group. Undefined during a search, which leaves out events anyway. */
  const gapAt = (at: number): number | undefined => {
    const { from, groups } = timeline
    const above = groups.get(at - 1)?.seq
    if (filter !== undefined || from === undefined || above === undefined || above >= from) return undefined
    return (groups.get(at)?.seq ?? 0) >= from ? from - above : undefined
  }
  const headOf = (at: number): number => HEAD_HEIGHT + (gapAt(at) === undefined ? 0 : GAP_HEIGHT)

  const measure = (at: number, group: Group): void => {
    const hidden = leftRows(at, group) === 0
    heights.set(at - base, hidden ? 0 : headOf(at) + shownRows(at, group) * ROW_HEIGHT)
  }

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
    measure(at, group)
  }

  const foldAs = (wanted: Folding): void => {
    const before = folding
    folding = wanted
    if (wanted.all !== before.all) {
      for (let at = timeline.groups.first; at < timeline.groups.end; at++) measureAt(at)
    } else {
      for (const id of [...before.except, ...wanted.except]) {
        if (groupOf(timeline, id) !== undefined) measureAt(timeline.places.ofGroup.get(id) ?? -1)
      }
    }
  }
  const measureAt = (at: number): void => {
    const group = timeline.groups.get(at)
    if (group !== undefined) measure(at, group)
  }

  const anew = (): void => {
    heights = createHeights()
    matches = new Map()
    matching = 0
    base = timeline.groups.first
    for (let at = base; at < timeline.groups.end; at++) place(at)
  }

  /** Updates the listing to a later timeline, at the cost of the changes only. */
  const show = (next: Timeline, wanted: string, folds: Folding = NOTHING_FOLDED): void => {
    showRows(next, wanted)
    if (folds !== folding) foldAs(folds)
  }

  const showRows = (next: Timeline, wanted: string): void => {
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
    // The group that is now first has no group above it.
    if (next.groups.first > before.groups.first) measureAt(next.groups.first)
    // The timeline is older than before, because the user paused it.
    if (next.groups.end < before.groups.end || next.groups.first - base > 2 * next.groups.length) anew()
    else for (const at of next.groups.changedSince(before.groups)) place(at)
  }

  /** Converts the index among shown rows to the index in the group; indexOf does the reverse. */
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

  /** A head has the index -1. */
  type Where = { readonly at: number; readonly index: number }

  const whereIs = (id: KeyStop): Where | undefined => {
    if (typeof id === 'string') {
      const group = groupOf(timeline, id)
      const at = timeline.places.ofGroup.get(id) ?? -1
      return group === undefined || leftRows(at, group) === 0 ? undefined : { at, index: -1 }
    }
    const found = findRow(timeline, id)
    if (found === undefined) return undefined
    const at = timeline.places.ofRow.get(id) ?? -1
    const { rows } = found.group
    let row = rows.end - 1
    while (row >= 0 && rows.get(row)?.id !== id) row -= 1
    const index = indexOf(at, row)
    if (index < 0) return undefined
    return { at, index: isFolded(folding, found.group.id) ? -1 : index }
  }

  const rowOf = ({ at, index }: Where): Row | undefined => timeline.groups.get(at)?.rows.get(nth(at, index))

  const whereAt = (y: number): Where | undefined => {
    const height = heights.total()
    const index = heights.at(Math.min(Math.max(0, y), height - 1))
    if (index < 0) return undefined
    const at = index + base
    const group = timeline.groups.get(at)
    if (group === undefined) return undefined
    const inside = Math.floor((y - heights.top(index) - headOf(at)) / ROW_HEIGHT)
    // A folded group has no shown rows, so the index is that of its head.
    return { at, index: Math.min(Math.max(0, inside), shownRows(at, group) - 1) }
  }

  /** Top of a row or head; for a folded row, the top of its group's head. */
  const topOf = (stop: KeyStop): number | undefined => {
    const where = whereIs(stop)
    if (where === undefined) return undefined
    return heights.top(where.at - base) + (where.index < 0 ? 0 : headOf(where.at) + where.index * ROW_HEIGHT)
  }

  /** The row at this height, or the next row below. */
  const rowAt = (y: number): Row | undefined => {
    const where = whereAt(y)
    return where === undefined ? undefined : rowOf({ ...where, index: Math.max(0, where.index) })
  }

  const stopAt = (y: number): KeyStop | undefined => {
    const where = whereAt(y)
    if (where === undefined) return undefined
    return where.index < 0 ? timeline.groups.get(where.at)?.id : rowOf(where)?.id
  }

  const listed = (at: number, from: number, to: number): ListedGroup | undefined => {
    const group = timeline.groups.get(at)
    if (group === undefined) return undefined
    const top = heights.top(at - base)
    const count = shownRows(at, group)
    const rows: ListedRow[] = []
    const head = headOf(at)
    const gap = gapAt(at)
    const first = Math.max(0, Math.floor((from - top - head) / ROW_HEIGHT))
    for (let index = first; index < count; index++) {
      const inside = head + index * ROW_HEIGHT
      if (top + inside >= to) break
      const row = rowOf({ at, index })
      if (row !== undefined) rows.push({ row, top: inside })
    }
    const folded = isFolded(folding, group.id)
    const height = head + count * ROW_HEIGHT
    return { group, folded, place: at, top, height, rows, ...(gap === undefined ? {} : { gap }) }
  }

  /** The groups and rows between two heights; `always` is included wherever it is. */
  const between = (from: number, to: number, always: KeyStop | undefined): readonly ListedGroup[] => {
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
    const row = where.index < 0 ? undefined : rowOf(where)
    const more: readonly ListedRow[] =
      row === undefined ? [] : [{ row, top: headOf(where.at) + where.index * ROW_HEIGHT }]
    const there = groups.findIndex((each) => each.place === where.at)
    const known = groups[there]
    if (known !== undefined) {
      if (row === undefined || known.rows.some((each) => each.row === row)) return groups
      return groups.with(there, { ...known, rows: [...known.rows, ...more].sort((a, b) => a.top - b.top) })
    }
    const alone = listed(where.at, 0, 0)
    if (alone === undefined) return groups
    return [...groups, { ...alone, rows: more }].sort((a, b) => a.place - b.place)
  }

  return {
    show,
    height: (): number => heights.total(),
    count: (): number => (filter === undefined ? timeline.groups.length : matching),
    topOf,
    rowAt,
    /** The row above or below, or the head of a group that is folded. */
    beside: (stop: KeyStop, by: 1 | -1): KeyStop | undefined => {
      const where = whereIs(stop)
      const top = topOf(stop)
      if (where === undefined || top === undefined) return undefined
      if (by === 1) {
        const below = top + (where.index < 0 ? headOf(where.at) : ROW_HEIGHT)
        return below < heights.total() ? stopAt(below) : undefined
      }
      // The group's head is above its first row.
      const above = top - (where.index === 0 ? headOf(where.at) : 0) - 1
      return above < 0 ? undefined : stopAt(above)
    },
    first: () => stopAt(0),
    last: () => stopAt(heights.total() - 1),
    groupAt: (stop: KeyStop): Group | undefined => timeline.groups.get(whereIs(stop)?.at ?? -1),
    between,
  }
}

/** Heights of a list's items as a binary indexed tree, which changes and finds an item in logarithmic time. */
export const createHeights = () => {
  const own: number[] = []
  // sums[i - 1] is the sum of the last (i & -i) heights before i, so that every prefix sum has at most log n parts.
  const sums: number[] = []
  let total = 0

  const append = (height: number): void => {
    own.push(height)
    const i = own.length
    let sum = height
    for (let j = i - 1; j > i - (i & -i); j -= j & -j) sum += sums[j - 1] ?? 0
    sums.push(sum)
    total += height
  }

  return {
    set: (index: number, height: number) => {
      while (own.length < index) append(0)
      if (index === own.length) return append(height)
      const more = height - (own[index] ?? 0)
      if (more === 0) return
      own[index] = height
      total += more
      for (let i = index + 1; i <= sums.length; i += i & -i) sums[i - 1] = (sums[i - 1] ?? 0) + more
    },
    total: (): number => total,
    top: (index: number): number => {
      let sum = 0
      for (let i = Math.min(index, own.length); i > 0; i -= i & -i) sum += sums[i - 1] ?? 0
      return sum
    },
    /** The item that covers this height; -1 when none does. An item without height covers nothing. */
    at: (y: number): number => {
      if (y < 0 || y >= total) return -1
      let index = 0
      let left = y
      for (let step = 2 ** Math.floor(Math.log2(own.length)); step > 0; step >>= 1) {
        const sum = sums[index + step - 1]
        if (sum === undefined || index + step > own.length || sum > left) continue
        index += step
        left -= sum
      }
      return index
    },
  }
}

/** New groups follow `all`. */
export type Folding = {
  readonly all: boolean
  /** Groups that differ from `all`. */
  readonly except: ReadonlySet<string>
}

export const NOTHING_FOLDED: Folding = { all: false, except: new Set() }
export const ALL_FOLDED: Folding = { all: true, except: new Set() }

export const isFolded = ({ all, except }: Folding, group: string): boolean => all !== except.has(group)

export const withFold = (folding: Folding, group: string, folded: boolean): Folding => {
  if (isFolded(folding, group) === folded) return folding
  const except = new Set(folding.except)
  if (!except.delete(group)) except.add(group)
  return { all: folding.all, except }
}

export const searchContext = (known: Partial<Pick<SearchContext, 'rpName' | 'page'>> = {}): SearchContext => ({
  rpName: (id) => id,
  page: () => '',
  ...known,
  words: texts.timeline,
  sentences: messages,
  clock: hourMinuteSecond,
})
