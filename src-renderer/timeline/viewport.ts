import { HEAD_HEIGHT, type Listing, ROW_HEIGHT } from './listing.ts'

/** Below the last row. */
export const FOOT = 8
/** A distance that counts as the end. */
const NEAR = 24

/** The visible part of the listing, and what stays in place while the listing grows above and below. */
export type Viewport = {
  /** Scroll position of the list, as far as is known. */
  top: number
  /** How much of it can be seen. */
  height: number
  /** Stays at the end while more comes. */
  following: boolean
  /** A row that stays at this distance from the top. */
  anchor: { readonly row: number; readonly below: number } | undefined
  /** A row that stays in sight, whatever happens around it. */
  pinned: number | undefined
}

export const newViewport = (): Viewport => ({
  top: 0,
  height: 0,
  following: true,
  anchor: undefined,
  pinned: undefined,
})

export const endOf = (view: Viewport, listing: Listing): number => Math.max(0, listing.height() + FOOT - view.height)

export const isAtEnd = (view: Viewport, listing: Listing): boolean => view.top >= endOf(view, listing) - NEAR

/** The place to scroll the list to. */
export const topFor = (view: Viewport, listing: Listing): number => {
  const end = endOf(view, listing)
  const anchored = view.anchor === undefined ? undefined : listing.topOf(view.anchor.row)
  const held = view.anchor === undefined || anchored === undefined ? view.top : anchored - view.anchor.below
  const free = view.following ? end : held
  return Math.min(end, Math.max(0, pinnedIn(view, listing, free)))
}

const pinnedIn = (view: Viewport, listing: Listing, top: number): number => {
  const row = view.pinned === undefined ? undefined : listing.topOf(view.pinned)
  // Nothing can be in sight in a list that is not shown.
  if (row === undefined || view.height === 0) return top
  // The group's head stays at the top and covers what is below it.
  return Math.min(Math.max(top, row + ROW_HEIGHT - view.height), row - HEAD_HEIGHT)
}

/** The list has scrolled there: the row at its top is the anchor from now on. */
export const holdOn = (view: Viewport, listing: Listing, top: number): void => {
  view.top = top
  const row = listing.rowAt(top + HEAD_HEIGHT)
  view.anchor = row === undefined ? undefined : { row: row.id, below: (listing.topOf(row.id) ?? top) - top }
}

/** The list was scrolled: by the user, or by its pane, which has another height now and may not have said so yet. */
export const scrolledTo = (
  view: Viewport,
  listing: Listing,
  { top, height }: Pick<Viewport, 'top' | 'height'>,
): void => {
  view.height = height
  holdOn(view, listing, top)
  view.following = isAtEnd(view, listing)
  if (pinnedIn(view, listing, top) !== top) view.pinned = undefined
}

/** Back to the end, and on with it. */
export const follow = (view: Viewport): void => {
  view.following = true
  view.pinned = undefined
}
