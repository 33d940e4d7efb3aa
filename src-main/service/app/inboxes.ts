import type { EventStream } from '../../http/event-stream.ts'
import type { InboxMessage } from '../../protocol/app-json.ts'
import type { Observe } from '../../protocol/exchange-event.ts'
import { encodeMessageAddress } from '../../protocol/message-address.ts'
import { unixSeconds } from '../../protocol/time.ts'
import type { Turn } from '../services.ts'
import type { MessageRecord, PushRecord, RpRecord } from '../store/records.ts'

/** The inboxes that are open now, over all workspaces. */
export type Inboxes = {
  /** Whoever opens it gets the pushes that come from now on; returns what closes it. */
  open(workspace: string, device: string, stream: EventStream): () => void
  isOpen(workspace: string, device: string): boolean
  /** Writes new pushes to those of their devices that listen. */
  deliver(turn: Turn, what: { pushes: readonly PushRecord[]; message: MessageRecord; rp: RpRecord }): Promise<void>
  /** Ends one device's inboxes, or a workspace's, or all. */
  end(workspace?: string, device?: string): void
}

type Open = { readonly workspace: string; readonly device: string; readonly stream: EventStream }

export const createInboxes = (): Inboxes => {
  const all = new Set<Open>()
  const of = (workspace?: string, device?: string): readonly Open[] =>
    [...all].filter(
      (open) =>
        (workspace === undefined || open.workspace === workspace) && (device === undefined || open.device === device),
    )
  return {
    open: (workspace, device, stream) => {
      const open: Open = { workspace, device, stream }
      all.add(open)
      return () => all.delete(open)
    },
    isOpen: (workspace, device) => of(workspace, device).length > 0,
    deliver: async (turn, { pushes, message, rp }) => {
      const { services, workspace } = turn
      const data = inboxMessage(services.addresses.baseUrl(workspace), message, rp)
      for (const push of pushes) {
        const listening = of(workspace, push.device)
        if (listening.length === 0) continue
        for (const { stream } of listening) stream.send(pushEvent(push, data))
        await markSent(turn, push)
      }
    },
    end: (workspace, device) => {
      for (const { stream } of of(workspace, device)) stream.end()
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
  { services, workspace, clock }: { services: Turn['services']; workspace: string; clock: Turn['clock'] },
  { device, n, msg_id }: PushRecord,
): Promise<void> => {
  if (!(await services.store.pushes.markSent(workspace, { device, n, now: clock.now() }))) return
  const observe: Observe = services.observe
  observe(workspace, { actor: { kind: 'service' }, kind: 'push', msg_id, device_id: device, stage: 'sent' })
}
