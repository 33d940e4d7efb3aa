import { HandsetError } from './errors.ts'
import type { AuthenticationResult, RegistrationResult, RpRefusal } from './rp.ts'

/** The service refused a request of the RP; the code is that of the envelope, 0 where no answer came. */
export class RpError extends HandsetError<number> {
  override readonly name = 'RpError'
  readonly httpStatus: number
  /** What differs in the signature, where that is why. */
  readonly hint: string | undefined

  constructor(refusal: RpRefusal) {
    super({ ...refusal, error: refusal.hint === undefined ? refusal.error : `${refusal.error} ${refusal.hint}` })
    this.httpStatus = refusal.httpStatus
    this.hint = refusal.hint
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
