import { isPassingRefusal } from '../../core/contract/passing-refusal.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import type { RpAnswer } from '../../sdk/rp.ts'
import { type Asked, type RpDecision, WAITS } from './rp-answer.ts'
import { parseStrictly } from './strict-json.ts'

/** By the rules of docs/interface/relying-party.md: what cannot be believed is no result, and a success that breaks them is refused. */
export const decideCarefully = (asked: Asked, answer: RpAnswer | undefined): RpDecision => {
  const envelope = answer === undefined ? undefined : parseStrictly(answer.body)
  if (!isObject(envelope) || !Number.isInteger(envelope.code)) return WAITS
  if (envelope.code !== 0) return isPassingRefusal(Number(envelope.code)) ? WAITS : { made: 'fail' }
  if (answer?.httpStatus !== 200 || !isObject(envelope.data)) return WAITS
  const { status } = envelope.data
  if (status === 'fail' || status === 'timeout') return { made: status }
  return status === 'success' ? judged(asked, envelope.data) : WAITS
}

const judged = ({ ceremony, user_id }: Asked, { user_id: named, svc_user, error = '' }: JsonObject): RpDecision => {
  if (ceremony === 'authentication' && named !== user_id) {
    return typeof named === 'string' && named !== ''
      ? { made: 'refused', doubt: 'other_user', named }
      : { made: 'refused', doubt: 'no_user' }
  }
  if (typeof svc_user !== 'string' || svc_user === '') return { made: 'refused', doubt: 'unscanned' }
  if (error !== '') return { made: 'refused', doubt: 'error_with_success' }
  return { made: 'success', account: user_id }
}
