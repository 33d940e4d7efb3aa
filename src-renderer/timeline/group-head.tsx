import { Check, Hourglass, Link, X, Zap } from 'lucide-react'
import { memo } from 'react'
import { rpVariant } from '../bench/rp-variant.ts'
import type { Group } from '../bench/timeline.ts'
import { useBenchNow, useBenchPart } from '../bench/use-bench.ts'
import { groupTitle, stateText, stateTone } from '../bench/words.ts'
import { Chip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { hourMinuteSecond } from '../ui/format.ts'
import { RpMark } from '../ui/marks.tsx'
import { useTick } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import { linkTo } from '../ui/use-address.ts'
import styles from './group-head.module.css'

type GroupHeadProps = { readonly group: Group; readonly onWhy: (msgId: string) => void }

const ICONS = { success: Check, fail: X, timeout: Hourglass } as const

/** What the rows below are about, and how it stands. */
export const GroupHead = memo(({ group, onWhy }: GroupHeadProps) => {
  const rps = useBenchPart((state) => state.rps)
  const recorded = useBenchPart((state) => state.recorded)
  const { message } = group
  const { title, sub } = groupTitle(group)
  useTick(1000, message !== undefined && message.endedWall === undefined)
  const now = useBenchNow()
  const Icon =
    message === undefined || message.state === 'init' || message.state === 'bind' ? undefined : ICONS[message.state]
  return (
    <h3 className={styles.head} title={hourMinuteSecond(group.bench)}>
      {message === undefined ? null : <RpMark variant={rpVariant(rps, message.rpId)} size={15} />}
      <span className={styles.title}>{title}</span>
      <span className={styles.sub}>{sub}</span>
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
        {message === undefined ? null : (
          <Chip tone={stateTone[message.state]}>
            {Icon === undefined ? null : <Icon size={11} strokeWidth={2.5} aria-hidden="true" />}
            {stateText(message, now)}
          </Chip>
        )}
        {message === undefined || recorded ? null : (
          <CopyButton
            name={texts.timeline.linkOf(texts.timeline.groupLabel({ title, sub }))}
            text={() => linkTo({ screen: 'bench', about: { msgId: message.msgId } })}
            Icon={Link}
            iconOnly
          />
        )}
      </span>
    </h3>
  )
})
