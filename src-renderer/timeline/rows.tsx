import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { Row } from '../bench/timeline.ts'
import { useTools } from '../bench/use-bench.ts'
import { groupTitle } from '../bench/words.ts'
import { texts } from '../ui/texts.ts'
import { ExchangeRow } from './exchange-row.tsx'
import { GroupHead } from './group-head.tsx'
import type { ListedGroup, Listing } from './listing.ts'
import { FOOT } from './viewport.ts'

type RowsProps = {
  readonly listing: Listing
  readonly list: RefObject<HTMLDivElement | null>
  readonly from: number
  readonly to: number
  readonly selected: number | undefined
  /** The last event that had happened before the page was opened. */
  readonly newAfter: number
  readonly onScroll: () => void
  readonly onSelect: (row: Row) => void
  readonly onEnd: () => void
  readonly onWhy: (msgId: string) => void
}

/** As much of the list as can be seen, in the place where it would stand if all of it were there. */
export const Rows = ({ listing, list, from, to, selected, newAfter, onScroll, onSelect, onEnd, onWhy }: RowsProps) => {
  const { store } = useTools()
  // One row can be reached by Tab; arrow keys go on from it. It is there even where it cannot be seen.
  const reachable = selected !== undefined && listing.topOf(selected) !== undefined ? selected : listing.last()?.id
  const pick = useLatest(onSelect)
  const why = useLatest(onWhy)
  // A row that comes in by scrolling is not new.
  const known = useRef(newAfter)
  useEffect(() => {
    known.current = store.getState().lastSeq
  })

  const focus = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (focus.current === undefined) return
    document.getElementById(`row-${focus.current}`)?.focus({ preventScroll: true })
    focus.current = undefined
  })

  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'End') onEnd()
    const next = reachable === undefined ? undefined : NEXT[event.key]?.(listing, reachable)
    if (next === undefined) return
    event.preventDefault()
    focus.current = next.id
    onSelect(next)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys bubble up from the rows, which are buttons.
    <div className="rows" ref={list} onKeyDown={move} onScroll={onScroll}>
      <div className="rows-all" style={{ height: listing.height() + FOOT }}>
        {listing.between(from, to, reachable).map((listed) => (
          <GroupRows
            key={listed.group.id}
            listed={listed}
            selected={selected}
            reachable={reachable}
            newAfter={Math.max(newAfter, known.current)}
            onSelect={pick}
            onWhy={why}
          />
        ))}
      </div>
    </div>
  )
}

const NEXT: Readonly<Record<string, (listing: Listing, row: number) => Row | undefined>> = {
  ArrowDown: (listing, row) => listing.beside(row, 1),
  ArrowUp: (listing, row) => listing.beside(row, -1),
  Home: (listing) => listing.first(),
  End: (listing) => listing.last(),
}

type GroupRowsProps = {
  readonly listed: ListedGroup
  readonly selected: number | undefined
  readonly reachable: number | undefined
  readonly newAfter: number
  readonly onSelect: (row: Row) => void
  readonly onWhy: (msgId: string) => void
}

const GroupRows = ({ listed, selected, reachable, newAfter, onSelect, onWhy }: GroupRowsProps) => {
  const { group, top, height, rows } = listed
  const name = texts.timeline.groupLabel(groupTitle(group))
  return (
    // biome-ignore lint/a11y/useSemanticElements: no part of a form, and no landmark: two may be called the same.
    <section className="group" style={{ top, height }} role="group" aria-label={name}>
      <GroupHead group={group} onWhy={onWhy} />
      {rows.map(({ row, top: below }) => (
        <ExchangeRow
          key={row.id}
          row={row}
          top={below}
          fresh={row.id > newAfter}
          start={group.wall}
          selected={row.id === selected}
          reachable={row.id === reachable}
          onSelect={onSelect}
        />
      ))}
    </section>
  )
}

/** A function that stays the same, and does what the latest one does. */
const useLatest = <T,>(does: (input: T) => void): ((input: T) => void) => {
  const latest = useRef(does)
  latest.current = does
  return useCallback((input: T) => latest.current(input), [])
}
