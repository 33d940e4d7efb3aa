import { PanelBottom, Pause, Play, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Row, Timeline } from '../bench/timeline.ts'
import { useBench } from '../bench/use-bench.ts'
import { groupTitle } from '../bench/words.ts'
import { IconButton } from '../ui/button.tsx'
import { Dot } from '../ui/chip.tsx'
import { texts } from '../ui/texts.ts'
import { ExchangeRow } from './exchange-row.tsx'
import { filterGroups } from './filter.ts'
import { GroupHead } from './group-head.tsx'
import { LANE_X } from './lanes.tsx'

type TimelinePaneProps = {
  readonly selected: number | undefined
  readonly onSelect: (row: Row) => void
  readonly onWhy: (msgId: string) => void
  readonly inspecting: boolean
  readonly onInspect: () => void
}

export const TimelinePane = ({ selected, onSelect, onWhy, inspecting, onInspect }: TimelinePaneProps) => {
  const words = texts.timeline
  const { timeline: now, newAfter } = useBench()
  const [held, setHeld] = useState<Timeline>()
  const [filter, setFilter] = useState('')
  const timeline = held ?? now
  const groups = filterGroups(timeline.groups, filter)
  const { list, atEnd, toEnd, onScroll } = useFollow(timeline)
  const behind = now.exchanges - timeline.exchanges

  const rows = groups.flatMap((group) => group.rows)
  // One row can be reached by Tab; arrow keys go on from it.
  const reachable = rows.some((row) => row.id === selected) ? selected : rows.at(-1)?.id

  // The inspector that opens takes room from the list: what was chosen stays in sight.
  useEffect(() => {
    if (selected === undefined) return
    const show = () => document.getElementById(`row-${selected}`)?.scrollIntoView({ block: 'nearest' })
    show()
    // Where panes change their places, once more when they have them.
    const frame = requestAnimationFrame(show)
    return () => cancelAnimationFrame(frame)
  }, [selected])

  const move = (event: KeyboardEvent<HTMLElement>) => {
    // The row that has the focus, selected or not yet.
    const index = rows.findIndex((row) => row.id === reachable)
    const next =
      event.key === 'ArrowDown'
        ? rows[index + 1]
        : event.key === 'ArrowUp'
          ? rows[index - 1]
          : event.key === 'Home'
            ? rows[0]
            : event.key === 'End'
              ? rows.at(-1)
              : undefined
    if (event.key === 'End') {
      setHeld(undefined)
      toEnd()
    }
    if (next === undefined) return
    event.preventDefault()
    onSelect(next)
    const element = document.getElementById(`row-${next.id}`)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest' })
  }

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
        <LivePill
          paused={held !== undefined}
          behind={behind}
          away={!atEnd}
          onLive={() => {
            setHeld(undefined)
            toEnd()
          }}
        />
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
      {groups.length === 0 ? (
        <p className="empty">{filter === '' ? words.empty : words.noMatch}</p>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys bubble up from the rows, which are buttons.
        <div className="rows" ref={list} onKeyDown={move} onScroll={onScroll}>
          {groups.map((group) => (
            <section key={group.id} className="group" aria-label={words.groupLabel(groupTitle(group))}>
              <GroupHead group={group} onWhy={onWhy} />
              {group.rows.map((row) => (
                <ExchangeRow
                  key={row.id}
                  row={row}
                  fresh={row.id > newAfter}
                  start={group.wall}
                  selected={row.id === selected}
                  reachable={row.id === reachable}
                  onSelect={onSelect}
                />
              ))}
            </section>
          ))}
        </div>
      )}
    </section>
  )
}

type LivePillProps = {
  readonly paused: boolean
  readonly behind: number
  readonly away: boolean
  readonly onLive: () => void
}

/** Streaming never moves what a person is looking at: scrolled away, the pill counts what is new. */
const LivePill = ({ paused, behind, away, onLive }: LivePillProps) => {
  const words = texts.timeline
  const { connection } = useBench()
  const live = connection === 'live'
  return (
    <button type="button" className="live" data-do="live" onClick={onLive}>
      <Dot tone={!live ? 'fail' : paused || away ? 'neutral' : 'ok'} />
      {!live ? words.lost : paused ? (behind > 0 ? words.liveNew(behind) : words.paused) : words.live}
    </button>
  )
}

/** Stays at the end while it is at the end. */
const useFollow = (timeline: Timeline) => {
  const list = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const [atEnd, setAtEnd] = useState(true)
  const toEnd = () => {
    following.current = true
    setAtEnd(true)
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer timeline is what moves the end.
  useEffect(() => {
    if (following.current) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [timeline])
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTo({ top: element.scrollHeight })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const onScroll = () => {
    const element = list.current
    if (element === null) return
    following.current = element.scrollHeight - element.scrollTop - element.clientHeight < 24
    setAtEnd(following.current)
  }
  return { list, atEnd, toEnd, onScroll }
}
