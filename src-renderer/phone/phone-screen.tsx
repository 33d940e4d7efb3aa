import { Ban, BatteryFull, Check, Lock, LogOut, Signal, Wifi, WifiOff, X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { phoneText } from '../../src-main/core/contract/phone-trouble.ts'
import { useBenchNow, useBenchPart } from '../bench/use-bench.ts'
import { rpVariant } from '../bench/words.ts'
import { hourMinute, longDay } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { useTick } from '../ui/page-clock.ts'
import { RpMark } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { CameraScreen } from './camera-screen.tsx'
import { PhoneButton } from './phone-button.tsx'
import styles from './phone-screen.module.css'
import { RequestScreen } from './request-screen.tsx'
import type { PhoneActions } from './use-phone-actions.ts'

type PhoneScreenProps = {
  readonly phone: ControlPhone
  readonly actions: PhoneActions
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly reasons?: Readonly<Record<string, string>>
}

export const PhoneScreen = ({ phone, actions, canvas, reasons }: PhoneScreenProps) => {
  const { screen } = phone
  if (actions.camera !== 'off') {
    return (
      <Glass phone={phone} look="camera">
        <CameraScreen canvas={canvas} actions={actions} />
      </Glass>
    )
  }
  if (screen.kind === 'lock' || screen.kind === 'home' || screen.kind === 'camera') {
    return (
      <Glass phone={phone} look="lock">
        <LockScreen phone={phone} actions={actions} />
      </Glass>
    )
  }
  const asks = screen.kind === 'request' || screen.kind === 'working'
  return (
    <Glass phone={phone} look="app">
      <Banner phone={phone} actions={actions} slim={asks} />
      {asks ? (
        <RequestScreen key={screen.prompt.id} screen={screen} actions={actions} />
      ) : (
        <ResultScreen phone={phone} screen={screen} reasons={reasons} onDone={actions.home} />
      )}
    </Glass>
  )
}

type OnPhone = Pick<PhoneScreenProps, 'phone' | 'actions'>

const Banner = ({ phone, actions, slim }: OnPhone & { readonly slim: boolean }) => {
  const [push] = phone.notifications
  return push === undefined ? null : (
    <div className={`${styles.banner} absolute z-2`}>
      <PushNote key={push.msg_id} push={push} actions={actions} slim={slim} />
    </div>
  )
}

type GlassProps = {
  readonly phone: ControlPhone
  readonly look: 'lock' | 'camera' | 'app'
  readonly children: ReactNode
}

export const Glass = ({ phone, look, children }: GlassProps) => (
  <section className={styles.screen} data-look={look} aria-label={texts.phone.screen(phone.name)}>
    <div className={`${styles.os} middle grid ends-and-middle z-1 rigid small relative weight-600 h-32 p-4-18-0-20`}>
      <OsClock />
      <i className="circle w-9 h-9" />
      <span className="row gap-3 ends">
        <Signal size={12} strokeWidth={2.2} />
        {phone.network === 'online' ? (
          <Wifi size={12} strokeWidth={2.2} />
        ) : (
          <WifiOff size={12} strokeWidth={2.2} aria-label={texts.phone.offline} />
        )}
        <BatteryFull strokeWidth={1.8} />
      </span>
    </div>
    {children}
    <i className={`${styles.home} rigid relative self-centre mb-7 w-84 h-4 rounded-4`} />
  </section>
)

const OsClock = () => {
  useTick(1000)
  return <time className="digits">{hourMinute(useBenchNow())}</time>
}

type ResultScreenProps = {
  readonly phone: ControlPhone
  readonly screen: Extract<ControlPhone['screen'], { kind: 'success' | 'refused' | 'problem' }>
  /** Replace the phone's own sentences. */
  readonly reasons?: Readonly<Record<string, string>> | undefined
  readonly onDone: () => void
}

const ResultScreen = ({ phone, screen, reasons = {}, onDone }: ResultScreenProps) => {
  const good = screen.kind === 'success'
  return (
    <div className={styles.result} data-good={good || undefined}>
      <span className={`${styles.sign} centred rigid fail bg-fail-soft circle w-64 h-64`}>
        {good ? <Check size={32} strokeWidth={2} /> : <X size={32} />}
      </span>
      <h3 className="os-title mt-16">{titleOf(screen)}</h3>
      <p className="os-muted balanced breaks m-6-0-12" role="status">
        {(screen.kind === 'success' ? undefined : reasons[screen.word]) ?? bodyOf(screen, phone)}
      </p>
      <PhoneButton onClick={onDone} text={texts.phone.done} />
    </div>
  )
}

const bodyOf = (screen: ResultScreenProps['screen'], { credentials }: ControlPhone): string => {
  const words = texts.phone
  if (screen.kind === 'success') return words.successBody[screen.prompt.kind](screen.prompt.rp.name)
  if (screen.word === 'no_matching_credential') {
    const own = credentials.filter(({ rp_id }) => rp_id === screen.prompt?.rp.id)
    const by = own.every(({ removed_by }) => removed_by !== undefined) ? own.at(-1)?.removed_by : undefined
    if (by !== undefined) return words.removedBody(by)
  }
  return saidNo(screen) ? words.saidNoBody : phoneText(messages, screen)
}

const titleOf = (screen: ResultScreenProps['screen']): string => {
  const words = texts.phone
  if (screen.kind === 'problem') return words.problem
  if (screen.kind === 'success') return words.success[screen.prompt.kind]
  return saidNo(screen) ? words.saidNo : words.refused[screen.prompt.kind]
}

const saidNo = (screen: ResultScreenProps['screen']): boolean =>
  screen.kind !== 'success' && screen.word === 'user_rejected'

/** Maximum number of pushes that are drawn; the rest are shown as a number. */
const SHOWN = 2

const LockScreen = ({ phone, actions }: OnPhone) => {
  useTick(1000)
  const now = useBenchNow()
  const words = texts.phone
  const pushes = phone.notifications.slice(0, SHOWN)
  const hidden = phone.notifications.length - pushes.length
  const removed = phone.credentials.findLast(({ removed_by }) => removed_by !== undefined)
  return (
    <div className="column grow shortens">
      <Ridges />
      <time className={`${styles.time} relative text-center digits text-50 leading-60 weight-480 mt-23`}>
        {hourMinute(now)}
      </time>
      <p className={`${styles.day} relative text-center weight-520`}>{longDay(now)}</p>
      <ul className={`${styles.pushes} relative grid shortens gap-7 scrolls-y mt-12 bar-less p-8-9-12`}>
        {pushes.map((push) => (
          <li key={push.msg_id}>
            <PushNote push={push} actions={actions} />
          </li>
        ))}
        {hidden > 0 ? <li className="tiny text-center weight-520">{words.more(hidden)}</li> : null}
        {removed?.removed_by === undefined ? null : (
          <li className="text-14 leading-19 text-center weight-520 breaks">
            {removed.name} · {words.removedBy(removed.removed_by)}
          </li>
        )}
      </ul>
      <Standing phone={phone} />
    </div>
  )
}

const Standing = ({ phone }: { readonly phone: ControlPhone }) => {
  const words = texts.phone
  const [Icon, text] = phone.lost
    ? [Ban, words.lost]
    : !phone.signed_in
      ? [LogOut, words.signedOut]
      : phone.network === 'offline'
        ? [WifiOff, words.offline]
        : [Lock, phone.notifications.length > 0 ? '' : words.unlock]
  return (
    <p className="relative column middle rigid tiny gap-5 weight-500 push-down min-h-44 p-0-0-8">
      <Icon strokeWidth={2} />
      {text}
    </p>
  )
}

const Ridges = () => (
  <svg className={`${styles.ridges} absolute wide`} viewBox="0 0 220 200" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 90C40 60 70 96 110 70S180 40 220 66V200H0z" fill="#1c2433" opacity=".35" />
    <path d="M0 132C50 104 84 140 128 116S190 104 220 122V200H0z" fill="#171d2a" opacity=".55" />
    <path d="M0 170C60 148 100 176 150 158S200 160 220 158V200H0z" fill="#11151e" opacity=".8" />
  </svg>
)

type PushNoteProps = {
  readonly push: ControlPhone['notifications'][number]
  readonly actions: PhoneActions
  /** Shows the push in one line, so that the text below it stays readable. */
  readonly slim?: boolean
}

const PushNote = ({ push, actions, slim = false }: PushNoteProps) => {
  const words = texts.phone
  const rps = useBenchPart((state) => state.rps)
  const now = useBenchNow()
  return (
    <div className={`${styles.note} small relative leading-16 rounded-17`} data-slim={slim || undefined}>
      <button
        type="button"
        className={`block wide text-left rounded-17 ${slim ? 'p-7-11' : 'p-10-11-11'}`}
        aria-label={words.openPush(push.rp.name)}
        onClick={() => actions.open(push.msg_id)}
      >
        <span className={`row gap-6 tiny ${slim ? '' : 'mb-5'}`}>
          <RpMark variant={rpVariant(rps, push.rp.id)} size={15} />
          {slim ? <b className="block clip small weight-620">{words.request.signIn(push.rp.name)}</b> : words.app}
          <small className="push-right tiny">{ago(now - push.arrived_at)}</small>
        </span>
        {slim ? null : (
          <>
            <b className={`${styles.title} breaks cut text-13 weight-620`}>{words.request.signIn(push.rp.name)}</b>
            {words.pushBody}
          </>
        )}
      </button>
      <button
        type="button"
        className={`${styles.dismiss} absolute top-6 right-7 centred circle w-22 h-22`}
        aria-label={words.dismissPush(push.rp.name)}
        onClick={() => actions.dismiss(push.msg_id)}
      >
        <X size={12} strokeWidth={2} />
      </button>
    </div>
  )
}

const ago = (ms: number): string => (ms < 60_000 ? texts.phone.now : texts.phone.ago(Math.floor(ms / 60_000)))
