import { QrCode, Smartphone, UserRound } from 'lucide-react'
import { profileSettings } from '../../src-main/core/contract/profile.ts'
import { ProblemText } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import rpPartsStyles from './rp-parts.module.css'
import styles from './sign-in-form.module.css'
import type { RpActions } from './use-rp-actions.ts'

type SignInFormProps = {
  readonly username: string
  readonly onUsername: (username: string) => void
  readonly registering: boolean
  readonly actions: RpActions
}

export const SignInForm = ({ username, onUsername, registering, actions }: SignInFormProps) => {
  const words = texts.rp.form
  const ready = username.trim() !== '' && !actions.busy
  return (
    <form
      className={rpPartsStyles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!ready) return
        if (registering) actions.register()
        else actions.signIn('qrcode')
      }}
    >
      <h2>{registering ? words.register : words.signIn}</h2>
      <p>{registering ? words.registerLead : words.signInLead}</p>
      <label className={styles.field}>
        <UserRound size={15} strokeWidth={1.75} aria-hidden="true" />
        <input
          aria-label={words.username}
          placeholder={words.username}
          value={username}
          maxLength={profileSettings.username_max.rule.max}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onUsername(event.target.value)}
        />
      </label>
      <button className={rpPartsStyles.button} data-part="rp-button" type="submit" disabled={!ready}>
        <QrCode size={16} strokeWidth={1.75} aria-hidden="true" />
        {registering ? words.registerButton : words.byCode}
      </button>
      {registering ? null : (
        <button
          className={rpPartsStyles.button}
          data-part="rp-button"
          data-quiet
          type="button"
          disabled={!ready}
          onClick={() => actions.signIn('push')}
        >
          <Smartphone size={16} strokeWidth={1.75} aria-hidden="true" />
          {words.byPush}
        </button>
      )}
      {actions.problem === undefined ? null : (
        <p className={rpPartsStyles.problem} role="alert">
          <ProblemText problem={actions.problem} />
        </p>
      )}
    </form>
  )
}
