import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { Row } from '../../src-main/views/timeline/timeline.ts'
import { useTools } from '../bench/use-bench.ts'
import { groupTitle } from '../bench/words.ts'
import { Button } from '../ui/button.tsx'
import { wholeNumber } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'
import { ExchangeRow } from './exchange-row.tsx'
import { GroupHead, headId } from './group-head.tsx'
import type { ListedGroup, Stop } from './listing.ts'
import styles from './rows.module.css'
import type { TimelineScene } from './timeline-view.ts'

type RowsProps = {
  readonly scene: TimelineScene
  readonly list: RefObject<HTMLDivElement | null>
  readonly onPress: (key: string) => Row | string | undefined
  readonly onScroll: () => void
  /** These two stay the same: rows are not drawn again for them. */
  readonly onSelect: (row: Row, opened?: true) => void
  readonly onWhy: (msgId: string) => void
  readonly onFold: (group: string, folded: boolean) => void
  readonly onEnd: () => void
}

/** The visible part of the list, at its place in the whole list. */
export const Rows = ({ scene, list, onPress, onScroll, onSelect, onFold, onEnd, onWhy }: RowsProps) => {
  const focus = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (focus.current === undefined) return
    document.getElementById(focus.current)?.focus({ preventScroll: true })
    focus.current = undefined
  })

  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'End') onEnd()
    const next = onPress(event.key)
    if (next === undefined) return
    event.preventDefault()
    focus.current = typeof next === 'string' ? headId(next) : `row-${next.id}`
    if (typeof next !== 'string') onSelect(next)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys bubble up from the rows, which are buttons.
    <div className={styles.rows} data-part="rows" ref={list} onKeyDown={move} onScroll={onScroll}>
      <div className={styles.all} style={{ height: scene.height }}>
        {scene.groups.map((listed) => (
          <GroupRows
            key={listed.group.id}
            listed={listed}
            selected={scene.selected}
            reachable={scene.reachable}
            freshAfter={scene.freshAfter}
            onSelect={onSelect}
            onWhy={onWhy}
            onFold={onFold}
          />
        ))}
      </div>
    </div>
  )
}

type GroupRowsProps = {
  readonly listed: ListedGroup
  readonly selected: number | undefined
  readonly reachable: Stop | undefined
  readonly freshAfter: number
  readonly onSelect: (row: Row, opened?: true) => void
  readonly onWhy: (msgId: string) => void
  readonly onFold: (group: string, folded: boolean) => void
}

const GroupRows = ({ listed, selected, reachable, freshAfter, onSelect, onWhy, onFold }: GroupRowsProps) => {
  const { group, folded, top, height, rows, gap } = listed
  const name = texts.timeline.groupLabel(groupTitle(group))
  return (
    // biome-ignore lint/a11y/useSemanticElements: no part of a form, and no landmark: two may be called the same.
    <section className={styles.group} style={{ top, height }} role="group" aria-label={name}>
      {gap === undefined ? null : <Gap events={gap} />}
      <GroupHead group={group} folded={folded} reachable={group.id === reachable} onWhy={onWhy} onFold={onFold} />
      {rows.map(({ row, top: below }) => (
        <ExchangeRow
          key={row.id}
          row={row}
          top={below}
          fresh={row.id > freshAfter}
          start={group.wall}
          plain={group.message === undefined}
          selected={row.id === selected}
          reachable={row.id === reachable}
          onSelect={onSelect}
        />
      ))}
    </section>
  )
}

/** Between the events of an address and those that the page has in one piece. */
const Gap = ({ events }: { readonly events: number }) => {
  const { store } = useTools()
  return (
    <p className={styles.gap} role="note">
      <span>{texts.timeline.gap(wholeNumber(events))}</span>
      <Button small onClick={store.bridge}>
        {texts.timeline.loadGap}
      </Button>
    </p>
  )
}
