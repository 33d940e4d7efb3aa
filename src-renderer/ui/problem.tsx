import { CircleAlert } from 'lucide-react'
import type { ApiProblem } from '../api.ts'
import { refusalWords } from './messages.ts'
import styles from './problem.module.css'
import { texts } from './texts.ts'

export const Problem = ({ problem }: { readonly problem: ApiProblem | undefined }) =>
  problem === undefined ? null : (
    <p className={`${styles.problem} row gap-7 fail bg-fail-soft rounded-7`} role="alert">
      <CircleAlert />
      <ProblemText problem={problem} />
    </p>
  )

export const ProblemText = ({ problem }: { readonly problem: ApiProblem }) =>
  problem.kind === 'unreachable' ? texts.errors.unreachable : refusalWords(problem)
