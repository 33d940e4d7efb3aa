import type { InboxMessage } from '../../core/contract/app/routes.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { type Exact, exactly } from '../../core/protocol/result.ts'
import { unixSeconds } from '../../core/protocol/time.ts'
import type { StreamEvent } from '../../http/event-stream.ts'
import type { RequestContext, Services } from '../services.ts'
import type { CredentialRecord, MessageRecord, PushRecord, RpRecord } from '../store/store.ts'
import type { InboxStream } from './inboxes.ts'

/** A device-bound credential's push goes to its device, a cloud credential's to all devices of its account. */
export const devicesToPush = async (
  { services, workspace }: RequestContext,
  held: readonly CredentialRecord[],
): Promise<readonly string[]> => {
  const ids = new Set<string>()
  for (const { storage, device, account } of held) {
    if (storage === 'chip') ids.add(device)
    else for (const { id } of await services.store.devices.list(workspace, { account })) ids.add(id)
  }
  return [...ids]
}

type Delivered = { readonly pushes: readonly PushRecord[]; readonly message: MessageRecord; readonly rp: RpRecord }

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

/** The number of the last push that a stream sent. */
export type PushPosition = { n: number }

type Context = Pick<RequestContext, 'workspace' | 'clock'> & {
  readonly services: Pick<Services, 'store' | 'addresses' | 'observe'>
}

/** Sends open pushes after the position, which advances with each push: none is sent again after a failure. */
export const sendMissedPushes = async (
  context: Context,
  device: string,
  { stream, position }: { readonly stream: Pick<InboxStream, 'send'>; readonly position: PushPosition },
): Promise<void> => {
  const { services, workspace, clock } = context
  for (const push of await services.store.pushes.open(workspace, { device, after: position.n, now: clock.now() })) {
    const message = await services.store.messages.get(workspace, push.msg_id)
    const rp = message && (await services.store.rps.get(workspace, message.rp))
    if (message === undefined || rp === undefined) continue
    stream.send(pushEvent(push, inboxMessage(services.addresses.baseUrl(workspace), message, rp)))
    position.n = push.n
    await markSent(context, push)
  }
}

const inboxMessage = (baseUrl: string, message: MessageRecord, rp: RpRecord): Exact<InboxMessage> =>
  exactly({
    msg_id: message.id,
    url: encodeMessageAddress({ baseUrl, kind: message.kind, msgId: message.id }),
    rp: { id: rp.rp_id, name: rp.name },
    expires_at: unixSeconds(message.expires_at),
  })

const pushEvent = (push: PushRecord, message: Exact<InboxMessage>): StreamEvent => ({
  event: 'message',
  id: String(push.n),
  json: JSON.stringify(message),
})

/** Records a push as sent only once, even if a reopened inbox gets it again. */
const markSent = async ({ services, workspace, clock }: Context, { device, n, msg_id }: PushRecord): Promise<void> => {
  if (!(await services.store.pushes.markSent(workspace, { device, n, now: clock.now() }))) return
  services.observe(workspace, { actor: { kind: 'service' }, kind: 'push', msg_id, device_id: device, stage: 'sent' })
}
