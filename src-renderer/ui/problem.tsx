import { CircleAlert } from 'lucide-react'
import type { ApiProblem } from '../api.ts'
import styles from './problem.module.css'
import { saidRefusal } from './service-words.ts'
import { texts } from './texts.ts'

/** Why something could not be done, in the bench's own sentence. */
export const Problem = ({ problem }: { readonly problem: ApiProblem | undefined }) =>
  problem === undefined ? null : (
    <p className={styles.problem} role="alert">
      <CircleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
      <ProblemText problem={problem} />
    </p>
  )

/** The sentence alone, in the language of the page; its particulars are as the bench said them. */
export const ProblemText = ({ problem }: { readonly problem: ApiProblem }) =>
  problem.kind === 'unreachable' ? texts.errors.unreachable : <RefusalText {...problem} />

export const RefusalText = (refusal: Parameters<typeof saidRefusal>[0]) => {
  const { sentence, detail } = saidRefusal(refusal)
  return (
    <>
      <span {...sentence} />
      {detail === undefined ? null : (
        <>
          {' '}
          <span {...detail} />
        </>
      )}
    </>
  )
}
