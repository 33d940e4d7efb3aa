import type { AppData, AppInput } from '../../core/contract/app/routes.ts'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { answerHash } from '../ceremony/answer.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import { observeIn, type RequestContext } from '../services.ts'
import { boundMessage } from './current-message.ts'
import { messageFact } from './message-fact.ts'

const WORD = /^[a-z][a-z0-9_]*$/

/** Free text of a phone follows `user_rejected`, unchanged. */
const errorOf = (reason: string): string => (WORD.test(reason) ? reason : `user_rejected: ${reason}`)

export const reject = async (
  context: RequestContext,
  caller: SignedIn,
  { params: { msg_id: id }, body: { reason = 'user_rejected' } }: AppInput<'messages.reject'>,
): Promise<Result<AppData<'messages.reject'>, Refusal>> => {
  const { services, workspace, clock } = context
  const current = await boundMessage(context, caller, { id })
  if (!current.ok) return current
  const { message } = current.value
  const device = caller.device.id
  const answer_hash = answerHash({ reject: reason })
  const error = errorOf(reason)
  if (message.state === 'bind') {
    const moved = await services.store.messages.fail(workspace, id, { device, error, answer_hash, now: clock.now() })
    if (moved) {
      const baseUrl = services.addresses.baseUrl(workspace)
      observeIn(
        context,
        { kind: 'phone', id: device },
        messageFact(message, { baseUrl, from: 'bind', to: 'fail', error }),
      )
      return ok({ status: 'fail' })
    }
  }
  const now = await boundMessage(context, caller, { id })
  if (!now.ok) return now
  if (now.value.message.answer_hash !== answer_hash) return err(refuse('answered_differently'))
  return ok({ status: now.value.message.state })
}
