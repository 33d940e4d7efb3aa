import type { InboxMessage } from '../../core/contract/app/routes.ts'
import { type Exact, exactly } from '../../core/contract/schema.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { unixSeconds } from '../../core/protocol/time.ts'
import type { StreamEvent } from '../../http/event-stream.ts'
import type { RequestContext, Services } from '../services.ts'
import type { MessageRecord, PushRecord, RpRecord } from '../store/store.ts'

type Delivered = { readonly pushes: readonly PushRecord[]; readonly message: MessageRecord; readonly rp: RpRecord }

/** Writes new pushes to those of their devices that listen. */
export const deliverPushes = async (context: RequestContext, { pushes, message, rp }: Delivered): Promise<void> => {
  const { services, workspace } = context
  if (services.shared !== undefined) {
    for (const { device } of pushes) services.shared.inboxes.announce(workspace, device)
    return
  }
  const data = inboxMessage(services.addresses.baseUrl(workspace), message, rp)
  for (const push of pushes) {
    if (!services.inboxes.isOpen(workspace, push.device)) continue
    services.inboxes.send(workspace, push.device, pushEvent(push, data))
    await markSent(context, push)
  }
}

export const inboxMessage = (baseUrl: string, message: MessageRecord, rp: RpRecord): Exact<InboxMessage> =>
  exactly({
    msg_id: message.id,
    url: encodeMessageAddress({ baseUrl, kind: message.kind, msgId: message.id }),
    rp: { id: rp.rp_id, name: rp.name },
    expires_at: unixSeconds(message.expires_at),
  })

export const pushEvent = (push: PushRecord, message: Exact<InboxMessage>): StreamEvent => ({
  event: 'message',
  id: String(push.n),
  json: JSON.stringify(message),
})

/** Sent once, even if it is written again to a reopened inbox. */
export const markSent = async (
  {
    services,
    workspace,
    clock,
  }: Pick<RequestContext, 'workspace' | 'clock'> & { readonly services: Pick<Services, 'store' | 'observe'> },
  { device, n, msg_id }: PushRecord,
): Promise<void> => {
  if (!(await services.store.pushes.markSent(workspace, { device, n, now: clock.now() }))) return
  services.observe(workspace, { actor: { kind: 'service' }, kind: 'push', msg_id, device_id: device, stage: 'sent' })
}
