import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { Reason } from '../../core/contract/reasons.ts'
import { isObject } from '../../core/protocol/json.ts'
import { err } from '../../core/protocol/result.ts'
import type { RawResponse } from '../../http/message.ts'
import { applyLoss } from '../conditions/apply-conditions.ts'
import { codeOf, recordExchange, respond } from '../request/record-exchange.ts'
import type { RequestContext } from '../services.ts'

/** Our own answer in place of the target's. */
export const refused = (side: 'rp' | 'app', context: RequestContext, refusal: Refusal): RawResponse => {
  const result = err(refusal)
  const response = respond(result, context.profile)
  recordExchange(side, context, { response, code: codeOf(result) })
  return applyLoss(context, response)
}

export const refusalOfTarget = (reason: Reason): Refusal =>
  refuse(reason.code === 'target_silent' ? 'target_silent' : 'target_failed', reason)

/** Without an envelope, the code is made from the status, as an envelope's would begin. */
export const codeHeard = (envelope: unknown, status: number): number => {
  const code = isObject(envelope) ? envelope.code : undefined
  if (typeof code === 'number' && Number.isSafeInteger(code) && code >= 0) return code
  return status < 400 ? 0 : status * 100
}
