import { Check, X } from 'lucide-react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { phoneText } from '../../src-main/core/messages/phone-text.ts'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import phoneButtonStyles from './phone-button.module.css'
import styles from './result-screen.module.css'

type ResultScreenProps = {
  readonly screen: Extract<ControlPhone['screen'], { kind: 'success' | 'refused' | 'problem' }>
  /** In the place of the phone's own sentences. */
  readonly reasons?: Readonly<Record<string, string>> | undefined
  readonly onDone: () => void
}

/** How it ended, with the sentence that the phone was given. */
export const ResultScreen = ({ screen, reasons = {}, onDone }: ResultScreenProps) => {
  const good = screen.kind === 'success'
  return (
    <div className={styles.result} data-good={good || undefined}>
      <span className={styles.sign}>
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
