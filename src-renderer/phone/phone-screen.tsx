import { BatteryFull, Signal, Wifi, WifiOff } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { useBenchNow } from '../bench/use-bench.ts'
import { hourMinute } from '../ui/format.ts'
import { useTick } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import { CameraScreen } from './camera-screen.tsx'
import { LockScreen } from './lock-screen.tsx'
import styles from './phone-screen.module.css'
import { PushNote } from './push-note.tsx'
import { RequestScreen } from './request-screen.tsx'
import { ResultScreen } from './result-screen.tsx'
import type { PhoneActions } from './use-phone-actions.ts'

type PhoneScreenProps = {
  readonly phone: ControlPhone
  readonly actions: PhoneActions
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** What it says of how a request ended, by the reason's word. */
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

/** The newest push lies over whatever is on the screen. */
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

/** The glass with its status row and home bar; what is on it is a child. */
export const Glass = ({ phone, look, children }: GlassProps) => (
  <section className={styles.screen} data-look={look} aria-label={texts.phone.screen(phone.name)}>
    <div className={styles.os}>
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
    <i className={styles.home} />
  </section>
)

const OsClock = () => {
  useTick(1000)
  return <time className="num">{hourMinute(useBenchNow())}</time>
}
