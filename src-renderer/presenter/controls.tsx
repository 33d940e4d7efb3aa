import { NotebookText, Pause, Play } from 'lucide-react'
import { useRef } from 'react'
import { useAction } from '../palette/actions.ts'
import { Keys } from '../palette/keys.tsx'
import { Button } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import styles from './controls.module.css'

type ControlsProps = {
  readonly told?: number
  /** Steps of the chapter; the card at the end has none. */
  readonly count?: number
  readonly playing: boolean
  /** True while the stage is being prepared. */
  readonly still?: boolean
  /** True if the story is stuck, so the presenter should repeat the chapter. */
  readonly troubled?: boolean
  readonly story: {
    readonly next?: (() => void) | undefined
    /** Absent at the very first step. */
    readonly back?: (() => void) | undefined
    readonly autopilot: () => void
  }
  readonly onRepeat?: () => void
  readonly onNotes: () => void
  readonly onLeave: () => void
}

export const Controls = (props: ControlsProps) => {
  const { told = 0, count = 0, playing, still = false, troubled = false, story, onRepeat, ...directions } = props
  const words = texts.presenter
  const { names } = texts.palette
  const foot = useRef<HTMLElement>(null)
  const { next, back } = story
  useAction('presenter-autopilot', foot, story.autopilot)
  useAction('presenter-repeat', foot, onRepeat)
  useAction('presenter-back', foot, still ? undefined : back)
  useAction('presenter-next', foot, next)
  return (
    <footer ref={foot} className={`${styles.foot} middle grid ends-and-middle px-22`}>
      <div className={styles.acts} data-part="presenter-acts">
        <KeyButton
          Icon={playing ? Pause : Play}
          size={15}
          look="ghost"
          aria-pressed={playing}
          chord="Space"
          onClick={story.autopilot}
          text={playing ? words.playing : names['presenter-autopilot']}
        />
        {onRepeat === undefined ? null : (
          <KeyButton look={troubled ? 'primary' : 'ghost'} chord="R" onClick={onRepeat} text={words.repeat} />
        )}
        <KeyButton
          Icon={NotebookText}
          size={15}
          look="ghost"
          chord="N"
          onClick={directions.onNotes}
          text={words.speaker.open}
        />
      </div>
      {count === 0 ? (
        <i />
      ) : (
        <div className={`${styles.dots} row gap-12`} role="img" aria-label={words.step(told + 1, count)}>
          {Array.from({ length: count }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its place.
            <i key={i} className="w-11 h-11 rounded-8" data-at={i < told ? 'before' : i === told ? 'now' : 'after'} />
          ))}
        </div>
      )}
      <div className={`${styles.acts} ends`} data-part="presenter-acts">
        <KeyButton look="ghost" chord="ArrowLeft" disabled={still || !back} onClick={back} text={words.back} />
        <KeyButton look="ghost" chord="ArrowRight" disabled={!next} onClick={next} text={words.next} />
        <KeyButton look="ghost" chord="Escape" onClick={directions.onLeave} text={names['presenter-leave']} />
      </div>
    </footer>
  )
}

type KeyButtonProps = Parameters<typeof Button>[0] & { readonly chord: string }

/** The key is hidden from screen readers, because aria-keyshortcuts announces it. */
export const KeyButton = ({ chord, ...rest }: KeyButtonProps) => (
  <Button aria-keyshortcuts={chord} {...rest}>
    <span aria-hidden="true">
      <Keys chord={chord} />
    </span>
  </Button>
)
