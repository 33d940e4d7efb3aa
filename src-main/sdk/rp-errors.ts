import type { RpClientProblem } from '../core/contract/rp-client-problems.ts'
import { rpProblemText } from '../core/messages/en/rp-client.ts'
import { HandsetError } from './errors.ts'
import type { AuthenticationResult, RegistrationResult, RpRefusal } from './rp.ts'

/** The service refused a request of the RP; the code is that of the envelope, 0 where no answer came. */
export class RpError extends HandsetError<number> {
  override readonly name = 'RpError'
  readonly httpStatus: number
  /** What the client found out by itself, as a code with its values: what differs in the signature, why no answer came. */
  readonly problem: RpClientProblem | undefined

  constructor({ problem, ...refusal }: RpRefusal) {
    const more = problem === undefined || refusal.code === 0 ? '' : ` ${rpProblemText(problem)}`
    super({ ...refusal, error: `${refusal.error}${more}` })
    this.httpStatus = refusal.httpStatus
    this.problem = problem
  }
}

/** A result is not the success that was expected. The code is `timeout`, or the machine word of the failure. */
export class ResultError extends HandsetError<string> {
  override readonly name = 'ResultError'
  readonly came: RegistrationResult | AuthenticationResult

  constructor(msgId: string, came: RegistrationResult | AuthenticationResult) {
    const word = came.status === 'fail' ? (came.error.split(':')[0] ?? '') : came.status
    const why = came.status === 'fail' ? `failed: ${came.error}` : 'expired before it was answered.'
    super({ code: word, error: `The message ${msgId} ${why}`, data: came })
    this.came = came
  }
}
