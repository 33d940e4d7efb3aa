import {
  CHIPS,
  type Chip,
  type ChipCounts,
  chipCounts,
  type SearchContext,
  termsOf,
  unknownValueIn,
} from '../../src-main/views/timeline/search-terms.ts'
import { Series } from '../../src-main/views/timeline/series.ts'
import { findRow, type Group, newTimeline, type Row, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import { withOlder } from '../../src-main/views/timeline/with-older.ts'
import type { BenchState } from '../bench/bench-state.ts'
import type { BenchStore } from '../bench/bench-store.ts'
import { countSearched } from '../bench/older.ts'
import { pageName } from '../session.ts'
import * as listed from './listing.ts'

/** Pixels drawn beyond both edges, so that scrolling shows rows before the next drawing. */
const BEYOND = 224
/** Draws again when fewer drawn pixels than this are left beyond an edge. */
const LEFT = 84
/** Delay after a jump until rows beyond the edges are drawn too. */
const CALM_MS = 80
/** If more rows are new at once, none is tinted. */
const MAX_TINTED = 4
/** Distance from the top at which older events are fetched, in heights of the pane. */
const ASK_WITHIN = 2

export type TimelineView = ReturnType<typeof createTimelineView>

export type TimelineScene = ReturnType<TimelineView['scene']>

/**
 * The timeline's list outside React. It computes a scene at each event, so that rendering only draws. If the list is
 * scrolled to its end, it stays there; otherwise the visible rows stay in place.
 */
export const createTimelineView = (store: Pick<BenchStore, 'getState' | 'subscribe' | 'older' | 'search' | 'keep'>) => {
  const around = listed.searchContext({
    rpName: (id) => store.getState().rps.find((rp) => rp.id === id)?.name ?? id,
    // A recording has no requests of this page, and a sandboxed report cannot read the page's name.
    page: () => (store.getState().recorded ? '' : pageName()),
  })
  const listing = listed.createListing(around)
  const countChips = createChipCounts(around)
  const view = newViewport()
  const listeners = new Set<() => void>()
  let leaveStore: (() => void) | undefined
  let held: Timeline | undefined
  let filter = ''
  let folding: listed.Folding = listed.NOTHING_FOLDED
  let selected: number | undefined
  /** The row or head with the keyboard, if it is not the selected row. */
  let stop: listed.KeyStop | undefined
  let seen = store.getState()
  let caughtUp = seen.timeline.exchanges
  let drawn = { from: 0, to: 0 }
  let jump: ReturnType<typeof setTimeout> | undefined

  const reachable = (): listed.KeyStop | undefined => {
    const wanted = [stop, selected].find((each) => each !== undefined && listing.topOf(each) !== undefined)
    if (typeof wanted !== 'number') return wanted ?? listing.last()
    const group = listing.groupAt(wanted)
    return group !== undefined && listed.isFolded(folding, group.id) ? group.id : wanted
  }

  const makeScene = () => {
    const state = store.getState()
    // Events fetched by scrolling, or present at the first render, are not new.
    const came = state.timeline.exchanges - seen.timeline.exchanges
    // Many new rows at once are not tinted, because the page would repaint constantly.
    const isNews = state !== seen && came <= MAX_TINTED
    const freshAfter = Math.max(state.newAfter, isNews ? seen.lastSeq : state.lastSeq)
    if (held !== undefined && state.timeline.places !== seen.timeline.places) held = heldWith(held, state.timeline)
    seen = state
    listing.show(held ?? state.timeline, filter, folding)
    const top = targetScrollTop(view, listing)
    if (view.height > 0) anchorAt(view, listing, top)
    // After a jump over more than a page, nothing is drawn beyond the edges.
    const beyond = jump === undefined ? BEYOND : 0
    drawn = { from: top - beyond, to: top + view.height + beyond }
    const away = isAway()
    if (held === undefined && !away) caughtUp = state.timeline.exchanges
    const height = listing.height()
    // While connecting, there may be events that are not read yet.
    const more = state.search?.more === true || state.connection === 'connecting'
    const unknown = height > 0 ? undefined : unknownValueIn(filter, around.words.failedWord)
    return {
      groups: listing.between(drawn.from, drawn.to, reachable()),
      height: height + BOTTOM_SPACE,
      // A hidden list cannot be scrolled.
      top: view.height === 0 ? view.top : top,
      /** The text to show if there are no rows. */
      instead: height > 0 ? undefined : insteadOfRows(filter, more && unknown === undefined),
      /** An unknown value in the filter, because of which nothing can match. */
      unknown,
      filter,
      /** Groups that match the filter, of those searched; `more` means that the search continues. */
      found: listing.count(),
      of: countSearched(state),
      more,
      ...chips(state),
      paused: held !== undefined,
      /** True if the end of the list is not visible. */
      away,
      /** Exchanges that arrived since the timeline was paused or scrolled away from its end. */
      behind: state.timeline.exchanges - caughtUp,
      selected,
      /** The one row or head that Tab reaches; arrow keys move from it. */
      reachable: reachable(),
      /** True if new groups are folded. */
      allFolded: folding.all,
      freshAfter,
    }
  }

  /** Matches of each chip among the groups on the page; `whole`: among all groups of the service. */
  const chips = ({ timeline, counted }: BenchState): { readonly chips: ChipCounts; readonly whole: boolean } => {
    const shown = held ?? timeline
    if (shown.from === undefined) return { chips: countChips(shown), whole: true }
    // The service's count is unusable if events after it have been evicted, since nothing counts these.
    if (counted === undefined || shown.from > counted.before) return { chips: countChips(shown), whole: false }
    const later = countChips(shown, counted.before)
    return { chips: chipCounts((chip) => later[chip] + counted.chips[chip]), whole: true }
  }

  const askForOlder = (): void => {
    if (view.height > 0 && view.top < ASK_WITHIN * view.height) store.older()
  }

  const isAway = (): boolean => view.height > 0 && !isAtEnd(view, listing)

  const stopFor = (key: string, from: listed.KeyStop): listed.KeyStop | undefined => {
    switch (key) {
      case 'ArrowDown':
        return listing.beside(from, 1)
      case 'ArrowUp':
        return listing.beside(from, -1)
      case 'ArrowLeft':
        return listing.groupAt(from)?.id
      case 'ArrowRight':
        if (typeof from === 'number') return undefined
        return listed.isFolded(folding, from) ? from : listing.beside(from, 1)
      case 'Home':
        return listing.first()
      case 'End':
        return listing.last()
      default:
        return undefined
    }
  }

  let scene = makeScene()

  const show = (): void => {
    scene = makeScene()
    for (const listener of listeners) listener()
  }

  const follows = (): void => {
    const { timeline, newAfter, search, counted, connection } = store.getState()
    const isSame = timeline === seen.timeline && newAfter === seen.newAfter && search === seen.search
    if (!isSame || counted !== seen.counted || connection !== seen.connection) show()
  }

  return {
    scene: () => scene,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      leaveStore ??= store.subscribe(follows)
      follows()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        leaveStore?.()
        leaveStore = undefined
        clearTimeout(jump)
        jump = undefined
      }
    },
    filterBy: (text: string): void => {
      if (text === filter) return
      filter = text
      store.search(text, selected === undefined ? undefined : listing.groupAt(selected)?.id)
      show()
    },
    pause: (): void => {
      held = store.getState().timeline
      show()
    },
    resume: (): void => {
      held = undefined
      show()
    },
    /** Scrolls to the end and stays there as events arrive. */
    toEnd: (): void => {
      held = undefined
      followEnd(view)
      store.keep(false)
      show()
    },
    /** Scrolls to the row and unfolds its group. Clears a filter that hides the row, unless an address chose it. */
    choose: (row: number | undefined, byAddress = false): void => {
      selected = row
      stop = undefined
      view.pinned = row
      const group = row === undefined ? undefined : findRow(store.getState().timeline, row)?.group
      if (group !== undefined) folding = listed.withFold(folding, group.id, false)
      if (row !== undefined && !byAddress && listing.topOf(row) === undefined) {
        filter = ''
        held = undefined
        store.search('', group?.id)
      }
      show()
    },
    fold: (group: string, folded: boolean): void => {
      folding = listed.withFold(folding, group, folded)
      stop = group
      show()
    },
    foldAll: (folded: boolean): void => {
      folding = folded ? listed.ALL_FOLDED : listed.NOTHING_FOLDED
      show()
    },
    /** Returns the new row, or the id of a group if its head was reached. */
    press: (key: string): Row | string | undefined => {
      const from = reachable()
      if (from === undefined) return undefined
      const next = stopFor(key, from)
      if (typeof next === 'number') return findRow(held ?? store.getState().timeline, next)?.row
      if (next === undefined) return undefined
      stop = next
      if (key === 'ArrowLeft' || key === 'ArrowRight') folding = listed.withFold(folding, next, key === 'ArrowLeft')
      show()
      return next
    },
    resized: (height: number): void => {
      view.height = height
      show()
    },
    scrolled: ({ top, height }: { readonly top: number; readonly height: number }): void => {
      // Ignores scrolling by the view itself, and moves of less than a pixel.
      if (view.height === 0 || Math.abs(top - view.top) < 1) return
      if (Math.abs(top - view.top) > view.height) {
        clearTimeout(jump)
        jump = setTimeout(() => {
          jump = undefined
          show()
        }, CALM_MS)
      }
      handleScroll(view, listing, { top, height })
      const { from, to } = drawn
      const covered = (from <= 0 || top - from > LEFT) && (to >= listing.height() || to - top - height > LEFT)
      if (scene.away !== isAway()) store.keep(isAway())
      if (!covered || scene.away !== isAway()) show()
      askForOlder()
    },
  }
}

