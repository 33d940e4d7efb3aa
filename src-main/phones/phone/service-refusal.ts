import { type PhoneWord, parseReason } from '../../core/contract/errors.ts'
import type { AppAnswer } from './app-client.ts'
import { type PhoneRefusal, refusePhone } from './phone-state.ts'

/** The codes with a separate meaning for a phone; any other is shown with the service's reason. */
const WORDS: Readonly<Record<number, PhoneWord>> = {
  40110: 'signed_out',
  40301: 'bound_elsewhere',
  40402: 'message_not_found',
  40902: 'wrong_state',
  40903: 'answered_differently',
  41002: 'expired',
  41201: 'vault_conflict',
}

export const refusalOfService = (answer: AppAnswer): PhoneRefusal => {
  const word = WORDS[answer.code]
  return word === undefined
    ? refusePhone('service_refused', { reason: parseReason(answer.data.reason), code: answer.code })
    : refusePhone(word, { code: answer.code })
}

/** The answer may have arrived anyway, so that sending it again makes sense. */
export const isTransient = ({ word }: PhoneRefusal): boolean =>
  word === 'unreachable' || word === 'timed_out' || word === 'garbled' || word === 'offline'
