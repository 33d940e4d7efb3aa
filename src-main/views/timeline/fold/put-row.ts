import type { EventOf } from '../../../core/contract/events.ts'
import type { MessageState } from '../../../core/protocol/message-state.ts'
import {
  type Group,
  groupOf,
  internLook,
  isPoll,
  type Message,
  type PendingEffects,
  type Row,
  type Timeline,
} from '../timeline.ts'

export type NewRow = Omit<Row, 'look'>

/** Adds the row, or folds it into the previous row if both are the same call with the same outcome. */
export const addRow = (timeline: Timeline, groupId: string, row: NewRow): Timeline => {
  const group = groupOf(timeline, groupId)
  if (group === undefined) return timeline
  const last = group.rows.at(-1)
  if (last !== undefined && isSamePoll(last, row)) {
    return putRow(timeline, group, {
      ...row,
      id: last.id,
      wall: last.wall,
      seqs: last.seqs.append(row.seqs.at(-1) ?? row.id),
      ...(last.before === undefined ? {} : { before: last.before }),
    })
  }
  const next = putGroup(timeline, { ...group, rows: group.rows.append(looking(row)) })
  next.places.ofRow.set(row.id, next.places.ofGroup.get(groupId) ?? -1)
  return next
}

/** A poll affected by a fault gets its own row. */
const isSamePoll = (last: NewRow, row: NewRow): boolean =>
  isPoll(row) &&
  isPoll(last) &&
  last.route === row.route &&
  last.code === row.code &&
  last.struck === undefined &&
  row.struck === undefined

export const putRow = (timeline: Timeline, group: Group, row: NewRow): Timeline =>
  putGroup(timeline, { ...group, rows: group.rows.put(group.rows.end - 1, looking(row)) })

/** Adds the row's look and shares its strings, so that a hundred thousand rows do not each have copies. */
const looking = (row: NewRow): Row => {
  const look = internLook(row)
  return { ...row, route: look.route, method: look.method, path: look.path, look }
}

/** The message’s lane next to a row. */
export const laneStates = (
  before: MessageState | undefined,
  after: MessageState | undefined,
  { ended, moved }: { readonly ended: boolean; readonly moved?: MessageState | undefined },
): Pick<Row, 'before' | 'after' | 'moved'> => ({
  ...(before === undefined ? {} : { before }),
  ...(ended || after === undefined ? {} : { after }),
  ...(moved === undefined ? {} : { moved }),
})

export const lastState = (group: Group): MessageState | undefined => group.rows.at(-1)?.after

export const putGroup = (timeline: Timeline, group: Group): Timeline => {
  const { groups, places } = timeline
  const known = groupOf(timeline, group.id) !== undefined
  const place = known ? (places.ofGroup.get(group.id) ?? groups.end) : groups.end
  places.ofGroup.set(group.id, place)
  const device = group.message?.deviceId
  if (device !== undefined && place > (places.ofDevice.get(device) ?? -1)) places.ofDevice.set(device, place)
  return { ...timeline, touched: group.id, groups: known ? groups.put(place, group) : groups.append(group) }
}

export const changeMessage = (timeline: Timeline, msgId: string, change: Partial<Message>): Timeline => {
  const group = groupOf(timeline, msgId)
  if (group?.message === undefined) return timeline
  return putGroup(timeline, { ...group, message: { ...group.message, ...change } })
}

/** Evicts the oldest groups if there are too many exchanges. */
export const evictOldest = (timeline: Timeline): Timeline => {
  const oldest = timeline.groups.at(0)
  if (timeline.exchanges - timeline.left <= timeline.most || oldest === undefined || timeline.groups.length === 1) {
    return timeline
  }
  const { ofGroup, ofRow } = timeline.places
  ofGroup.delete(oldest.id)
  let left = timeline.left
  for (const row of oldest.rows) {
    ofRow.delete(row.id)
    if (row.kind === 'exchange') left += row.seqs.length
  }
  const groups = timeline.groups.shift()
  const from = Math.max(timeline.from ?? 0, groups.at(0)?.seq ?? 0)
  return evictOldest({ ...timeline, groups, left, from })
}

/** A call's message: reported by the service, from the call's address, or that of the calling phone. */
export const messageOfCall = (timeline: Timeline, exchange: EventOf<'exchange'>): string | undefined => {
  if (exchange.msg_id !== undefined) return exchange.msg_id
  const named = /[?&](?:msg_id|id)=([\w-]+)|\/messages\/([\w-]+)\//.exec(exchange.request.target)
  const msgId = named?.[1] ?? named?.[2]
  if (msgId !== undefined) return msgId
  // A phone's call to its vault in the middle of a ceremony is part of it.
  if (exchange.device_id === undefined || !/\/vault\b/.test(exchange.request.target)) return undefined
  const bound = timeline.groups.get(timeline.places.ofDevice.get(exchange.device_id) ?? -1)
  if (bound?.message?.deviceId !== exchange.device_id) return undefined
  return bound.message.delivered === false && bound.message.state !== 'timeout' ? bound.id : undefined
}

/** Keeps the effects of an exchange until the exchange itself arrives. */
export const addPending = (
  timeline: Timeline,
  cause: string,
  more: Partial<PendingEffects> & Pick<PendingEffects, 'msgId'>,
): Timeline => {
  const before = timeline.pending.get(cause) ?? { ended: false, stages: [] }
  return { ...timeline, pending: new Map(timeline.pending).set(cause, { ...before, ...more }) }
}

export const removePending = (pending: Timeline['pending'], id: string): Timeline['pending'] => {
  if (!pending.has(id)) return pending
  const rest = new Map(pending)
  rest.delete(id)
  return rest
}
