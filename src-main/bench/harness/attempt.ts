import { isPassingRefusal } from '../../core/contract/passing-refusal.ts'
import type { RpCare, RpDoubt, RpVerdict } from '../../core/contract/rp-care.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import { isFinal, type MessageState } from '../../core/protocol/message-state.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type { AuthenticationResult, RegistrationResult, RpRefusal } from '../../sdk/rp.ts'

/** The RP's view of one of its requests, read only over signed HTTP. */
export type Attempt = {
  readonly msg_id: string
  readonly rp: string
  readonly ceremony: MessageKind
  readonly method: 'qrcode' | 'push' | null
  readonly user_id: string
  readonly username: string
  readonly url: string
  /** Unix seconds. */
  readonly expires_at: number
  readonly started_at: Millis
  readonly status: MessageState
  readonly svc_user: string
  readonly error: string
  readonly verified_user_id: string
  readonly polls: number
  readonly polling: boolean
  readonly refusal: { readonly code: number; readonly error: string } | null
  readonly care: RpCare
  readonly made: RpVerdict
  /** The user whose account the RP shows since; empty for none. */
  readonly account: string
  readonly doubt: RpDoubt | null
}

/** After these the result may still come. */
const isPassing = ({ code }: RpRefusal): boolean => code === 0 || isPassingRefusal(code)

/** An answer to the question for the result. */
export type Read = Result<RegistrationResult | AuthenticationResult, RpRefusal>

type Polled = { readonly answer: Read | undefined; readonly decision: RpDecision; readonly isTold: boolean }

export const afterPoll = (attempt: Attempt, { answer, decision, isTold }: Polled): Attempt => {
  const { made, account = '', doubt = null } = attempt.made === 'waits' ? decision : attempt
  const after = { ...attempt, polls: attempt.polls + 1, made, account, doubt }
  const goesOn = attempt.polling && made === 'waits'
  if (answer === undefined) return { ...after, polling: goesOn }
  if (!answer.ok) {
    const { code, error } = answer.error
    return { ...after, polling: goesOn && isPassing(answer.error), refusal: { code, error } }
  }
  const { status, svc_user, error } = answer.value
  const verified = 'user_id' in answer.value ? answer.value.user_id : ''
  const polling = goesOn && (isTold || !isFinal(status))
  return { ...after, polling, status, svc_user, error, verified_user_id: verified, refusal: null }
}

export type Asked = { readonly ceremony: MessageKind; readonly user_id: string }

/** An RP's verdict on one answer, and the account that it shows from then on. */
export type RpDecision = {
  readonly made: RpVerdict
  readonly account?: string
  readonly doubt?: RpDoubt
  /** The user that the answer names instead. */
  readonly named?: string
}

export const WAITS: RpDecision = { made: 'waits' }
