import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Listing } from './listing.ts'
import { follow, holdOn, isAtEnd, newViewport, scrolledTo, topFor, type Viewport } from './viewport.ts'

/** Drawn beyond both edges, so that scrolling has something to show before the next drawing. */
const BEYOND = 224
/** Drawn anew when less than that is left of it. */
const LEFT = 84
/** So long after somebody flew past, what is beyond the edges is drawn too. */
const SETTLED_MS = 80

type UseViewport = {
  readonly list: RefObject<HTMLDivElement | null>
  /** What is drawn, in pixels from the top of the list. */
  readonly from: number
  readonly to: number
  readonly away: boolean
  readonly toEnd: () => void
  readonly onScroll: () => void
}

/**
 * What of a long listing is drawn. At the end it stays at the end; anywhere else what is looked at stays where it is,
 * whatever comes above; and what was chosen comes into sight and stays there until somebody scrolls.
 */
export const useViewport = (listing: Listing, chosen: { readonly row: number } | undefined): UseViewport => {
  const list = useRef<HTMLDivElement>(null)
  const kept = useRef<Viewport>(undefined)
  kept.current ??= newViewport()
  const view = kept.current
  const [, draw] = useReducer((n: number) => n + 1, 0)
  const seen = useRef<object>(undefined)
  const drawn = useRef({ from: 0, to: 0, away: false })
  const flight = useRef<ReturnType<typeof setTimeout>>(undefined)

  if (seen.current !== chosen) {
    seen.current = chosen
    view.pinned = chosen?.row
  }
  const top = topFor(view, listing)
  // Who drags past whole pages of it sees none of what is beyond the edges.
  const beyond = flight.current === undefined ? BEYOND : 0
  const from = top - beyond
  const to = top + view.height + beyond
  const away = view.height > 0 && !isAtEnd({ ...view, top }, listing)
  drawn.current = { from, to, away }

  useLayoutEffect(() => {
    const element = list.current
    if (element === null || view.height === 0) return
    if (Math.abs(top - view.top) >= 0.5) element.scrollTop = top
    holdOn(view, listing, top)
  })

  useEffect(() => {
    const element = list.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      view.height = element.clientHeight
      draw()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [view])

  const onScroll = useCallback(() => {
    const now = list.current?.scrollTop
    const height = list.current?.clientHeight ?? 0
    // The list’s own move, or less than a pixel.
    if (now === undefined || view.height === 0 || Math.abs(now - view.top) < 1) return
    if (Math.abs(now - view.top) > view.height) {
      clearTimeout(flight.current)
      flight.current = setTimeout(() => {
        flight.current = undefined
        draw()
      }, SETTLED_MS)
    }
    scrolledTo(view, listing, { top: now, height })
    const { from, to, away } = drawn.current
    const covered = (from <= 0 || now - from > LEFT) && (to >= listing.height() || to - now - view.height > LEFT)
    // Drawn in the same frame, so that nothing is ever scrolled to before it is there.
    if (!covered) flushSync(draw)
    else if (away === isAtEnd(view, listing)) draw()
  }, [view, listing])

  const toEnd = useCallback(() => {
    follow(view)
    draw()
  }, [view])

  return { list, from, to, away, toEnd, onScroll }
}
