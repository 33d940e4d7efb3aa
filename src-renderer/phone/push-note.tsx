import { X } from 'lucide-react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { useBenchNow, useBenchPart } from '../bench/use-bench.ts'
import { rpVariant } from '../bench/words.ts'
import { RpMark } from '../ui/marks.tsx'
import { texts } from '../ui/texts.ts'
import styles from './push-note.module.css'
import type { PhoneActions } from './use-phone-actions.ts'

type PushNoteProps = {
  readonly push: ControlPhone['notifications'][number]
  readonly actions: PhoneActions
  /** One line, so that the text below can still be read. */
  readonly slim?: boolean
}

/** A push that slid in: opens the request, or is swiped away. */
export const PushNote = ({ push, actions, slim = false }: PushNoteProps) => {
  const words = texts.phone
  const rps = useBenchPart((state) => state.rps)
  const now = useBenchNow()
  return (
    <div className={`${styles.note} small`} data-slim={slim || undefined}>
      <button type="button" aria-label={words.openPush(push.rp.name)} onClick={() => actions.open(push.msg_id)}>
        <span>
          <RpMark variant={rpVariant(rps, push.rp.id)} size={15} />
          {slim ? <b>{words.pushTitle(push.rp.name)}</b> : words.app}
          <small>{ago(now - push.arrived_at)}</small>
        </span>
        {slim ? null : (
          <>
            <b>{words.pushTitle(push.rp.name)}</b>
            {words.pushBody}
          </>
        )}
      </button>
      <button
        type="button"
        className={`${styles.dismiss} centred`}
        aria-label={words.dismissPush(push.rp.name)}
        onClick={() => actions.dismiss(push.msg_id)}
      >
        <X size={12} strokeWidth={2} aria-hidden="true" />
      </button>
    </div>
  )
}

const ago = (ms: number): string => (ms < 60_000 ? texts.phone.now : texts.phone.ago(Math.floor(ms / 60_000)))
