import { useRef } from 'react'
import { useBenchPart } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import { Dot } from '../ui/chip.tsx'
import { texts } from '../ui/texts.ts'
import styles from './live-pill.module.css'

type LivePillProps = {
  readonly paused: boolean
  /** Exchanges that came since it was stopped or scrolled away. */
  readonly behind: number
  readonly away: boolean
  readonly onLive: () => void
}

/** Streaming never moves what a person is looking at: scrolled away, the pill counts what is new. */
export const LivePill = ({ paused, behind, away, onLive }: LivePillProps) => {
  const words = texts.timeline
  const live = useBenchPart(({ connection }) => connection === 'live')
  const still = paused || away
  const place = useRef<HTMLButtonElement>(null)
  useAction('live', place, onLive)
  return (
    <button ref={place} type="button" className={styles.live} data-do="live" onClick={onLive}>
      <Dot tone={!live ? 'fail' : still ? 'neutral' : 'ok'} />
      {!live
        ? words.lost
        : still && behind > 0
          ? words.liveNew(behind)
          : paused
            ? words.paused
            : away
              ? words.toLive
              : words.live}
    </button>
  )
}
