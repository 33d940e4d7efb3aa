import * as icons from 'lucide-react'
import {
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { CHIPS, hasChip, toggleChip } from '../../src-main/views/timeline/search-terms.ts'
import type { Row } from '../../src-main/views/timeline/timeline.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { setBreakTarget } from '../faults/breaking.ts'
import { useAction, useActions } from '../palette/actions.ts'
import { isInspecting } from '../ui/address.ts'
import { observeSize } from '../ui/effects.ts'
import { saveFile, scenarioFileName } from '../ui/files.ts'
import { wholeNumber } from '../ui/format.ts'
import { language } from '../ui/language.ts'
import { Dot, IconButton, Problem, TextField } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { currentAddress, LinkContext, navigateTo, useAddress } from '../ui/use-address.ts'
import { useRunAction } from '../ui/use-asked.ts'
import exchangeRowStyles from './exchange-row.module.css'
import { LANE_X } from './lanes.tsx'
import { Rows } from './rows.tsx'
import styles from './timeline-pane.module.css'
import { createTimelineView, type TimelineScene, type TimelineView } from './timeline-view.ts'

const CHIP = 'tiny muted one-line weight-530 rounded-5 h-20 px-8'

type TimelinePaneProps = {
  /** The chosen row. A new object scrolls its row into view, even if it names the same row. */
  readonly chosen: { readonly row: number; readonly byAddress?: true } | undefined
  readonly onSelect: (row: Row, opened?: true) => void
  readonly onWhy: (msgId: string) => void
  /** Shown above the rows while there is no search. */
  readonly direction?: ReactNode
  readonly inspecting: boolean
  readonly onInspect: () => void
}

export const TimelinePane = ({ chosen, onSelect, onWhy, direction, inspecting, onInspect }: TimelinePaneProps) => {
  const words = texts.timeline
  const { names } = texts.palette
  const { store } = useTools()
  const actions = useActions()
  const [view] = useState(() => createTimelineView(store))
  const scene = useSyncExternalStore(view.subscribe, view.scene)
  const fetched = useBenchPart((state) => state.fetched)
  const recorded = useBenchPart((state) => state.recorded)
  const { list, onScroll } = useScrolling(view, scene)
  useLayoutEffect(() => view.choose(chosen?.row, chosen?.byAddress), [view, chosen])
  // An empty timeline shows the introduction and no filter.
  const directed = scene.filter === '' && direction !== undefined
  useAddressedSearch(scene.filter, view.filterBy)
  const { paused } = scene
  const pause = paused ? view.resume : view.pause
  const search = useRef<HTMLInputElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const tools = useRef<HTMLDivElement>(null)
  useAction('filter', search, () => search.current?.focus())
  useAction('pause', tools, pause)
  useAction('inspect', toggle, onInspect)

  return (
    <section className={`${styles.timeline} pane line-left`} data-part="timeline" aria-label={words.pane}>
      <div ref={tools} className="row rigid gap-8 line-below pane-head">
        <h2 className="pane-title">{words.pane}</h2>
        <TextField
          name={words.filter}
          className="grow"
          quiet
          Icon={icons.Search}
          type="search"
          ref={search}
          placeholder={words.filter}
          value={scene.filter}
          onText={view.filterBy}
        >
          {scene.filter === '' ? null : (
            <output className="rigid tiny faint digits" title={words.counted}>
              {words.found(`${wholeNumber(scene.found)}${scene.more ? '+' : ''}`, wholeNumber(scene.of))}
            </output>
          )}
        </TextField>
        {recorded ? null : (
          <>
            <IconButton
              Icon={paused ? icons.Play : icons.Pause}
              name={names[paused ? 'live' : 'pause']}
              aria-pressed={paused}
              onClick={pause}
            />
            <RecordButton />
            <IconButton Icon={icons.Download} name={names['save-trace']} onClick={() => actions.run('save-trace')} />
            <IconButton Icon={icons.FileUp} name={names['open-trace']} onClick={() => actions.run('open-trace')} />
          </>
        )}
        <IconButton
          Icon={icons.PanelBottom}
          ref={toggle}
          className={styles.inspectToggle}
          name={inspecting ? texts.inspector.close : texts.inspector.open}
          aria-pressed={inspecting}
          onClick={onInspect}
        />
        {recorded ? null : <LivePill paused={paused} behind={scene.behind} away={scene.away} onLive={view.toEnd} />}
      </div>
      {directed || (scene.of === 0 && scene.filter === '') ? null : (
        <div className={`${styles.chips} flex rigid gap-6 line-below py-5 pl-16 pr-14`}>
          {CHIPS.filter((chip) => !recorded || chip !== 'is:mine').map((chip) => (
            <button
              key={chip}
              className={`${CHIP} bg-surface-3`}
              type="button"
              title={`${chip} · ${scene.whole ? words.counted : words.countedLoaded}`}
              aria-pressed={hasChip(scene.filter, chip)}
              data-some={scene.chips[chip] > 0 ? chip : undefined}
              onClick={() => view.filterBy(toggleChip(scene.filter, chip))}
            >
              {words.chips[chip]}{' '}
              <b className="faint weight-530 digits">
                {wholeNumber(scene.chips[chip])}
                {scene.whole ? '' : '+'}
              </b>
            </button>
          ))}
          <button
            type="button"
            className={`${CHIP} push-right inline-flex middle gap-4`}
            onClick={() => view.foldAll(!scene.allFolded)}
          >
            {scene.allFolded ? <icons.ChevronsUpDown size={12} /> : <icons.ChevronsDownUp size={12} />}
            {scene.allFolded ? words.unfoldAll : words.foldAll}
          </button>
        </div>
      )}
      <div
        className={`${exchangeRowStyles.columns} middle grid rigid line-below small muted wide text-left weight-540 bg-surface-2 h-32`}
      >
        <span className={exchangeRowStyles.time} aria-hidden="true">
          {words.time}
        </span>
        <span className={`${styles.laneNames} relative h-18`}>
          {(['rp', 'service', 'phone'] as const).map((lane) =>
            lane === 'service' && !recorded ? (
              <button
                className="inline-flex middle gap-3 muted weight-540 rounded-6 h-24 px-5"
                key={lane}
                type="button"
                data-part="break-button"
                style={{ left: LANE_X[lane] }}
                aria-haspopup="dialog"
                aria-label={texts.breaking.service}
                title={texts.breaking.service}
                onClick={({ currentTarget }) => setBreakTarget({ of: 'service', anchor: currentTarget })}
              >
                {words[lane]}
                <icons.Zap className="fault" size={12} strokeWidth={2} />
              </button>
            ) : (
              <span key={lane} style={{ left: LANE_X[lane] }} aria-hidden="true">
                {words[lane]}
              </span>
            ),
          )}
        </span>
        <span className={`${exchangeRowStyles.what} leading-28`} aria-hidden="true">
          {words.exchange}
        </span>
        <span className={`${exchangeRowStyles.took} fifth-column text-right`} aria-hidden="true">
          {words.took}
        </span>
      </div>
      {fetched === undefined ? null : (
        <progress className={`${styles.fetched} rigid block wide`} aria-label={words.fetching} value={fetched} />
      )}
      {directed ? (
        direction
      ) : scene.instead === undefined ? null : (
        <p className="empty" role="status">
          {scene.unknown === undefined
            ? words[scene.instead]
            : words.unknownValue(scene.unknown.term, words.takes[scene.unknown.key])}
        </p>
      )}
      <Rows {...{ scene, view, list, onScroll, onSelect, onWhy }} />
    </section>
  )
}

/** A report has no address. */
const useAddressedSearch = (search: string, onSearch: (search: string) => void): void => {
  const address = useAddress()
  const screen = useContext(LinkContext)
  const asked = isInspecting(address) && address.screen === screen ? (address.search ?? '') : undefined
  const follow = useEffectEvent((wanted: string) => onSearch(wanted))
  useEffect(() => {
    if (asked !== undefined) follow(asked)
  }, [asked])
  const write = useEffectEvent(() => {
    const here = currentAddress()
    if (!isInspecting(here) || here.screen !== screen || (here.search ?? '') === search) return
    const { search: _, ...rest } = here
    navigateTo(search === '' ? rest : { ...rest, search }, 'replace')
  })
  // At the first rendering, the address sets the search instead.
  const first = useRef(true)
  useEffect(() => {
    if (first.current && search === '') first.current = false
    else write()
  }, [search])
}

const useScrolling = (view: TimelineView, scene: TimelineScene) => {
  const list = useRef<HTMLDivElement>(null)
  /** The element's scroll position, stored because reading it would force a layout. */
  const stands = useRef(0)

  useLayoutEffect(() => {
    const element = list.current
    if (element === null || Math.abs(scene.top - stands.current) < 0.5) return
    stands.current = scene.top
    element.scrollTop = scene.top
  }, [scene])

  useEffect(() => observeSize(list.current, ({ clientHeight }) => view.resized(clientHeight)), [view])

  const onScroll = useCallback(() => {
    const element = list.current
    if (element === null) return
    stands.current = element.scrollTop
    view.scrolled({ top: stands.current, height: element.clientHeight })
  }, [view])

  return { list, onScroll }
}

type LivePillProps = Pick<TimelineScene, 'paused' | 'behind' | 'away'> & { readonly onLive: () => void }

/** Counts new rows while the timeline is paused or scrolled away, because they must not move the visible rows. */
const LivePill = ({ paused, behind, away, onLive }: LivePillProps) => {
  const words = texts.timeline
  const live = useBenchPart(({ connection }) => connection === 'live')
  const still = paused || away
  const place = useRef<HTMLButtonElement>(null)
  useAction('live', place, onLive)
  return (
    <button
      ref={place}
      type="button"
      className="inline-flex middle gap-6 small muted digits one-line weight-540 rounded-6 px-4 py-2"
      data-do="live"
      onClick={onLive}
    >
      <Dot tone={!live ? 'fail' : still ? 'neutral' : 'ok'} />
      {!live
        ? words.lost
        : still && behind > 0
          ? words.liveNew(behind)
          : paused
            ? words.paused
            : away
              ? texts.palette.names.live
              : words.live}
    </button>
  )
}

const RecordButton = () => {
  const words = texts.timeline.recording
  const workspace = useBenchPart((state) => state.overview?.workspace) ?? 'main'
  const { act, problem } = useRunAction()
  const [after, setAfter] = useState<number>()
  const button = useRef<HTMLButtonElement>(null)
  const begin = () =>
    act(async (client) => {
      const { last_seq } = await client.call('events.list', { query: { limit: 1, latest: true, brief: true } })
      setAfter(last_seq)
    })
  const save = (from: number) =>
    act(async (client) => {
      const { scenario } = await client.call('events.scenario', { query: { after: from, language } })
      saveFile(scenarioFileName(workspace), scenario, 'application/yaml')
      setAfter(undefined)
    })
  const records = after !== undefined
  const toggle = () => void (records ? save(after) : begin())
  useAction('record', button, toggle)
  useAction('save-scenario', button, () => void save(0))
  const Icon = records ? icons.Square : icons.Circle
  return (
    <>
      <IconButton
        Icon={Icon}
        size={13}
        ref={button}
        className={styles.record}
        name={records ? words.save : words.begin}
        aria-pressed={records}
        onClick={toggle}
      />
      {problem === undefined ? null : (
        <div className={`${styles.problem} absolute top-44 right-14 z-3 bg-surface bordered rounded-8 px-12 py-8`}>
          <Problem problem={problem} />
        </div>
      )}
    </>
  )
}
