import { CircleAlert } from 'lucide-react'
import type { ApiProblem } from '../api.ts'
import { texts } from './texts.ts'

/** Why something could not be done, in the bench's own sentence. */
export const Problem = ({ problem }: { readonly problem: ApiProblem | undefined }) =>
  problem === undefined ? null : (
    <p className="problem" role="alert">
      <CircleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
      {problem.kind === 'unreachable' ? texts.errors.unreachable : problem.error}
    </p>
  )
