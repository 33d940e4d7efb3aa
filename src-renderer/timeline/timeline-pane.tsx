import { PanelBottom, Pause, Play, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Row, Timeline } from '../bench/timeline.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { IconButton } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import { LANE_X } from './lanes.tsx'
import { createListing } from './listing.ts'
import { LivePill } from './live-pill.tsx'
import { Rows } from './rows.tsx'
import { useViewport } from './use-viewport.ts'

type TimelinePaneProps = {
  /** The chosen row. A new choice brings its row into view, also when it is the same row again. */
  readonly chosen: { readonly row: number } | undefined
  readonly onSelect: (row: Row) => void
  readonly onWhy: (msgId: string) => void
  readonly inspecting: boolean
  readonly onInspect: () => void
}

export const TimelinePane = ({ chosen, onSelect, onWhy, inspecting, onInspect }: TimelinePaneProps) => {
  const words = texts.timeline
  const now = useBenchPart((state) => state.timeline)
  const newAfter = useBenchPart((state) => state.newAfter)
  const fetched = useBenchPart((state) => state.fetched)
  const [held, setHeld] = useState<Timeline>()
  const [filter, setFilter] = useState('')
  const [listing] = useState(createListing)
  const timeline = held ?? now
  listing.show(timeline, filter)
  const { list, from, to, away, toEnd, onScroll } = useViewport(listing, chosen)

  // What has come since the end went out of sight, or since it was stopped.
  const left = useRef(now.exchanges)
  if (held === undefined && !away) left.current = now.exchanges
  const behind = now.exchanges - left.current

  const live = () => {
    setHeld(undefined)
    toEnd()
  }

  // What was chosen elsewhere is shown, whatever the list leaves out at the time.
  useEffect(() => {
    if (chosen === undefined || listing.topOf(chosen.row) !== undefined) return
    setFilter('')
    setHeld(undefined)
  }, [chosen, listing])

  return (
    <section className="pane timeline" aria-label={words.pane}>
      <div className="pane-head">
        <h2>{words.pane}</h2>
        <label className="field grow" data-quiet>
          <Search size={13} strokeWidth={1.75} aria-hidden="true" />
          <input
            type="search"
            data-do="filter"
            aria-label={words.filter}
            placeholder={words.filter}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
        <IconButton
          small
          data-do="pause"
          name={held === undefined ? words.pause : words.resume}
          aria-pressed={held !== undefined}
          onClick={() => setHeld(held === undefined ? now : undefined)}
        >
          {held === undefined ? (
            <Pause size={14} strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <Play size={14} strokeWidth={1.75} aria-hidden="true" />
          )}
        </IconButton>
        <IconButton
          small
          className="inspect-toggle"
          data-do="inspect"
          name={inspecting ? texts.inspector.close : texts.inspector.open}
          aria-pressed={inspecting}
          onClick={onInspect}
        >
          <PanelBottom size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <LivePill paused={held !== undefined} behind={behind} away={away} onLive={live} />
      </div>
      <div className="lane-head" aria-hidden="true">
        <span className="exchange-time">{words.time}</span>
        <span className="lane-names">
          {(['rp', 'service', 'phone'] as const).map((lane) => (
            <span key={lane} style={{ left: LANE_X[lane] }}>
              {words[lane]}
            </span>
          ))}
        </span>
        <span className="exchange-what">{words.exchange}</span>
        <span className="exchange-took">{words.took}</span>
      </div>
      {fetched === undefined ? null : <progress className="fetched" aria-label={words.fetching} value={fetched} />}
      {listing.height() === 0 ? <p className="empty">{filter === '' ? words.empty : words.noMatch}</p> : null}
      <Rows
        listing={listing}
        list={list}
        from={from}
        to={to}
        selected={chosen?.row}
        newAfter={newAfter}
        onScroll={onScroll}
        onSelect={onSelect}
        onEnd={live}
        onWhy={onWhy}
      />
    </section>
  )
}
