import { Check, ChevronDown, ChevronRight, Hourglass, Link, X, Zap } from 'lucide-react'
import { memo } from 'react'
import type { Group, Message } from '../../src-main/views/timeline/timeline.ts'
import { useBenchNow, useBenchPart } from '../bench/use-bench.ts'
import { groupTitle, methodWord, rpVariant, stateTone, timeTaken, verdictWord } from '../bench/words.ts'
import { BugReportButton } from '../ui/bug-report-button.tsx'
import { Chip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { hourMinuteSecond } from '../ui/format.ts'
import { RpMark } from '../ui/marks.tsx'
import { useTick } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import { useLinkOf } from '../ui/use-address.ts'
import styles from './group-head.module.css'

type GroupHeadProps = {
  readonly group: Group
  readonly folded: boolean
  /** Tab reaches it. */
  readonly reachable: boolean
  readonly onWhy: (msgId: string) => void
  readonly onFold: (group: string, folded: boolean) => void
}

const ICONS = { success: Check, fail: X, timeout: Hourglass } as const

export const headId = (group: string): string => `head-${group}`

/** The subject of the rows below, how it ended and when: enough to read without them. */
export const GroupHead = memo(({ group, folded, reachable, onWhy, onFold }: GroupHeadProps) => {
  const recorded = useBenchPart((state) => state.recorded)
  const linkOf = useLinkOf()
  const { message } = group
  const { title, sub } = groupTitle(group)
  const Arrow = folded ? ChevronRight : ChevronDown
  return (
    <h3
      className={styles.head}
      data-lied={message?.disagrees === true || message?.told !== undefined || undefined}
      data-failed={(message !== undefined && stateTone[message.state] === 'fail') || undefined}
    >
      <button
        type="button"
        id={headId(group.id)}
        className={styles.fold}
        aria-expanded={!folded}
        tabIndex={reachable ? 0 : -1}
        onClick={() => onFold(group.id, !folded)}
      >
        <Arrow size={13} strokeWidth={2} aria-hidden="true" />
        {message === undefined ? (
          <>
            <b>{title}</b>
            <span>{sub}</span>
            <time>{hourMinuteSecond(group.bench)}</time>
          </>
        ) : (
          <Ceremony message={message} title={title} at={group.bench} />
        )}
      </button>
      <span className={styles.state}>
        {message?.disagrees !== true ? null : (
          <Chip tone="fault">
            <Zap size={11} strokeWidth={2} aria-hidden="true" />
            {texts.timeline.disagree}
          </Chip>
        )}
        {message?.told === undefined ? null : (
          <Chip tone="fault">
            <Zap size={11} strokeWidth={2} aria-hidden="true" />
            {texts.timeline.told[message.told.makes]}
          </Chip>
        )}
        {message?.told !== undefined || (message?.state === 'fail' && message.verdict !== undefined) ? (
          <button
            type="button"
            className={styles.why}
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
      <b className={styles.verdict} data-tone={stateTone[state]}>
        {Icon === undefined ? null : <Icon size={13} strokeWidth={2.5} aria-hidden="true" />}
        <span>{verdictWord(message)}</span>
      </b>
      <RpMark variant={rpVariant(rps, message.rpId)} size={15} />
      <span className={styles.who}>{message.username}</span>
      <span>{title}</span>
      <span className={styles.how}>{methodWord(message)}</span>
      <time>{hourMinuteSecond(at)}</time>
      <span className={styles.lasted}>{timeTaken(message, now)}</span>
    </>
  )
}
