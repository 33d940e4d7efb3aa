import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { createKeyedQueue } from '../../core/protocol/turns.ts'
import { eventStream, type StreamEvent } from '../../http/event-stream.ts'
import { findHeader, type RawResponse } from '../../http/message.ts'
import { observeIn, type RequestContext, type SignedIn } from '../services.ts'
import type { SharedInboxes } from '../shared/shared-inboxes.ts'
import { type PushPosition, sendMissedPushes } from './deliver-pushes.ts'
import type { InboxStream } from './inboxes.ts'
import { acceptedSignal } from './send-signals.ts'

/**
 * `GET /inbox`: the account's accepted credentials, then missed pushes, then each new one. With Last-Event-ID, the
 * pushes after that one are missed; without, every push whose message is still open.
 */
export const openInbox = async (
  context: RequestContext,
  { device, account }: SignedIn,
  headers: readonly HeaderPair[],
): Promise<RawResponse> => {
  const { services, workspace } = context
  // `device` may come from a cache, whose push_count is outdated.
  const pushCount = (await services.store.devices.get(workspace, device.id))?.push_count ?? 0
  const position: PushPosition = { n: lastSeen(context, pushCount) }
  const observeChange = (change: 'connected' | 'disconnected'): void =>
    observeIn(
      context,
      { kind: 'phone', id: device.id },
      { kind: 'device', change, device_id: device.id, account: account.id },
    )
  const { shared } = services
  if (shared !== undefined && context.request.method !== 'HEAD') await arrive(context, device.id, shared.inboxes)
  return eventStream(
    (stream) => {
      if (shared !== undefined) {
        const close = followPushes(context, device, { stream, position }, shared.inboxes)
        observeChange('connected')
        return () => {
          close()
          observeChange('disconnected')
        }
      }
      const gate = gated(stream)
      const close = services.inboxes.open(workspace, device.id, gate.stream)
      observeChange('connected')
      services.background.run('inbox', async () => {
        try {
          await sendAccepted(context, device, stream)
          await sendMissedPushes(context, device.id, { stream, position })
          gate.open(position.n)
        } catch (reason) {
          // The phone reconnects, and continues after the last push of this stream.
          stream.end()
          throw reason
        }
      })
      return () => {
        close()
        observeChange('disconnected')
      }
    },
    { headers },
  )
}

/** Awaited before the answer, so every process counts the device as listening by the time its client has the answer. */
const arrive = async (
  { workspace, request: { gone } }: RequestContext,
  device: string,
  { listeners }: SharedInboxes,
): Promise<void> => {
  const leave = await listeners.arrive({ workspace, device })
  if (gone.aborted) leave()
  else gone.addEventListener('abort', leave)
}

/** If other processes make pushes too, each inbox reads its pushes from the store, one read at a time. */
const followPushes = (
  context: RequestContext,
  device: SignedIn['device'],
  { stream, position }: { readonly stream: InboxStream; readonly position: PushPosition },
  { follow, inboxes }: SharedInboxes,
): (() => void) => {
  const { services, workspace } = context
  let open = true
  let began = false
  // Only signals pass this gate, because pushes are read from the store.
  const gate = gated(stream)
  const { inTurn } = createKeyedQueue()
  const pump = async (known: number): Promise<void> => {
    if (!open) return
    if (!began) await sendAccepted(context, device, stream)
    if (!began) gate.open(0)
    began = true
    await sendMissedPushes(context, device.id, { stream, position })
    position.n = Math.max(known, position.n)
  }
  const look = (known = 0): void => services.background.run('inbox', () => inTurn(device.id, () => pump(known)))
  const close = inboxes.open(workspace, device.id, gate.stream)
  const leave = follow({ workspace, device: device.id, position: () => position.n, look })
  look()
  return () => {
    open = false
    leave()
    close()
  }
}

const sendAccepted = async (
  context: RequestContext,
  { account }: SignedIn['device'],
  stream: InboxStream,
): Promise<void> => {
  const event = await acceptedSignal(context, account)
  if (event !== undefined) stream.send(event)
}

/** Ignores an id that this device was never given, for example after a restore. */
const lastSeen = ({ request }: RequestContext, pushCount: number): number => {
  const n = Number(findHeader(request.headers, 'last-event-id') ?? 0)
  return Number.isInteger(n) && n >= 0 && n <= pushCount ? n : 0
}

/** Delays new events while the missed pushes are read, and drops new pushes that were among the missed. */
const gated = (stream: InboxStream) => {
  let waiting: StreamEvent[] | undefined = []
  return {
    stream: {
      send: (event) => {
        if (waiting === undefined) return stream.send(event)
        waiting.push(event)
        return true
      },
      end: stream.end,
    } satisfies InboxStream,
    open: (last: number): void => {
      const held = waiting ?? []
      waiting = undefined
      for (const event of held) if (event.id === undefined || Number(event.id) > last) stream.send(event)
    },
  }
}