const insteadOfRows = (filter: string, more: boolean): 'empty' | 'searching' | 'noMatch' | undefined => {
  if (filter.trim() !== '') return more ? 'searching' : 'noMatch'
  return more ? undefined : 'empty'
}

/** The paused timeline, with older events that have arrived since. */
const heldWith = (held: Timeline, now: Timeline): Timeline => {
  const { from } = held
  if (from === undefined) return held
  const older = Series.from([...now.groups].filter(({ seq }) => seq < from))
  return withOlder(held, { ...now, groups: older }, now.from)
}

type Fitting = { readonly chips: readonly Chip[]; readonly of: Series<Row> }

/**
 * Counts the groups of the timeline that match each chip; only changed groups are checked again. `since`: counts only
 * complete groups that began there or later, because the service has counted the others.
 */
export const createChipCounts = (around: SearchContext): ((timeline: Timeline, since?: number) => ChipCounts) => {
  const terms = CHIPS.map((chip) => ({ chip, ...termsOf(chip, around) }))
  let timeline = newTimeline()
  let fitting = new Map<number, Fitting>()
  let counts = chipCounts(() => 0)
  let border: number | undefined

  const add = (chips: readonly Chip[], by: 1 | -1): void => {
    if (chips.length > 0) counts = chipCounts((chip) => counts[chip] + (chips.includes(chip) ? by : 0))
  }

  /** Checks only new rows and the last one: rows do not change, except that message changes affect the last row. */
  const fits = (group: Group, before: Fitting | undefined): Fitting => {
    const rows =
      before === undefined
        ? [...group.rows]
        : [...rowsOf(group, group.rows.changedSince(before.of)), ...group.rows.latest(1)]
    const chips = terms
      .filter(({ fitsGroup }) => fitsGroup(group))
      .filter(({ chip, fitsRow }) => before?.chips.includes(chip) || rows.some((row) => fitsRow(row, group)))
    return { chips: chips.map(({ chip }) => chip), of: group.rows }
  }

  const look = (place: number): void => {
    const group = timeline.groups.get(place)
    const before = fitting.get(place)
    if (before !== undefined) add(before.chips, -1)
    fitting.delete(place)
    if (group === undefined || (border !== undefined && (group.cut === true || group.seq < border))) return
    const after = fits(group, before)
    fitting.set(place, after)
    add(after.chips, 1)
  }

  return (next, since) => {
    const before = timeline
    timeline = next
    const sameBorder = since === border
    border = since
    if (next === before && sameBorder) return counts
    const { first, end } = next.groups
    // Older groups were added in front, or the user paused the timeline.
    if (!sameBorder || next.places !== before.places || end < before.groups.end) {
      fitting = new Map()
      counts = chipCounts(() => 0)
      for (let place = first; place < end; place++) look(place)
      return counts
    }
    for (let place = before.groups.first; place < Math.min(first, before.groups.end); place++) look(place)
    for (const place of next.groups.changedSince(before.groups)) look(place)
    return counts
  }
}

