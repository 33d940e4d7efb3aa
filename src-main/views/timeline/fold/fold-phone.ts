import { type EventOf, groupOf, type Timeline } from '../timeline.ts'
import { changeMessage } from './put-group.ts'

/** Which faults a phone had when it dealt with a message. */
export const foldPhone = (timeline: Timeline, { struck, phone_id: phoneId }: EventOf<'phone'>): Timeline => {
  if (struck === undefined) return timeline
  const before = groupOf(timeline, struck.msg_id)?.message?.struck
  const same = before?.phoneId === phoneId ? before.faults : []
  const faults = [...new Set([...same, ...struck.faults])]
  return changeMessage(timeline, struck.msg_id, { struck: { phoneId, faults } })
}
