import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { PhoneBody } from '../phone/phone-body.tsx'
import { PhoneScreen } from '../phone/phone-screen.tsx'
import type { PhoneActions } from '../phone/use-phone-actions.ts'
import { texts } from '../ui/texts.ts'
import styles from './stage-phone.module.css'

type StagePhoneProps = {
  readonly phone: ControlPhone
  readonly actions: PhoneActions
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** Of two phones: the one that was lost, or the one that came after it. */
  readonly which?: 'lost' | 'new' | undefined
}

/** The size in which a phone is drawn before it is enlarged: small, so that its words come out large. */
const DRAWN = { width: 198, height: 404 }

/** The bench's phone under a magnifying glass. */
export const StagePhone = ({ phone, actions, canvas, which }: StagePhoneProps) => {
  const room = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  useLayoutEffect(() => {
    const element = room.current
    if (element === null) return
    const measure = () => setZoom(Math.max(0.5, element.clientHeight / DRAWN.height))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <section className={styles.phone} data-which={which} ref={room} aria-label={texts.phone.label(phone.name)}>
      {which === undefined ? null : <em className={styles.which}>{texts.presenter.which[which]}</em>}
      <div style={{ ...DRAWN, zoom }}>
        <PhoneBody>
          <PhoneScreen phone={phone} actions={actions} canvas={canvas} reasons={texts.presenter.phone} />
        </PhoneBody>
      </div>
    </section>
  )
}
