import { Check, ChevronDown, ChevronRight, Hourglass, Link, X } from 'lucide-react'
import { type KeyboardEvent, memo, type RefObject, useLayoutEffect, useRef } from 'react'
import { verdictText } from '../../src-main/views/timeline/said.ts'
import type { Message, Row } from '../../src-main/views/timeline/timeline.ts'
import { useBenchNow, useBenchPart, useTools } from '../bench/use-bench.ts'
import { groupTitle, methodWord, rpVariant, stateTone, timeTaken } from '../bench/words.ts'
import { BugReportButton, CopyButton } from '../ui/copy-button.tsx'
import { hourMinuteSecond, wholeNumber } from '../ui/format.ts'
import { useTick } from '../ui/page-clock.ts'
import { Button, FaultChip, RpMark } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { useLinkOf } from '../ui/use-address.ts'
import { ExchangeRow } from './exchange-row.tsx'
import type { ListedGroup } from './listing.ts'
import styles from './rows.module.css'
import type { TimelineScene, TimelineView } from './timeline-view.ts'

type RowsProps = {
  readonly scene: TimelineScene
  readonly view: TimelineView
  readonly list: RefObject<HTMLDivElement | null>
  readonly onScroll: () => void
  /** These two callbacks must be stable, because rows do not render again when they change. */
  readonly onSelect: (row: Row, opened?: true) => void
  readonly onWhy: (msgId: string) => void
}

export const Rows = ({ scene, view, list, onScroll, onSelect, onWhy }: RowsProps) => {
  const { selected, reachable, freshAfter } = scene
  const focus = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (focus.current === undefined) return
    document.getElementById(focus.current)?.focus({ preventScroll: true })
    focus.current = undefined
  })

  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'End') view.toEnd()
    const next = view.press(event.key)
    if (next === undefined) return
    event.preventDefault()
    focus.current = typeof next === 'string' ? headId(next) : `row-${next.id}`
    if (typeof next !== 'string') onSelect(next)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys bubble up from the rows, which are buttons.
    <div
      className={`${styles.rows} grow shortens inset-focus`}
      data-part="rows"
      ref={list}
      onKeyDown={move}
      onScroll={onScroll}
    >
      <div className="relative" style={{ height: scene.height }}>
        {scene.groups.map(({ group, folded, top, height, rows, gap }) => (
          // biome-ignore lint/a11y/useSemanticElements: neither part of a form nor a landmark, since names may repeat.
          <section
            key={group.id}
            className={`${styles.group} absolute`}
            style={{ top, height }}
            role="group"
            aria-label={texts.timeline.groupLabel(groupTitle(group))}
          >
            {gap === undefined ? null : <Gap events={gap} />}
            <GroupHead {...{ group, folded, onWhy }} reachable={group.id === reachable} onFold={view.fold} />
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
        ))}
      </div>
    </div>
  )
}

const Gap = ({ events }: { readonly events: number }) => {
  const { store } = useTools()
  return (
    <p className={`${styles.gap} row gap-10 small muted centre bg-surface-2 px-14`} role="note">
      <span>{texts.timeline.gap(wholeNumber(events))}</span>
      <Button small onClick={store.bridge} text={texts.timeline.loadGap} />
    </p>
  )
}

type GroupHeadProps = Pick<RowsProps, 'onWhy'> &
  Pick<ListedGroup, 'group' | 'folded'> & { readonly reachable: boolean /** By Tab. */ } & {
    readonly onFold: TimelineView['fold']
  }

const ICONS = { success: Check, fail: X, timeout: Hourglass } as const

const headId = (group: string): string => `head-${group}`

const GroupHead = memo(({ group, folded, reachable, onWhy, onFold }: GroupHeadProps) => {
  const recorded = useBenchPart((state) => state.recorded)
  const linkOf = useLinkOf()
  const { message } = group
  const { title, sub } = groupTitle(group)
  const Arrow = folded ? ChevronRight : ChevronDown
  return (
    <h3
      className={`${styles.head} sticky row gap-8 small one-line bg-surface h-34 p-0-14-0-6`}
      data-lied={message?.disagrees === true || message?.told !== undefined || undefined}
      data-failed={(message !== undefined && stateTone[message.state] === 'fail') || undefined}
    >
      <button
        type="button"
        id={headId(group.id)}
        className={`${styles.fold} row fill faint gap-7 tall text-left weight-430 digits inset-focus`}
        aria-expanded={!folded}
        tabIndex={reachable ? 0 : -1}
        onClick={() => onFold(group.id, !folded)}
      >
        <Arrow size={13} strokeWidth={2} />
        {message === undefined ? (
          <>
            <b className="weight-560 ink">{title}</b>
            <span>{sub}</span>
            <time>{hourMinuteSecond(group.bench)}</time>
          </>
        ) : (
          <Ceremony message={message} title={title} at={group.bench} />
        )}
      </button>
      <span className="row rigid gap-8">
        {message?.disagrees !== true ? null : <FaultChip>{texts.timeline.disagree}</FaultChip>}
        {message?.told === undefined ? null : <FaultChip>{texts.timeline.told[message.told.made]}</FaultChip>}
        {message?.told !== undefined || (message?.state === 'fail' && message.verdict !== undefined) ? (
          <button
            type="button"
            className="small weight-530 accent underlined"
            aria-label={texts.timeline.whyOf(message.username)}
            onClick={() => onWhy(message.msgId)}
          >
            {texts.timeline.why}
          </button>
        ) : null}
        {message === undefined || recorded ? null : (
          <BugReportButton
            name={texts.bugReport.of(texts.timeline.groupLabel({ title, sub }))}
            about={{ msg_id: message.msgId }}
            iconOnly
          />
        )}
        {message === undefined || linkOf === undefined ? null : (
          <CopyButton
            name={texts.timeline.linkOf(texts.timeline.groupLabel({ title, sub }))}
            text={() => linkOf({ msgId: message.msgId })}
            Icon={Link}
            iconOnly
          />
        )}
      </span>
    </h3>
  )
})

type CeremonyProps = { readonly message: Message; readonly title: string; readonly at: number }

const Ceremony = ({ message, title, at }: CeremonyProps) => {
  const rps = useBenchPart((state) => state.rps)
  useTick(1000, message.endedWall === undefined)
  const now = useBenchNow()
  const { state } = message
  const Icon = state === 'init' || state === 'bind' ? undefined : ICONS[state]
  return (
    <>
      <b className="row gap-4 weight-560 tone" data-tone={stateTone[state]}>
        {Icon === undefined ? null : <Icon size={13} strokeWidth={2.5} />}
        <span className="cut ellipsis">{verdictText(message)}</span>
      </b>
      <RpMark variant={rpVariant(rps, message.rpId)} size={15} />
      <span className={`${styles.who} weight-530 ink`}>{message.username}</span>
      <span>{title}</span>
      <span className={styles.how}>{methodWord(message)}</span>
      <time>{hourMinuteSecond(at)}</time>
      <span className={styles.lasted}>{timeTaken(message, now)}</span>
    </>
  )
}
