import { CircleAlert, X } from 'lucide-react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { phoneTroubleIn } from '../../src-main/core/contract/phone-trouble.ts'
import type { ApiProblem } from '../api.ts'
import { ProblemText } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import styles from './turned-away.module.css'

type TurnedAwayProps = {
  readonly screen: ControlPhone['screen']
  readonly problem: ApiProblem | undefined
  readonly onGone: () => void
}

/** Why the phone did not do what was asked of it. What its screen says by itself is not said again. */
export const TurnedAway = ({ screen, problem, onGone }: TurnedAwayProps) => {
  if (problem === undefined) return null
  const own = problem.kind === 'refused' ? phoneTroubleIn(problem.data) : undefined
  if (own !== undefined && (screen.kind === 'problem' || screen.kind === 'refused') && screen.word === own.word) {
    return null
  }
  return (
    <div className={styles.turnedAway} data-part="phone-turned-away" role="alert">
      <CircleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
      <p>
        <ProblemText problem={problem} />
      </p>
      <button type="button" aria-label={texts.errors.dismiss} onClick={onGone}>
        <X size={13} strokeWidth={2} aria-hidden="true" />
      </button>
    </div>
  )
}
