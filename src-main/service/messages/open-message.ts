import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { MessageAddressData } from '../../core/contract/rp/routes.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { makeMessageId } from '../../core/protocol/ids.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { unixSeconds } from '../../core/protocol/time.ts'
import { deliverPushes } from '../inbox/deliver-pushes.ts'
import { observeIn, type RequestContext, streamIn } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'
import type { MessageRecord } from '../store/records.ts'
import { withinQuota } from '../workspaces/quotas.ts'
import { messageFact } from './message-fact.ts'

export type NewMessage = Pick<
  MessageRecord,
  'kind' | 'method' | 'user_id' | 'username' | 'display_name' | 'credential_name'
> & { readonly pushTo: readonly string[] }

/** Makes a message in state init, and pushes it to these devices. */
export const openMessage = async (
  context: RequestContext,
  { rp }: Caller,
  wanted: NewMessage,
): Promise<Result<MessageAddressData, Refusal>> => {
  const { services, workspace } = context
  const { pushTo, ...fields } = wanted
  const now = context.clock.now()
  const message: MessageRecord = {
    ...fields,
    id: makeMessageId(streamIn(context, rp.id, 'message id')),
    rp: rp.id,
    challenge: toBase64url(streamIn(context, rp.id, 'challenge').bytes(32)),
    state: 'init',
    svc_user: '',
    error: '',
    created_at: now,
    // A whole second, so that the message ends exactly at the time that the RP reads.
    expires_at: (unixSeconds(now) + context.profile.message_ttl_s) * 1000,
  }
  context.trace.msg_id = message.id
  const counts = message.kind === 'registration' ? REGISTRATION_COUNTS : SIGN_IN_COUNTS
  const inserted = await withinQuota(services, { workspace, counts }, async () => {
    const pushes = await services.store.messages.insert(workspace, message, pushTo)
    // The RP was deleted since its signature was verified, and its keys with it.
    return pushes === undefined ? err(refuse('unknown_access_key')) : ok(pushes)
  })
  if (!inserted.ok) return inserted
  const pushes = inserted.value
  services.timers.watch(workspace, message.expires_at)
  const baseUrl = services.addresses.baseUrl(workspace)
  observeIn(context, { kind: 'rp', id: rp.id }, messageFact(message, { baseUrl, to: 'init' }))
  for (const { device } of pushes) {
    observeIn(context, { kind: 'service' }, { kind: 'push', msg_id: message.id, device_id: device, stage: 'queued' })
  }
  await deliverPushes(context, { pushes, message, rp })
  const url = encodeMessageAddress({ baseUrl, kind: message.kind, msgId: message.id })
  return ok({ url, expires_at: unixSeconds(message.expires_at) })
}

const REGISTRATION_COUNTS = ['messages', 'credentials'] as const
const SIGN_IN_COUNTS = ['messages'] as const
