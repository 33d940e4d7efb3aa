import { eventStream, type StreamEvent } from '../../http/event-stream.ts'
import { headerOf, type RawResponse } from '../../http/message.ts'
import type { HeaderPair } from '../../protocol/canonical-request.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { SharedInboxes } from '../shared/shared-inboxes.ts'
import type { InboxStream } from './inboxes.ts'
import { inboxMessage, markSent, pushEvent } from './pushes.ts'

/**
 * `GET /inbox`: what was missed comes first, then each push as it comes. With Last-Event-ID, missed is what came after
 * that; without, every push whose message is still open.
 */
export const openInbox = (
  context: RequestContext,
  { device, account }: SignedIn,
  headers: readonly HeaderPair[],
): RawResponse => {
  const { services, workspace } = context
  const tell = (change: 'connected' | 'disconnected'): void =>
    observeIn(
      context,
      { kind: 'phone', id: device.id },
      { kind: 'device', change, device_id: device.id, account: account.id },
    )
  const { shared } = services
  return eventStream(
    (stream) => {
      const after = lastSeen(context, device.push_count)
      if (shared !== undefined) {
        const close = followPushes(context, device.id, { stream, after }, shared.inboxes)
        tell('connected')
        return () => {
          close()
          tell('disconnected')
        }
      }
      const gate = gated(stream)
      const close = services.inboxes.open(workspace, device.id, gate.stream)
      tell('connected')
      services.background.run('inbox', async () => gate.open(await sendMissed(context, device.id, { stream, after })))
      return () => {
        close()
        tell('disconnected')
      }
    },
    { headers },
  )
}

/** Where other processes make pushes too, each inbox reads its own from the store, one look after the other. */
const followPushes = (
  context: RequestContext,
  device: string,
  { stream, after }: { readonly stream: InboxStream; readonly after: number },
  { follow, inboxes }: SharedInboxes,
): (() => void) => {
  const { services, workspace } = context
  let position = after
  let open = true
  const pump = createTurns(async (known: number) => {
    if (!open) return
    position = Math.max(known, await sendMissed(context, device, { stream, after: position }))
  })
  const look = (known = 0): void => services.background.run('inbox', () => pump(known))
  const close = inboxes.open(workspace, device, stream)
  const leave = follow({ workspace, device, position: () => position, look })
  look()
  return () => {
    open = false
    leave()
    close()
  }
}

/** One after the other. */
const createTurns = <T>(work: (value: T) => Promise<void>): ((value: T) => Promise<void>) => {
  let last: Promise<void> = Promise.resolve()
  return (value) => {
    last = last.catch(() => undefined).then(() => work(value))
    return last
  }
}

/** An id this device was never given (after a restore, say) is no position. */
const lastSeen = ({ request }: RequestContext, pushCount: number): number => {
  const n = Number(headerOf(request.headers, 'last-event-id') ?? 0)
  return Number.isInteger(n) && n >= 0 && n <= pushCount ? n : 0
}

/** Holds back what comes while the missed ones are still being read, and leaves out what those brought already. */
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
      for (const event of held) if (Number(event.id) > last) stream.send(event)
    },
  }
}

const sendMissed = async (
  context: RequestContext,
  device: string,
  { stream, after }: { readonly stream: InboxStream; readonly after: number },
): Promise<number> => {
  const { services, workspace, clock } = context
  let last = after
  for (const push of await services.store.pushes.open(workspace, { device, after, now: clock.now() })) {
    const message = await services.store.messages.get(workspace, push.msg_id)
    const rp = message && (await services.store.rps.get(workspace, message.rp))
    if (message === undefined || rp === undefined) continue
    stream.send(pushEvent(push, inboxMessage(services.addresses.baseUrl(workspace), message, rp)))
    last = push.n
    await markSent(context, push)
  }
  return last
}
