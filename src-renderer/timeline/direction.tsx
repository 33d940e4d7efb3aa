import { MonitorPlay, Plug, Smartphone, X } from 'lucide-react'
import { IconButton } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import styles from './direction.module.css'

type DirectionProps = {
  readonly onTry: () => void
  readonly onConnect: () => void
  readonly onShow: () => void
  /** Absent while the timeline is empty, because there is nothing else to show. */
  readonly onHide?: (() => void) | undefined
}

export const Direction = ({ onTry, onConnect, onShow, onHide }: DirectionProps) => {
  const words = texts.direction
  const cards = [
    { ...words.tryIt, Icon: Smartphone, run: onTry },
    { ...words.connect, Icon: Plug, run: onConnect },
    { ...words.show, Icon: MonitorPlay, run: onShow },
  ]
  return (
    <section
      className={`${styles.direction} grid shortens gap-14 scrolls line-below relative px-16 py-20`}
      data-steps={onHide === undefined ? 'first' : 'again'}
      aria-label={words.title}
    >
      {onHide === undefined ? null : (
        <IconButton Icon={X} className={`${styles.hide} absolute top-8 right-8`} name={words.hide} onClick={onHide} />
      )}
      <p className="muted text-center balanced">{texts.timeline.empty}</p>
      <ul className="grid gap-10">
        {cards.map(({ title, says, Icon, run }) => (
          <li key={title}>
            <button
              className="grid starts gap-4 wide tall rounded-9 framed text-left hovers p-12"
              type="button"
              onClick={run}
            >
              <Icon className="accent mb-4" size={20} strokeWidth={1.6} />
              <b className="weight-610">{title}</b>
              <span className="small muted leading-17">{says}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
