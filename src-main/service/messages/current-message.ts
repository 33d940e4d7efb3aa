import { type Refusal, refuse } from '../../core/contract/errors.ts'
import { isObject } from '../../core/protocol/json.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import type { RequestContext } from '../services.ts'
import type { MessageRecord, RpRecord } from '../store/records.ts'

export type Current = { readonly message: MessageRecord; readonly rp: RpRecord }

/** A message as it is at the current time of its workspace's clock. */
export const currentMessage = async (context: RequestContext, id: string): Promise<Result<Current, Refusal>> => {
  const { services, workspace, clock, trace } = context
  const found = await services.store.messages.get(workspace, id)
  const rp = found && (await services.store.rps.get(workspace, found.rp))
  if (found === undefined || rp === undefined) return err(refuse('message_not_found'))
  if (found.state === 'bind' && !asksItsChallenge(found))
    return err(refuse('message_not_found', { code: 'message_damaged' }))
  trace.msg_id = id
  trace.rp_id = rp.id
  const overdue = (found.state === 'init' || found.state === 'bind') && found.expires_at <= clock.now()
  if (!overdue) return ok({ message: found, rp })
  await services.timers.expireDue(workspace)
  return ok({ message: (await services.store.messages.get(workspace, id)) ?? found, rp })
}

/** False for a damaged row: it cannot be answered, and times out. */
const asksItsChallenge = ({ public_key, challenge }: MessageRecord): boolean =>
  isObject(public_key) && public_key.challenge === challenge

/** Only a message that this device has bound can be answered. Final ones too: their verdict is returned again. */
export const boundMessage = async (
  context: RequestContext,
  { device }: SignedIn,
  wanted: { readonly id: string; readonly kind?: MessageKind },
): Promise<Result<Current, Refusal>> => {
  const current = await currentMessage(context, wanted.id)
  if (!current.ok) return current
  const { message } = current.value
  if (wanted.kind !== undefined && message.kind !== wanted.kind) return err(refuse('message_not_found'))
  if (message.device !== undefined && message.device !== device.id) return err(refuse('bound_elsewhere'))
  if (message.state === 'timeout') return err(refuse('message_expired'))
  if (message.state === 'init') return err(refuse('wrong_state', { code: 'message_not_bound' }))
  return current
}
