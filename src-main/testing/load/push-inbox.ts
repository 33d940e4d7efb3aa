import type { Clock } from '../../core/protocol/time.ts'
import type { AppClient } from '../../phones/phone/app-client.ts'
import { createInbox } from '../../phones/phone/inbox.ts'

/** Where a phone hears of messages without scanning them. */
export type PushInbox = {
  /** Comes back once a push can arrive, or has been refused. */
  open(): Promise<void>
  /** Whether the push for this message came in time. It may have come already. */
  heard(msgId: string): Promise<boolean>
  close(): void
}

const PATIENCE_MS = 15_000
/** A push may overtake the answer that names its message. */
const MOST_EARLY = 8

export const createPushInbox = (options: {
  readonly client: AppClient
  readonly appUrl: string
  readonly token: () => string
  readonly wall: Clock
}): PushInbox => {
  const { client, appUrl, token, wall } = options
  const waiting = new Map<string, () => void>()
  const early: string[] = []
  let last: string | undefined
  const inbox = createInbox({
    client,
    wall,
    target: () => ({ url: `${appUrl}/inbox`, token: token() }),
    lastEventId: () => last,
    onPush: ({ msg_id }, eventId) => {
      last = eventId ?? last
      const tell = waiting.get(msg_id)
      if (tell !== undefined) return tell()
      early.push(msg_id)
      if (early.length > MOST_EARLY) early.shift()
    },
    onState: () => undefined,
    onRefused: () => undefined,
  })
  return {
    open: inbox.open,
    heard: (msgId) =>
      new Promise((resolve) => {
        const settle = (came: boolean): void => {
          cancel()
          waiting.delete(msgId)
          resolve(came)
        }
        const cancel = wall.at(wall.now() + PATIENCE_MS, () => settle(false))
        if (early.includes(msgId)) settle(true)
        else waiting.set(msgId, () => settle(true))
      }),
    close: () => inbox.close({ quietly: true }),
  }
}
