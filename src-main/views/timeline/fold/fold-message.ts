import type { BenchEvent, EventOf, MessageFact, OpinionNotice, StageEvent } from '../../../core/contract/events.ts'
import type { RowName } from '../../../core/messages/en/timeline-words.ts'
import { withoutUndefined } from '../../../core/protocol/json.ts'
import { isFinal } from '../../../core/protocol/message-state.ts'
import { Series } from '../series.ts'
import { type Group, groupOf, isRow, type Message, type Timeline } from '../timeline.ts'
import { addPending, addRow, changeMessage, laneStates, lastState, type NewRow, putGroup, putRow } from './put-row.ts'

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
    return addPending(next, event.cause, { msgId: event.msg_id, moved: event.to })
  }
  return addRow(next, group.id, {
    ...momentOf(event, `message ${event.to}`),
    ...laneStates(known?.message?.state, event.to, { ended: false, moved: event.to }),
  })
}

const momentOf = ({ seq, wall, bench }: BenchEvent, route: RowName): NewRow => ({
  id: seq,
  kind: 'moment',
  from: 'service',
  to: 'service',
  ...{ wall, bench, seqs: Series.of(seq), route, method: '', path: '' },
})

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

/** Only the fields of the fact: an absent one keeps the known value. */
const optional = ({ method, svc_user, device_id, error }: MessageFact) =>
  withoutUndefined({ method, svcUser: svc_user, deviceId: device_id, error })

export const foldDelivery = (timeline: Timeline, event: EventOf<'delivery'>): Timeline => {
  const next = changeMessage(timeline, event.msg_id, { delivered: true, unreadable: undefined })
  if (event.cause === undefined) return next
  return addPending(next, event.cause, { msgId: event.msg_id, ended: true })
}

export const foldVerdict = (timeline: Timeline, event: EventOf<'verdict'>): Timeline => {
  const disagrees = event.second_opinion?.disagrees === true
  const next = changeMessage(timeline, event.msg_id, {
    verdict: event.seq,
    ...(event.algorithm === undefined ? {} : { algorithm: event.algorithm }),
    ...(disagrees ? { disagrees } : {}),
  })
  return event.cause === undefined ? next : addPending(next, event.cause, { msgId: event.msg_id, judged: true })
}

export const foldOpinion = (timeline: Timeline, { msg_id, second_opinion }: OpinionNotice): Timeline =>
  second_opinion.disagrees === true ? changeMessage(timeline, msg_id, { disagrees: true }) : timeline

/** Stores the simulated RP's reaction to a faulty answer, which later states of the message do not change. */
export const foldDecision = (timeline: Timeline, event: EventOf<'decision'>): Timeline => {
  const { care, made, account, doubt, named } = event
  // Without `msg_id`, the RP refused to begin a request: the decision is about the last message that it requested.
  const msgId = event.msg_id ?? lastAsked(timeline, event.rp_id)
  const group = msgId === undefined ? undefined : groupOf(timeline, msgId)
  if (msgId === undefined || group?.message === undefined) return timeline
  const row = group.rows.findLast(({ from, struck }) => from === 'rp' && struck !== undefined) ?? group.rows.at(-1)
  return changeMessage(timeline, msgId, {
    told: {
      seq: row?.id ?? event.seq,
      faults: row?.struck ?? [],
      care,
      made,
      ...withoutUndefined({ account, doubt, named }),
    },
  })
}

const lastAsked = ({ groups }: Timeline, rpId: string): string | undefined =>
  groups.findLast(({ message }) => message?.rpId === rpId && message.askedBy !== undefined)?.id

export const foldPhone = (timeline: Timeline, { struck, phone_id: phoneId }: EventOf<'phone'>): Timeline => {
  if (struck === undefined) return timeline
  const before = groupOf(timeline, struck.msg_id)?.message?.struck
  const same = before?.phoneId === phoneId ? before.faults : []
  const faults = [...new Set([...same, ...struck.faults])]
  return changeMessage(timeline, struck.msg_id, { struck: { phoneId, faults } })
}

/** Adds a row after the call that caused it, although a phone may receive a push before the call's response. */
export const foldStage = (timeline: Timeline, event: StageEvent): Timeline => {
  for (const [cause, { msgId, stages }] of timeline.pending) {
    if (msgId === event.msg_id) return addPending(timeline, cause, { msgId, stages: [...stages, event] })
  }
  return addStage(timeline, event)
}

export const addStage = (timeline: Timeline, event: StageEvent): Timeline => {
  const group = groupOf(timeline, event.msg_id)
  if (group === undefined) return timeline
  const last = group.rows.at(-1)
  const state = group.message?.state
  const row: NewRow = {
    ...momentOf(event, `${event.kind} ${event.stage}` as RowName),
    ...(event.kind === 'push' ? ({ kind: 'push', to: 'phone', method: 'push', path: event.device_id } as const) : {}),
    ...laneStates(lastState(group) ?? state, state, { ended: false }),
  }
  // A push that is sent right after it was queued has one row; a push that had to wait has two.
  if (last !== undefined && isRow(last, 'push queued') && last.path === row.path) {
    return putRow(timeline, group, { ...row, id: last.id })
  }
  return addRow(timeline, group.id, row)
}
