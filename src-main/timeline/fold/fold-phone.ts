import { type EventOf, groupOf, type Happening, type Timeline } from '../timeline.ts'
import { changeMessage } from './put-group.ts'

/** Of an attempt that a fault struck it is kept what the phone did; a phone that tries for ever is not kept for ever. */
const MOST_HAPPENINGS = 32

/** Which faults a phone had when it dealt with a message, and what it did from then on. */
export const foldPhone = (timeline: Timeline, event: EventOf<'phone'>): Timeline => {
  const { act, struck, phone_id: phoneId, seq, bench } = event
  const msgId = struck?.msg_id ?? act?.msg_id
  if (msgId === undefined) return timeline
  const before = groupOf(timeline, msgId)?.message?.struck
  const same = before?.phoneId === phoneId ? before : undefined
  if (struck === undefined && same === undefined) return timeline
  const happening: Happening = { seq, bench, ...(act === undefined ? {} : { act }), ...(struck && { struck }) }
  return changeMessage(timeline, msgId, {
    struck: {
      phoneId,
      faults: [...new Set([...(same?.faults ?? []), ...(struck?.faults ?? [])])],
      course: [...(same?.course ?? []), happening].slice(0, MOST_HAPPENINGS),
    },
  })
}
