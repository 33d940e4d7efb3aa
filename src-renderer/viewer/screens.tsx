import { useLayoutEffect, useMemo, useRef } from 'react'
import { encode } from 'uqr'
import type { BenchEvent, PhoneFact } from '../../src-main/core/contract/events.ts'
import { phoneText } from '../../src-main/core/messages/messages.ts'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import styles from './screens.module.css'

/** More than this are too many to look through. */
const MOST = 60

type Shown = { readonly seq: number; readonly wall: number } & (
  | { readonly code: string; readonly of: string }
  | { readonly phone: NonNullable<PhoneFact['phone']> }
)

/** Codes of an RP and screens of phones, in their order. */
export const Screens = ({ events }: { readonly events: readonly BenchEvent[] }) => {
  const shown = useMemo(() => shownIn(events).slice(-MOST), [events])
  const began = events[0]?.wall ?? 0
  const section = useRef<HTMLElement>(null)
  // The last screen is the one on which it failed.
  useLayoutEffect(() => {
    // A current Chromium returns a promise, which must not become the effect's cleanup.
    section.current?.scrollTo({ left: section.current.scrollWidth })
  }, [])
  if (shown.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section ref={section} className={styles.screens} aria-label={texts.viewer.screens} tabIndex={0}>
      {shown.map((one) => (
        <figure key={one.seq} data-code={'code' in one || undefined}>
          {'code' in one ? <Code text={one.code} /> : <PhoneCard phone={one.phone} />}
          <figcaption>
            {'code' in one ? one.of : one.phone.name} · +{((one.wall - began) / 1000).toFixed(2)} s
          </figcaption>
        </figure>
      ))}
    </section>
  )
}

const shownIn = (events: readonly BenchEvent[]): readonly Shown[] => {
  const screens = new Map<string, string>()
  return events.flatMap((event): readonly Shown[] => {
    const { seq, wall } = event
    if (event.kind === 'message' && event.from === undefined && event.method !== 'push') {
      return [{ seq, wall, code: event.url, of: event.username }]
    }
    if (event.kind !== 'phone' || event.phone === undefined) return []
    const { phone } = event
    const look = JSON.stringify(phone.screen)
    if (screens.get(phone.id) === look || phone.screen.kind === 'lock') return []
    screens.set(phone.id, look)
    return [{ seq, wall, phone }]
  })
}

const Code = ({ text }: { readonly text: string }) => {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={texts.viewer.code} shapeRendering="crispEdges">
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  )
}

const PhoneCard = ({ phone: { screen } }: { readonly phone: NonNullable<PhoneFact['phone']> }) => {
  const prompt = 'prompt' in screen ? screen.prompt : undefined
  const bad = screen.kind === 'problem' || screen.kind === 'refused'
  return (
    <div className={styles.phone} data-bad={bad || undefined}>
      <b>{texts.viewer.screen[screen.kind]}</b>
      {prompt === undefined ? null : (
        <>
          <span>{prompt.rp.name}</span>
          <span>{prompt.user.username}</span>
        </>
      )}
      {bad ? <span>{phoneText(messages, screen)}</span> : null}
    </div>
  )
}
