import { BatteryFull, Check, Signal, Wifi, WifiOff, X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { phoneText } from '../../src-main/core/messages/messages.ts'
import { useBenchNow } from '../bench/use-bench.ts'
import { hourMinute } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { useTick } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import { CameraScreen } from './camera-screen.tsx'
import { LockScreen } from './lock-screen.tsx'
import phoneButtonStyles from './phone-button.module.css'
import styles from './phone-screen.module.css'
import { PushNote } from './push-note.tsx'
import { RequestScreen } from './request-screen.tsx'
import type { PhoneActions } from './use-phone-actions.ts'

type PhoneScreenProps = {
  readonly phone: ControlPhone
  readonly actions: PhoneActions
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** Sentences for the end of a request, by the reason's word. */
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
  switch (screen.kind) {
    case 'lock':
    case 'home':
    case 'camera':
      return (
        <Glass phone={phone} look="lock">
          <LockScreen phone={phone} actions={actions} />
        </Glass>
      )
    case 'request':
    case 'working':
      return (
        <Glass phone={phone} look="app">
          <Banner phone={phone} actions={actions} slim />
          <RequestScreen
            key={screen.prompt.id}
            prompt={screen.prompt}
            actions={actions}
            {...(screen.kind === 'working' ? { doing: screen.doing } : {})}
            {...(screen.kind === 'request' && screen.note !== undefined ? { note: screen.note } : {})}
          />
        </Glass>
      )
    default:
      return (
        <Glass phone={phone} look="app">
          <Banner phone={phone} actions={actions} />
          <ResultScreen screen={screen} reasons={reasons} onDone={actions.home} />
        </Glass>
      )
  }
}

type BannerProps = { readonly phone: ControlPhone; readonly actions: PhoneActions; readonly slim?: boolean }

/** The newest push covers the screen. */
const Banner = ({ phone, actions, slim = false }: BannerProps) => {
  const [push] = phone.notifications
  return push === undefined ? null : (
    <div className={styles.banner}>
      <PushNote key={push.msg_id} push={push} actions={actions} slim={slim} />
    </div>
  )
}

type GlassProps = {
  readonly phone: ControlPhone
  readonly look: 'lock' | 'camera' | 'app'
  readonly children: ReactNode
}

/** The glass with its status row and home bar; the child is its content. */
export const Glass = ({ phone, look, children }: GlassProps) => (
  <section className={`${styles.screen} column`} data-look={look} aria-label={texts.phone.screen(phone.name)}>
    <div className={`${styles.os} grid rigid small`}>
      <OsClock />
      <i />
      <span>
        <Signal size={12} strokeWidth={2.2} aria-hidden="true" />
        {phone.network === 'online' ? (
          <Wifi size={12} strokeWidth={2.2} aria-hidden="true" />
        ) : (
          <WifiOff size={12} strokeWidth={2.2} aria-label={texts.phone.offline} />
        )}
        <BatteryFull size={14} strokeWidth={1.8} aria-hidden="true" />
      </span>
    </div>
    {children}
    <i className={`${styles.home} rigid`} />
  </section>
)

const OsClock = () => {
  useTick(1000)
  return <time className="num">{hourMinute(useBenchNow())}</time>
}

type ResultScreenProps = {
  readonly screen: Extract<ControlPhone['screen'], { kind: 'success' | 'refused' | 'problem' }>
  /** In the place of the phone's own sentences. */
  readonly reasons?: Readonly<Record<string, string>> | undefined
  readonly onDone: () => void
}

/** How it ended, with the sentence that the phone was given. */
const ResultScreen = ({ screen, reasons = {}, onDone }: ResultScreenProps) => {
  const good = screen.kind === 'success'
  return (
    <div className={`${styles.result} row grow`} data-good={good || undefined}>
      <span className={`${styles.sign} centred rigid`}>
        {good ? (
          <Check size={32} strokeWidth={2} aria-hidden="true" />
        ) : (
          <X size={32} strokeWidth={1.75} aria-hidden="true" />
        )}
      </span>
      <h3>{titleOf(screen)}</h3>
      <p role="status">{(screen.kind === 'success' ? undefined : reasons[screen.word]) ?? bodyOf(screen)}</p>
      <button type="button" className={phoneButtonStyles.button} data-part="phone-button" onClick={onDone}>
        {texts.phone.done}
      </button>
    </div>
  )
}

const bodyOf = (screen: ResultScreenProps['screen']): string => {
  const words = texts.phone
  if (screen.kind === 'success') return words.successBody[screen.prompt.kind](screen.prompt.rp.name)
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
