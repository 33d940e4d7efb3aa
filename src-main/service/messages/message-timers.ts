import type { MessageFact, Observe } from '../../core/contract/events.ts'
import type { BackgroundTasks } from '../../core/protocol/background.ts'
import type { Log } from '../../core/protocol/log.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { errorMessage } from '../../core/protocol/message-of.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'
import type { CancelAlarm, Clock, Millis } from '../../core/protocol/time.ts'
import type { MessageRecord, Store } from '../store/store.ts'

/** Time after the expiry for which an unread result is kept. */
const KEPT_MS = 10 * 60_000

export type MessageTimers = ReturnType<typeof createMessageTimers>

type Alarm = { readonly at: Millis; readonly cancel: CancelAlarm }

/** Delay before a failed write is retried, in real time: the workspace's clock may be frozen. */
const RETRY_MS = 2_000

/** One alarm for each workspace, for the next expiry or the next removal of an expired message. */
export const createMessageTimers = (options: {
  readonly store: Store
  readonly clock: (workspace: string) => Clock
  readonly observe: Observe
  readonly baseUrl: (workspace: string) => string
  readonly background: BackgroundTasks
  readonly wall: Clock
  readonly log: Log
}) => {
  const { store, clock, observe } = options
  const alarms = new Map<string, Alarm>()
  const retries = new Map<string, CancelAlarm>()
  const failing = new Set<string>()

  const arm = (workspace: string, at: Millis): void => {
    const set = alarms.get(workspace)
    if (set !== undefined && set.at <= at) return
    set?.cancel()
    alarms.set(workspace, { at, cancel: clock(workspace).at(at, () => ring(workspace)) })
  }

  const disarm = (workspace: string): void => {
    alarms.get(workspace)?.cancel()
    alarms.delete(workspace)
    retries.get(workspace)?.()
    retries.delete(workspace)
  }

  const rearm = async (workspace: string): Promise<void> => {
    const { open, any } = await store.messages.horizon(workspace)
    disarm(workspace)
    const next = Math.min(open ?? Number.POSITIVE_INFINITY, (any ?? Number.POSITIVE_INFINITY) + KEPT_MS)
    if (Number.isFinite(next)) arm(workspace, next)
  }

  const ring = (workspace: string): void => {
    alarms.delete(workspace)
    options.background.run('message timers', () => tidy(workspace))
  }

  const tidy = (workspace: string): Promise<void> =>
    orLater(workspace, async () => {
      await expireDue(workspace)
      await store.messages.prune(workspace, clock(workspace).now() - KEPT_MS)
      await rearm(workspace)
    })

  /** Logs one line when storing begins to fail, and one when it works again. */
  const orLater = async (workspace: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      if (failing.delete(workspace)) options.log({ level: 'info', event: 'expiry stored again', workspace })
    } catch (reason) {
      retryLater(workspace)
      if (failing.has(workspace)) return
      failing.add(workspace)
      const error = errorMessage(reason)
      options.log({ level: 'error', event: 'expiry not stored', workspace, error, retry_ms: RETRY_MS })
    }
  }

  /** Without a retry, a workspace's messages would never expire after the disk was full for a moment. */
  const retryLater = (workspace: string): void => {
    const { wall } = options
    retries.get(workspace)?.()
    retries.set(
      workspace,
      wall.at(wall.now() + RETRY_MS, () => {
        disarm(workspace)
        ring(workspace)
      }),
    )
  }

  const expireDue = async (workspace: string): Promise<void> => {
    const now = clock(workspace).now()
    const due = await store.messages.due(workspace, now)
    const moved = await Promise.all(due.map((message) => store.messages.expire(workspace, message.id, now)))
    for (const [i, message] of due.entries()) {
      if (moved[i] !== true) continue
      const fact = messageFact(message, { baseUrl: options.baseUrl(workspace), from: message.state, to: 'timeout' })
      observe(workspace, { actor: { kind: 'clock' }, ...fact })
    }
  }

  return {
    /** Called for a new message: its expiry may be the next. */
    watch: arm,
    /** Called when any message may have changed (start, restore, reset). */
    rearm,
    /** Moves due messages to timeout, for readers that come before the alarm. Does not reject if the disk is full. */
    expireDue: (workspace: string): Promise<void> => orLater(workspace, () => expireDue(workspace)),
    forget: (workspace: string): void => {
      disarm(workspace)
      failing.delete(workspace)
    },
  }
}

export const messageFact = (
  message: MessageRecord,
  move: { readonly baseUrl: string; readonly from?: MessageState; readonly to: MessageState } & Partial<
    Pick<MessageRecord, 'svc_user' | 'device' | 'error' | 'credential_id'>
  >,
): MessageFact => {
  const svcUser = move.svc_user ?? message.svc_user
  const device = move.device ?? message.device
  return {
    kind: 'message',
    msg_id: message.id,
    ceremony: message.kind,
    rp_id: message.rp,
    user_id: message.user_id,
    username: message.username,
    ...(message.method === undefined ? {} : { method: message.method }),
    ...(move.from === undefined ? {} : { from: move.from }),
    to: move.to,
    url: encodeMessageAddress({ baseUrl: move.baseUrl, kind: message.kind, msgId: message.id }),
    expires_at: message.expires_at,
    ...(svcUser === '' ? {} : { svc_user: svcUser }),
    ...(device === undefined ? {} : { device_id: device }),
    ...(move.error === undefined ? {} : { error: move.error }),
    ...(move.credential_id === undefined ? {} : { credential_id: move.credential_id }),
  }
}
