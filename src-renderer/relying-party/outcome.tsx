import { Check, Hourglass, X } from 'lucide-react'
import { wordOf } from '../../src-main/contract/judge/failure-words.ts'
import type { Message } from '../../src-main/timeline/timeline.ts'
import type { RpOutcome } from '../bench/outcome-of.ts'
import { texts } from '../ui/texts.ts'
import rpPartsStyles from './rp-parts.module.css'
import type { RpActions } from './use-rp-actions.ts'

type OutcomeProps = {
  readonly message: Message
  readonly outcome: RpOutcome
  readonly actions: RpActions
  readonly onAgain: (register: boolean) => void
}

/** How it ended, as the bank would say it. */
export const Outcome = ({ message, outcome, actions, onAgain }: OutcomeProps) => {
  if (outcome === 'success') {
    return message.ceremony === 'authentication' ? (
      <Account name={message.username} onSignOut={() => onAgain(false)} />
    ) : (
      <Registered onSignIn={() => actions.signIn('qrcode')} busy={actions.busy} onLater={() => onAgain(false)} />
    )
  }
  const words = texts.rp.failed
  const register = message.ceremony === 'registration'
  const word = wordOf(message.error)
  const late = outcome === 'timeout'
  const { told } = message
  return (
    <div className={rpPartsStyles.outcome}>
      <span className={rpPartsStyles.sign} data-part="rp-sign" data-tone={late ? 'warn' : 'fail'}>
        {late ? (
          <Hourglass size={24} strokeWidth={1.75} aria-hidden="true" />
        ) : (
          <X size={26} strokeWidth={1.75} aria-hidden="true" />
        )}
      </span>
      <h2>{late ? words.timeout : register ? words.register : words.signIn}</h2>
      <p>
        {outcome === 'refused'
          ? told?.names === undefined
            ? texts.rp.told.unfit
            : texts.rp.told.names(told.names, message.userId)
          : late
            ? words.timeoutLead
            : (words.reasons[word] ?? words.otherReason)}
      </p>
      <button
        className={rpPartsStyles.button}
        data-part="rp-button"
        type="button"
        disabled={actions.busy}
        onClick={() => (register ? actions.register() : actions.signIn(message.method ?? 'qrcode'))}
      >
        {words.tryAgain}
      </button>
      <button className={rpPartsStyles.link} type="button" onClick={() => onAgain(register)}>
        {words.otherWay}
      </button>
    </div>
  )
}

type RegisteredProps = { readonly onSignIn: () => void; readonly busy: boolean; readonly onLater: () => void }

const Registered = ({ onSignIn, busy, onLater }: RegisteredProps) => {
  const words = texts.rp.done
  return (
    <div className={rpPartsStyles.outcome}>
      <span className={rpPartsStyles.sign} data-part="rp-sign" data-tone="ok">
        <Check size={28} strokeWidth={2} aria-hidden="true" />
      </span>
      <h2>{words.registered}</h2>
      <p>{words.registeredLead}</p>
      <button className={rpPartsStyles.button} data-part="rp-button" type="button" disabled={busy} onClick={onSignIn}>
        {words.signInNow}
      </button>
      <button className={rpPartsStyles.link} type="button" onClick={onLater}>
        {texts.phone.done}
      </button>
    </div>
  )
}

const Account = ({ name, onSignOut }: { readonly name: string; readonly onSignOut: () => void }) => {
  const words = texts.rp.done
  return (
    <div className={rpPartsStyles.account}>
      <h2>{words.signedIn(name)}</h2>
      <p>{words.signedInLead}</p>
      <dl>
        <dt>{words.account}</dt>
        <dd>{words.balance}</dd>
      </dl>
      <ul>
        {words.items.map(({ what, amount }) => (
          <li key={what}>
            <span>{what}</span>
            <span className="num">{amount}</span>
          </li>
        ))}
      </ul>
      <button className={rpPartsStyles.button} data-part="rp-button" data-quiet type="button" onClick={onSignOut}>
        {words.signOut}
      </button>
    </div>
  )
}
