import type { MessageFact } from '../../../core/contract/events.ts'
import { isFinal } from '../../../core/protocol/message-state.ts'
import { Series } from '../series.ts'
import { type EventOf, type Group, groupOf, type Message, type Timeline } from '../timeline.ts'
import { wait } from './pending.ts'
import { changeMessage, putGroup } from './put-group.ts'
import { addRow, ribbon } from './put-row.ts'

/** A state of a message, whether it is new or has moved. */
export const foldMessage = (timeline: Timeline, event: EventOf<'message'>): Timeline => {
  const known = groupOf(timeline, event.msg_id)
  const message = messageAfter(known?.message, event)
  const group: Group =
    known === undefined
      ? {
          ...{ id: event.msg_id, seq: event.seq, wall: event.wall, bench: event.bench, rows: Series.of(), message },
          ...(event.from === undefined ? {} : { cut: true }),
        }
      : { ...known, message }
  const next = putGroup(timeline, group)
  if (event.cause !== undefined && event.actor.kind !== 'clock') {
    return wait(next, event.cause, { msgId: event.msg_id, moved: event.to })
  }
  return addRow(next, group.id, {
    id: event.seq,
    kind: 'moment',
    from: 'service',
    to: 'service',
    wall: event.wall,
    bench: event.bench,
    seqs: Series.of(event.seq),
    route: `message ${event.to}`,
    method: '',
    path: '',
    ...ribbon(known?.message?.state, event.to, { ended: false, moved: event.to }),
  })
}

const messageAfter = (before: Message | undefined, event: EventOf<'message'>): Message => ({
  ...(before ?? { startedWall: event.wall, startedBench: event.bench, delivered: false }),
  msgId: event.msg_id,
  ceremony: event.ceremony,
  rpId: event.rp_id,
  userId: event.user_id,
  username: event.username,
  url: event.url,
  expiresAt: event.expires_at,
  state: event.to,
  ...optional(event),
  ...(isFinal(event.to) ? { endedWall: event.wall } : {}),
})

/** Only what the fact says: an absent field leaves what was known before. */
const optional = (fact: MessageFact) => ({
  ...(fact.method === undefined ? {} : { method: fact.method }),
  ...(fact.svc_user === undefined ? {} : { svcUser: fact.svc_user }),
  ...(fact.device_id === undefined ? {} : { deviceId: fact.device_id }),
  ...(fact.error === undefined ? {} : { error: fact.error }),
  ...(fact.credential_id === undefined ? {} : { credentialId: fact.credential_id }),
})

/** The RP has read how it ended. */
export const foldDelivery = (timeline: Timeline, event: EventOf<'delivery'>): Timeline => {
  const next = changeMessage(timeline, event.msg_id, { delivered: true, unreadable: undefined })
  if (event.cause === undefined) return next
  return wait(next, event.cause, { msgId: event.msg_id, ended: true })
}
