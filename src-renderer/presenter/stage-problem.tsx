import { useRef } from 'react'
import type { ApiProblem } from '../api.ts'
import { useAction } from '../palette/actions.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import styles from './stage-problem.module.css'

type StageProblemProps = { readonly problem?: ApiProblem; readonly said?: string; readonly onReset: () => void }

/** There is no stage: why, and the key that sets it up. */
export const StageProblem = ({ problem, said, onReset }: StageProblemProps) => {
  const place = useRef<HTMLDivElement>(null)
  useAction('presenter-repeat', place, onReset)
  return (
    <div className={styles.problem} ref={place}>
      {said === undefined ? null : <p role="alert">{said}</p>}
      <Problem problem={problem} />
      <Button aria-keyshortcuts="R" onClick={onReset}>
        {texts.presenter.repeat}
      </Button>
    </div>
  )
}
