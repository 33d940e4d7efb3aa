import { Check, Hourglass, X } from 'lucide-react'
import { wordOf } from '../../src-main/core/contract/judge/failure-words.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import type { RpOutcome } from '../bench/words.ts'
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
      <Account
        name={shownName(message)}
        balance={isOthers(message) ? texts.rp.done.otherBalance : texts.rp.done.balance}
        onSignOut={() => onAgain(false)}
      />
    ) : (
      <Registered onSignIn={() => actions.signIn('qrcode')} busy={actions.busy} onLater={() => onAgain(false)} />
    )
  }
  const words = texts.rp.failed
  const register = message.ceremony === 'registration'
  const word = wordOf(message.error)
  const late = outcome === 'timeout'
  return (
    <div className={rpPartsStyles.outcome}>
      <span className={rpPartsStyles.sign} data-part="rp-sign" data-tone={late ? 'warn' : 'fail'}>
        {late ? (
          <Hourglass size={24} strokeWidth={1.75} aria-hidden="true" />
        ) : (
          <X size={26} strokeWidth={1.75} aria-hidden="true" />
        )}
      </span>
      <h2>{outcome === 'broke' ? words.broke : late ? words.timeout : register ? words.register : words.signIn}</h2>
      <p>
        {outcome === 'refused'
          ? doubtText(message)
          : outcome === 'broke'
            ? words.brokeLead
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

/** Why a careful RP refused the answer. */
const doubtText = ({ told, userId }: Message): string => {
  const words = texts.rp.told
  if (told?.doubt === 'other_user') return words.names(told.names ?? '', userId)
  return told?.doubt === undefined ? words.unfit : words.doubts[told.doubt]
}

/** A careless RP shows the user that the answer names. */
const isOthers = ({ told, userId }: Message): boolean => told?.account !== undefined && told.account !== userId

const shownName = (message: Message): string => (isOthers(message) ? (message.told?.account ?? '') : message.username)

type AccountProps = { readonly name: string; readonly balance: string; readonly onSignOut: () => void }

const Account = ({ name, balance, onSignOut }: AccountProps) => {
  const words = texts.rp.done
  return (
    <div className={rpPartsStyles.account}>
      <h2>{words.signedIn(name)}</h2>
      <p>{words.signedInLead}</p>
      <dl>
        <dt>{words.account}</dt>
        <dd>{balance}</dd>
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
