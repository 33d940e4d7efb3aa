import { Cloud, Cpu, Fingerprint } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ControlPrompt } from '../../src-main/contract/control/states.ts'
import { rpVariant } from '../bench/rp-variant.ts'
import { useBenchNow, useBenchPart } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import { minuteSecond } from '../ui/format.ts'
import { RpMark } from '../ui/marks.tsx'
import { prefersStillness, useTick } from '../ui/page-clock.ts'
import { said } from '../ui/service-words.ts'
import { SiteName } from '../ui/site-name.tsx'
import { texts } from '../ui/texts.ts'
import styles from './request-screen.module.css'
import type { PhoneActions } from './use-phone-actions.ts'

type RequestScreenProps = {
  readonly prompt: ControlPrompt
  readonly actions: PhoneActions
  readonly doing?: 'signing' | 'sending'
  readonly note?: string
}

/** The ring fills in so many milliseconds, and then the finger has been read. */
const TOUCH_MS = 600

/** Who asks for what, and a place for the finger. */
export const RequestScreen = ({ prompt, actions, doing, note }: RequestScreenProps) => {
  const words = texts.phone.request
  const rps = useBenchPart((state) => state.rps)
  const registering = prompt.kind === 'registration'
  const [storage, setStorage] = useState(prompt.storage)
  const credential = prompt.credentials?.[0]
  const place = useRef<HTMLDivElement>(null)
  const reject = () => actions.reject(prompt)
  useAction('reject', place, doing === undefined ? reject : undefined)
  return (
    <div ref={place} className={styles.request} data-part="request" data-busy={doing !== undefined || undefined}>
      <div className={styles.about}>
        <RpMark variant={rpVariant(rps, prompt.rp.id)} size={38} />
        <h3>{registering ? words.register(prompt.rp.name) : words.signIn(prompt.rp.name)}</h3>
        <dl>
          <div>
            <dt>{words.account}</dt>
            <dd>{prompt.user.username}</dd>
          </div>
          <div>
            <dt>{words.website}</dt>
            <dd>
              <SiteName origin={prompt.origin} />
            </dd>
          </div>
          {registering ? null : (
            <div>
              <dt>{words.passkey}</dt>
              <dd>{credential?.name ?? prompt.credential_name}</dd>
            </div>
          )}
        </dl>
        {registering && storage !== undefined ? <StorageChoice value={storage} onPick={setStorage} /> : null}
      </div>
      <div className={styles.act}>
        <Touch
          doing={doing}
          note={note}
          onTouched={() => actions.approve(prompt, registering ? storage : undefined)}
          answersAt={prompt.answers_at}
        />
        <button
          type="button"
          className={styles.reject}
          data-gone={doing !== undefined || undefined}
          disabled={doing !== undefined}
          onClick={reject}
        >
          {words.reject}
        </button>
      </div>
    </div>
  )
}

type Storage = 'cloud' | 'chip'

/** docs/using/phones.md: the cloud HSM is recommended. */
const RECOMMENDED: Storage = 'cloud'

const STORAGE_ICONS = { cloud: Cloud, chip: Cpu } as const

const StorageChoice = ({ value, onPick }: { readonly value: Storage; readonly onPick: (value: Storage) => void }) => {
  const words = texts.phone
  return (
    <fieldset className={styles.storage} data-part="storage">
      <legend>{words.request.storage}</legend>
      {(['cloud', 'chip'] as const).map((storage) => {
        const Icon = STORAGE_ICONS[storage]
        return (
          <label key={storage}>
            <input
              type="radio"
              name="storage"
              aria-label={words.storage[storage]}
              aria-description={storage === RECOMMENDED ? words.request.recommended : undefined}
              checked={value === storage}
              onChange={() => onPick(storage)}
            />
            <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
            <b>{words.storage[storage]}</b>
            {storage === RECOMMENDED ? <em>{words.request.recommended}</em> : null}
            <small>{words.storageLong[storage]}</small>
          </label>
        )
      })}
    </fieldset>
  )
}

type TouchProps = {
  readonly onTouched: () => void
  readonly doing: 'signing' | 'sending' | undefined
  readonly note: string | undefined
  readonly answersAt: number | undefined
}

const Touch = ({ onTouched, doing, note, answersAt }: TouchProps) => {
  const [reading, setReading] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const words = texts.phone
  const touch = () => {
    if (reading || doing !== undefined) return
    setReading(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => {
        setReading(false)
        onTouched()
      },
      prefersStillness() ? 0 : TOUCH_MS,
    )
  }
  const place = useRef<HTMLDivElement>(null)
  useAction('touch', place, doing === undefined ? touch : undefined)
  const text = doing !== undefined ? words.working[doing] : reading ? words.request.hold : words.request.touch
  return (
    <div ref={place} className={styles.touch}>
      <button
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
      <b role="status">{text}</b>
      {note === undefined ? null : (
        <p className={styles.touchNote} role="alert" {...said('phoneProblems', 'fingerprint_failed', note)} />
      )}
      {answersAt === undefined ? null : <AnswersIn at={answersAt} />}
    </div>
  )
}

const AnswersIn = ({ at }: { readonly at: number }) => {
  useTick(500)
  return <p className={styles.touchNote}>{texts.phone.request.answersIn(minuteSecond(at - useBenchNow()))}</p>
}
