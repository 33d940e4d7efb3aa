import { Fingerprint } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { phoneText } from '../../src-main/core/messages/messages.ts'
import { useBenchNow } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import { minuteSecond } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { prefersStillness, useTick } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import styles from './touch.module.css'

/** The ring fills in this time, and then the finger has been read. */
const TOUCH_MS = 600

type TouchProps = {
  /** True if the phone has taken the touch: if not, it waits for another one. */
  readonly onTouched: () => Promise<boolean>
  readonly doing: 'signing' | 'sending' | undefined
  readonly note: string | undefined
  readonly answersAt: number | undefined
}

/** The place for the finger, with its progress. */
export const Touch = ({ onTouched, doing, note, answersAt }: TouchProps) => {
  const [reading, setReading] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const words = texts.phone
  const touch = () => {
    if (reading || doing !== undefined) return
    setReading(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => {
        // The result is an event, which may arrive later than the answer.
        void onTouched().then((taken) => {
          if (!taken) setReading(false)
        })
      },
      prefersStillness() ? 0 : TOUCH_MS,
    )
  }
  const place = useRef<HTMLDivElement>(null)
  const sensor = useId()
  useAction('touch', place, doing === undefined ? touch : undefined)
  const text = doing !== undefined ? words.working[doing] : reading ? words.request.hold : words.request.touch
  return (
    <div ref={place} className={styles.touch}>
      <button
        id={sensor}
        type="button"
        className={styles.sensor}
        data-reading={reading || undefined}
        data-working={doing !== undefined || undefined}
        aria-label={words.request.touch}
        disabled={doing !== undefined}
        onClick={touch}
      >
        <svg viewBox="0 0 80 80" aria-hidden="true">
          <circle cx="40" cy="40" r="37" pathLength="100" />
        </svg>
        <Fingerprint strokeWidth={1.5} aria-hidden="true" />
      </button>
      {/* A finger on the words touches, too. */}
      <label htmlFor={sensor}>
        <b role="status">{text}</b>
      </label>
      {note === undefined ? null : (
        <p className={styles.touchNote} role="alert">
          {phoneText(messages, { word: note })}
        </p>
      )}
      {answersAt === undefined ? null : <AnswersIn at={answersAt} />}
    </div>
  )
}

const AnswersIn = ({ at }: { readonly at: number }) => {
  useTick(500)
  return <p className={styles.touchNote}>{texts.phone.request.answersIn(minuteSecond(at - useBenchNow()))}</p>
}
