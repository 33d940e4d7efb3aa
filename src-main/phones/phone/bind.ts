import type { Result } from '../../core/protocol/result.ts'
import { err, ok } from '../../core/protocol/result.ts'
import type { Bind, OpenInput } from './attempt-steps.ts'
import { type BoundMessage, parseBoundMessage } from './bound-message.ts'
import { bindBendsOf } from './faulty-bind.ts'
import type { PhoneCore } from './phone-core.ts'
import type { StruckFault } from './phone-record.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'

/** Takes the message for this phone; the faults that strike this attempt stand in between. */
export const bindMessage = (
  core: PhoneCore,
  input: OpenInput,
  struck: readonly StruckFault[],
): Promise<Result<BoundMessage, PhoneRefusal>> => {
  const honest: Bind = async () => {
    const answer = await core.call({ method: 'POST', path: `/messages/${input.msgId}/bind`, body: {} })
    if (!answer.ok) return answer
    const bound = parseBoundMessage(answer.value.data)
    return bound.ok
      ? ok(bound.value)
      : err(refusePhone('garbled', { reason: { code: 'message_lacks', params: { member: bound.error } } }))
  }
  const bends = bindBendsOf(core, input, struck)
  return bends.reduce<Bind>((next, bend) => bend(next), honest)()
}
