import { X } from 'lucide-react'
import { errors } from '../../src-main/core/contract/errors.ts'
import type { RpView } from '../bench/rp-view.ts'
import { refusalWords } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import rpFootStyles from './rp-foot.module.css'
import rpPartsStyles from './rp-parts.module.css'

type TurnedDownProps = {
  readonly view: Extract<RpView, { kind: 'turned-down' }>
  readonly onAgain: (register: boolean) => void
  readonly onRegister: () => void
  readonly busy: boolean
  readonly onWhy: () => void
}

/** The service made no message at all: the RP tells its user what it can, and the code for who tests it. */
export const TurnedDown = ({ view, onAgain, onRegister, busy, onWhy }: TurnedDownProps) => {
  const words = texts.rp
  const signedWrong = view.code === errors.signature_mismatch.code
  const unknownUser = view.code === 40403
  const noKey = view.unread === true && view.code === errors.unknown_access_key.code
  return (
    <>
      <div className={rpPartsStyles.outcome}>
        <span className={rpPartsStyles.sign} data-part="rp-sign" data-tone="fail">
          <X size={26} strokeWidth={1.75} aria-hidden="true" />
        </span>
        <h2>{view.registering ? words.failed.register : words.failed.signIn}</h2>
        <p>{view.unread === true ? words.unread : (words.turnedDown[view.code] ?? words.turnedDownOther)}</p>
        <button
          className={rpPartsStyles.button}
          data-part="rp-button"
          type="button"
          disabled={busy}
          onClick={unknownUser ? onRegister : () => onAgain(view.registering)}
        >
          {unknownUser ? words.goRegister : words.failed.tryAgain}
        </button>
      </div>
      <footer className={rpFootStyles.foot}>
        <p role="status">
          <code>{view.code}</code>{' '}
          {refusalWords({ code: view.code, ...(signedWrong ? {} : { data: { reason: view.reason } }) })}
          {noKey ? <> {words.activeKey}</> : null}
          {unknownUser ? null : (
            <button type="button" className={rpPartsStyles.why} onClick={onWhy}>
              {words.failed.why}
            </button>
          )}
        </p>
      </footer>
    </>
  )
}
