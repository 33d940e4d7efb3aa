import { Pause, Play } from 'lucide-react'
import { useRef } from 'react'
import { useAction } from '../palette/actions.ts'
import { Keys } from '../palette/keys.tsx'
import { Button } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import styles from './controls.module.css'
import { LAST, STEPS } from './story.ts'
import type { StoryControls } from './use-story.ts'

const icon = { size: 15, strokeWidth: 1.75, 'aria-hidden': true } as const

type ControlsProps = { readonly story: StoryControls; readonly onLeave: () => void }

/** What the keys do, for a pointer. */
export const Controls = ({ story, onLeave }: ControlsProps) => {
  const words = texts.presenter
  const { told, playing, rewinding } = story
  const foot = useRef<HTMLElement>(null)
  useAction('presenter-autopilot', foot, story.autopilot)
  useAction('presenter-reset', foot, story.reset)
  useAction('presenter-back', foot, told === 0 || rewinding ? undefined : story.back)
  useAction('presenter-next', foot, told === LAST || rewinding ? undefined : story.next)
  return (
    <footer ref={foot} className={styles.foot}>
      <div className={styles.acts} data-part="presenter-acts">
        <Button look="ghost" aria-pressed={playing} aria-keyshortcuts="Space" onClick={story.autopilot}>
          {playing ? <Pause {...icon} /> : <Play {...icon} />}
          {playing ? words.playing : words.autopilot} <Key name="Space" />
        </Button>
        <Button look="ghost" aria-keyshortcuts="R" onClick={story.reset}>
          {words.reset} <Key name="R" />
        </Button>
      </div>
      <div className={styles.dots} role="img" aria-label={words.step(told + 1, STEPS.length)}>
        {STEPS.map((step, i) => (
          <i key={step} data-at={i < told ? 'before' : i === told ? 'now' : 'after'} />
        ))}
      </div>
      <div className={styles.acts} data-part="presenter-acts" data-end>
        <Button look="ghost" aria-keyshortcuts="ArrowLeft" disabled={told === 0 || rewinding} onClick={story.back}>
          {words.back} <Key name="ArrowLeft" />
        </Button>
        <Button look="ghost" aria-keyshortcuts="ArrowRight" disabled={told === LAST || rewinding} onClick={story.next}>
          {words.next} <Key name="ArrowRight" />
        </Button>
        <Button look="ghost" aria-keyshortcuts="Escape" onClick={onLeave}>
          {words.leave} <Key name="Escape" />
        </Button>
      </div>
    </footer>
  )
}

/** The button says its name; the key is said by aria-keyshortcuts. */
const Key = ({ name }: { readonly name: string }) => (
  <span aria-hidden="true">
    <Keys chord={name} />
  </span>
)
