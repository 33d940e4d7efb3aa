import { NotebookText, Pause, Play } from 'lucide-react'
import { useRef } from 'react'
import { useAction } from '../palette/actions.ts'
import { Keys } from '../palette/keys.tsx'
import { Button } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import styles from './controls.module.css'

type ControlsProps = {
  readonly told: number
  /** Steps of the chapter; 0 for the card at the end. */
  readonly count: number
  readonly playing: boolean
  /** True while the stage is being prepared. */
  readonly still: boolean
  /** True if the story is stuck, so that the presenter should repeat the chapter. */
  readonly troubled: boolean
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

export const Controls = ({ told, count, playing, still, troubled, story, onRepeat, ...directions }: ControlsProps) => {
  const words = texts.presenter
  const foot = useRef<HTMLElement>(null)
  const { next, back } = story
  useAction('presenter-autopilot', foot, story.autopilot)
  useAction('presenter-repeat', foot, onRepeat)
  useAction('presenter-back', foot, still ? undefined : back)
  useAction('presenter-next', foot, next)
  return (
    <footer ref={foot} className={`${styles.foot} middle grid`}>
      <div className={styles.acts} data-part="presenter-acts">
        <Button look="ghost" aria-pressed={playing} aria-keyshortcuts="Space" onClick={story.autopilot}>
          {playing ? <Pause size={15} /> : <Play size={15} />}
          {playing ? words.playing : words.autopilot} <Key name="Space" />
        </Button>
        {onRepeat === undefined ? null : (
          <Button look={troubled ? 'primary' : 'ghost'} aria-keyshortcuts="R" onClick={onRepeat}>
            {words.repeat} <Key name="R" />
          </Button>
        )}
        <Button look="ghost" aria-keyshortcuts="N" onClick={directions.onNotes}>
          <NotebookText size={15} />
          {words.speaker.open} <Key name="N" />
        </Button>
      </div>
      {count === 0 ? (
        <i />
      ) : (
        <div className={`${styles.dots} row gap-12`} role="img" aria-label={words.step(told + 1, count)}>
          {Array.from({ length: count }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its place.
            <i key={i} data-at={i < told ? 'before' : i === told ? 'now' : 'after'} />
          ))}
        </div>
      )}
      <div className={styles.acts} data-part="presenter-acts" data-end>
        <Button
          look="ghost"
          aria-keyshortcuts="ArrowLeft"
          disabled={still || back === undefined}
          onClick={() => back?.()}
        >
          {words.back} <Key name="ArrowLeft" />
        </Button>
        <Button look="ghost" aria-keyshortcuts="ArrowRight" disabled={next === undefined} onClick={() => next?.()}>
          {words.next} <Key name="ArrowRight" />
        </Button>
        <Button look="ghost" aria-keyshortcuts="Escape" onClick={directions.onLeave}>
          {words.leave} <Key name="Escape" />
        </Button>
      </div>
    </footer>
  )
}

/** Hidden from screen readers: the button has its own name, and aria-keyshortcuts announces the key. */
export const Key = ({ name }: { readonly name: string }) => (
  <span aria-hidden="true">
    <Keys chord={name} />
  </span>
)
