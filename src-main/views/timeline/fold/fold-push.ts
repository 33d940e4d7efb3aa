import { Series } from '../series.ts'
import { type EventOf, groupOf, type Timeline } from '../timeline.ts'
import { wait } from './pending.ts'
import { addRow, type Draft, lastState, putRow, ribbon } from './put-row.ts'

/** A push is drawn after the call that asked for it, though the phone may have it before that call is answered. */
export const foldPush = (timeline: Timeline, event: EventOf<'push'>): Timeline => {
  for (const [cause, { msgId, pushes }] of timeline.pending) {
    if (msgId === event.msg_id) return wait(timeline, cause, { msgId, pushes: [...pushes, event] })
  }
  return addPush(timeline, event)
}

export const addPush = (timeline: Timeline, event: EventOf<'push'>): Timeline => {
  const group = groupOf(timeline, event.msg_id)
  if (group === undefined) return timeline
  const last = group.rows.at(-1)
  const state = group.message?.state
  const row: Draft = {
    id: event.seq,
    kind: 'push',
    from: 'service',
    to: 'phone',
    wall: event.wall,
    bench: event.bench,
    seqs: Series.of(event.seq),
    route: `push ${event.stage}`,
    method: 'push',
    path: event.device_id,
    ...ribbon(lastState(group) ?? state, state, { ended: false }),
  }
  // A push that leaves at once is one row; one that had to wait is two.
  if (last?.route === 'push queued' && last.path === event.device_id) {
    return putRow(timeline, group, { ...row, id: last.id })
  }
  return addRow(timeline, group.id, row)
}