function* rowsOf({ rows }: Group, places: Iterable<number>): Generator<Row> {
  for (const place of places) {
    const row = rows.get(place)
    if (row !== undefined) yield row
  }
}

/** Space below the last row. */
export const BOTTOM_SPACE = 8
/** Largest distance from the end that counts as the end. */
const NEAR = 24

export type Viewport = {
  /** Scroll position of the list, as far as is known. */
  top: number
  height: number
  /** True if the view stays at the end as events arrive. */
  following: boolean
  /** A row that stays at this distance from the top. */
  anchor: { readonly row: number; readonly below: number } | undefined
  /** A row that always stays visible. */
  pinned: number | undefined
}

export const newViewport = (): Viewport => ({
  top: 0,
  height: 0,
  following: true,
  anchor: undefined,
  pinned: undefined,
})

export const endScrollTop = (view: Viewport, listing: listed.Listing): number =>
  Math.max(0, listing.height() + BOTTOM_SPACE - view.height)

const isAtEnd = (view: Viewport, listing: listed.Listing): boolean => view.top >= endScrollTop(view, listing) - NEAR

export const targetScrollTop = (view: Viewport, listing: listed.Listing): number => {
  const end = endScrollTop(view, listing)
  const anchored = view.anchor === undefined ? undefined : listing.topOf(view.anchor.row)
  const held = view.anchor === undefined || anchored === undefined ? view.top : anchored - view.anchor.below
  const free = view.following ? end : held
  return Math.min(end, Math.max(0, pinnedIn(view, listing, free)))
}

