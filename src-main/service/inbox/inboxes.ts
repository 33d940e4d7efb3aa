import type { InboxMessage } from '../../contract/app/routes.ts'
import type { Observe } from '../../contract/events.ts'
import type { EventStream } from '../../http/event-stream.ts'
import { encodeMessageAddress } from '../../protocol/message-address.ts'
import { unixSeconds } from '../../protocol/time.ts'
import type { RequestContext } from '../services.ts'
import type { MessageRecord, PushRecord, RpRecord } from '../store/records.ts'

export type InboxStream = Pick<EventStream, 'send' | 'end'>

/** The inboxes that are open now, over all workspaces. */
export type Inboxes = {
  /** Whoever opens it gets the pushes that come from now on; returns what closes it. */
  open(workspace: string, device: string, stream: InboxStream): () => void
  isOpen(workspace: string, device: string): boolean
  /** Writes new pushes to those of their devices that listen. */
  deliver(
    context: RequestContext,
    what: { pushes: readonly PushRecord[]; message: MessageRecord; rp: RpRecord },
  ): Promise<void>
  /** Ends one device's inboxes, or a workspace's, or all. */
  end(workspace?: string, device?: string): void
}

export const createInboxes = (): Inboxes => {
  // By workspace and device: every push looks here, and there may be thousands.
  const open = new Map<string, Map<string, Set<InboxStream>>>()
  const at = (workspace: string, device: string): readonly InboxStream[] => [
    ...(open.get(workspace)?.get(device) ?? []),
  ]
  const under = (workspace: string): readonly InboxStream[] =>
    [...(open.get(workspace)?.values() ?? [])].flatMap((streams) => [...streams])

  const close = (workspace: string, device: string, stream: InboxStream): void => {
    const devices = open.get(workspace)
    const streams = devices?.get(device)
    streams?.delete(stream)
    if (streams?.size === 0) devices?.delete(device)
    if (devices?.size === 0) open.delete(workspace)
  }

  return {
    open: (workspace, device, stream) => {
      const devices = open.get(workspace) ?? new Map<string, Set<InboxStream>>()
      const streams = devices.get(device) ?? new Set<InboxStream>()
      open.set(workspace, devices.set(device, streams.add(stream)))
      return () => close(workspace, device, stream)
    },
    isOpen: (workspace, device) => at(workspace, device).length > 0,
    deliver: async (context, { pushes, message, rp }) => {
      const { services, workspace } = context
      const data = inboxMessage(services.addresses.baseUrl(workspace), message, rp)
      for (const push of pushes) {
        const listening = at(workspace, push.device)
        if (listening.length === 0) continue
        for (const stream of listening) stream.send(pushEvent(push, data))
        await markSent(context, push)
      }
    },
    end: (workspace, device) => {
      const ended =
        workspace === undefined
          ? [...open.keys()].flatMap(under)
          : device === undefined
            ? under(workspace)
            : at(workspace, device)
      for (const stream of ended) stream.end()
    },
  }
}

export const inboxMessage = (baseUrl: string, message: MessageRecord, rp: RpRecord): InboxMessage => ({
  msg_id: message.id,
  url: encodeMessageAddress({ baseUrl, kind: message.kind, msgId: message.id }),
  rp: { id: rp.rp_id, name: rp.name },
  expires_at: unixSeconds(message.expires_at),
})

export const pushEvent = (push: PushRecord, data: InboxMessage) => ({ event: 'message', id: String(push.n), data })

/** Sent once, however often it is written again to an inbox that was opened anew. */
export const markSent = async (
  {
    services,
    workspace,
    clock,
  }: { services: RequestContext['services']; workspace: string; clock: RequestContext['clock'] },
  { device, n, msg_id }: PushRecord,
): Promise<void> => {
  if (!(await services.store.pushes.markSent(workspace, { device, n, now: clock.now() }))) return
  const observe: Observe = services.observe
  observe(workspace, { actor: { kind: 'service' }, kind: 'push', msg_id, device_id: device, stage: 'sent' })
}
