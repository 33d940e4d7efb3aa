import { Ban, Lock, LogOut, WifiOff } from 'lucide-react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { useBenchNow } from '../bench/use-bench.ts'
import { hourMinute, longDay } from '../ui/format.ts'
import { useTick } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import styles from './lock-screen.module.css'
import { PushNote } from './push-note.tsx'
import type { PhoneActions } from './use-phone-actions.ts'

type LockScreenProps = { readonly phone: ControlPhone; readonly actions: PhoneActions }

/** How many pushes are drawn before the rest becomes a number. */
const SHOWN = 2

export const LockScreen = ({ phone, actions }: LockScreenProps) => {
  useTick(1000)
  const now = useBenchNow()
  const words = texts.phone
  const pushes = phone.notifications.slice(0, SHOWN)
  const hidden = phone.notifications.length - pushes.length
  return (
    <div className={`${styles.lock} column grow`}>
      <Ridges />
      <time className={styles.time}>{hourMinute(now)}</time>
      <p className={styles.day}>{longDay(now)}</p>
      <ul className={`${styles.pushes} grid`}>
        {pushes.map((push) => (
          <li key={push.msg_id}>
            <PushNote push={push} actions={actions} />
          </li>
        ))}
        {hidden > 0 ? <li className={`${styles.more} tiny`}>{words.more(hidden)}</li> : null}
      </ul>
      <Standing phone={phone} />
    </div>
  )
}

/** The phone's state when it has no request. */
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
    <p className={`${styles.foot} row rigid tiny`}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      {text}
    </p>
  )
}

const Ridges = () => (
  <svg className={styles.ridges} viewBox="0 0 220 200" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 90C40 60 70 96 110 70S180 40 220 66V200H0z" fill="#1c2433" opacity=".35" />
    <path d="M0 132C50 104 84 140 128 116S190 104 220 122V200H0z" fill="#171d2a" opacity=".55" />
    <path d="M0 170C60 148 100 176 150 158S200 160 220 158V200H0z" fill="#11151e" opacity=".8" />
  </svg>
)