const pinnedIn = (view: Viewport, listing: listed.Listing, top: number): number => {
  const row = view.pinned === undefined ? undefined : listing.topOf(view.pinned)
  // A hidden list has no visible rows.
  if (row === undefined || view.height === 0) return top
  // The group's head is sticky and covers the rows below it.
  return Math.min(Math.max(top, row + listed.ROW_HEIGHT - view.height), row - listed.HEAD_HEIGHT)
}

export const anchorAt = (view: Viewport, listing: listed.Listing, top: number): void => {
  view.top = top
  const row = listing.rowAt(top + listed.HEAD_HEIGHT)
  view.anchor = row === undefined ? undefined : { row: row.id, below: (listing.topOf(row.id) ?? top) - top }
}

/** Called when the list was scrolled, by the user or by a resize of its pane that may not be reported yet. */
export const handleScroll = (
  view: Viewport,
  listing: listed.Listing,
  { top, height }: Pick<Viewport, 'top' | 'height'>,
): void => {
  view.height = height
  anchorAt(view, listing, top)
  view.following = isAtEnd(view, listing)
  if (pinnedIn(view, listing, top) !== top) view.pinned = undefined
}

/** Scrolls to the end and stays there as events arrive. */
export const followEnd = (view: Viewport): void => {
  view.following = true
  view.pinned = undefined
}
