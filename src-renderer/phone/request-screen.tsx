import { Cloud, Cpu, Fingerprint } from 'lucide-react'
import { Fragment, useId, useRef, useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { phoneText } from '../../src-main/core/contract/phone-trouble.ts'
import { useBenchNow, useBenchPart } from '../bench/use-bench.ts'
import { rpVariant } from '../bench/words.ts'
import { useAction } from '../palette/actions.ts'
import { minuteSecond } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { prefersStillness, useTick } from '../ui/page-clock.ts'
import { RpMark } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import styles from './request-screen.module.css'
import type { PhoneActions } from './use-phone-actions.ts'

type RequestScreenProps = {
  readonly screen: Extract<ControlPhone['screen'], { kind: 'request' | 'working' }>
  readonly actions: PhoneActions
}

export const RequestScreen = ({ screen, actions }: RequestScreenProps) => {
  const { prompt } = screen
  const doing = screen.kind === 'working' ? screen.doing : undefined
  const words = texts.phone.request
  const rps = useBenchPart((state) => state.rps)
  const registering = prompt.kind === 'registration'
  const [storage, setStorage] = useState(prompt.storage)
  const credential = prompt.credentials?.[0]
  // If a page of another origin shows the RP's code, both origins are named.
  const relayed = !prompt.rp.origins.includes(prompt.origin)
  const place = useRef<HTMLDivElement>(null)
  const reject = () => actions.reject(prompt)
  useAction('reject', place, doing === undefined ? reject : undefined)
  return (
    <div ref={place} className={styles.request} data-part="request">
      <div className={`${styles.about} shortens scrolls-y pb-4`}>
        <RpMark variant={rpVariant(rps, prompt.rp.id)} size={38} />
        <h3 className="breaks os-title text-center balanced">
          {registering ? words.register(prompt.rp.name) : words.signIn(prompt.rp.name)}
        </h3>
        <dl className="os-card rounded-12 p-2-10">
          {relayed ? (
            <>
              <Site name={words.website} origin={prompt.rp.origins[0] ?? ''} />
              <Site name={words.shownBy} origin={prompt.origin} foreign />
            </>
          ) : null}
          <div>
            <dt className="tiny leading-14 os-muted">{words.account}</dt>
            <dd>{prompt.user.username}</dd>
          </div>
          {relayed ? null : <Site name={words.website} origin={prompt.origin} />}
          {registering || relayed ? null : (
            <div>
              <dt className="tiny leading-14 os-muted">{words.passkey}</dt>
              <dd>{credential?.name ?? prompt.credential_name}</dd>
            </div>
          )}
        </dl>
        {registering && storage !== undefined ? <StorageChoice value={storage} onPick={setStorage} /> : null}
      </div>
      <div className={`${styles.act} column rigid push-down`}>
        <Touch
          doing={doing}
          note={screen.kind === 'request' ? screen.note : undefined}
          onTouched={() => actions.approve(prompt, registering ? storage : undefined)}
          answersAt={prompt.answers_at}
        />
        <button
          type="button"
          className={`${styles.reject} rigid weight-540 os-muted rounded-8 self-centre`}
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

type SiteProps = { readonly name: string; readonly origin: string; readonly foreign?: boolean }

const Site = ({ name, origin, foreign = false }: SiteProps) => (
  <div data-foreign={foreign || undefined}>
    <dt className="tiny leading-14 os-muted">{name}</dt>
    <dd data-part="request-site">
      <SiteName origin={origin} />
    </dd>
  </div>
)

type Storage = 'cloud' | 'chip'

/** docs/using/phones.md: the cloud HSM is recommended. */
const RECOMMENDED: Storage = 'cloud'

const STORAGE_ICONS = { cloud: Cloud, chip: Cpu } as const

const StorageChoice = ({ value, onPick }: { readonly value: Storage; readonly onPick: (value: Storage) => void }) => {
  const words = texts.phone
  return (
    <fieldset className={`${styles.storage} grid halves gap-6 borderless mt-8`} data-part="storage">
      <legend className="tiny leading-14 os-muted p-0-0-4-2">{words.request.storage}</legend>
      {(['cloud', 'chip'] as const).map((storage) => {
        const Icon = STORAGE_ICONS[storage]
        return (
          <label className="choice os-card rounded-10 p-7" key={storage}>
            <input
              type="radio"
              name="storage"
              aria-label={words.storage[storage]}
              aria-description={storage === RECOMMENDED ? words.request.recommended : undefined}
              checked={value === storage}
              onChange={() => onPick(storage)}
            />
            <Icon size={15} />
            <b className="block small tight breaks leading-16 weight-560">{words.storage[storage]}</b>
            {storage === RECOMMENDED ? (
              <em className="whole-row upright accent text-10 leading-13 weight-600">{words.request.recommended}</em>
            ) : null}
            <small className="tiny leading-14 whole-row block os-muted">{words.storageLong[storage]}</small>
          </label>
        )
      })}
    </fieldset>
  )
}

const TOUCH_NOTE = `${styles.touchNote} tiny text-center os-muted leading-14`

/** Duration of a touch, during which the ring fills. */
const TOUCH_MS = 600

type TouchProps = {
  /** Resolves to true if the phone accepted the touch; otherwise the phone waits for another touch. */
  readonly onTouched: () => Promise<boolean>
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
    <div ref={place} className={`${styles.touch} column middle`}>
      <button
        id={sensor}
        type="button"
        className={`${styles.sensor} centred relative accent bg-accent-soft circle`}
        data-reading={reading || undefined}
        data-working={doing !== undefined || undefined}
        aria-label={words.request.touch}
        disabled={doing !== undefined}
        onClick={touch}
      >
        <svg viewBox="0 0 80 80" aria-hidden="true">
          <circle cx="40" cy="40" r="37" pathLength="100" />
        </svg>
        <Fingerprint size={24} strokeWidth={1.5} />
      </button>
      {/* A touch on the words counts as well. */}
      <label htmlFor={sensor}>
        <b className="weight-560" role="status">
          {text}
        </b>
      </label>
      {note === undefined ? null : (
        <p className={TOUCH_NOTE} role="alert">
          {phoneText(messages, { word: note })}
        </p>
      )}
      {answersAt === undefined ? null : <AnswersIn at={answersAt} />}
    </div>
  )
}

const AnswersIn = ({ at }: { readonly at: number }) => {
  useTick(500)
  return <p className={TOUCH_NOTE}>{texts.phone.request.answersIn(minuteSecond(at - useBenchNow()))}</p>
}

/** A website's name, with line breaks allowed only before its dots. */
const SiteName = ({ origin }: { readonly origin: string }) =>
  origin
    .replace(/^https?:\/\//, '')
    .split(/(?=\.)/)
    .map((part, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one name have no other identity.
      <Fragment key={i}>
        <wbr />
        {part}
      </Fragment>
    ))
