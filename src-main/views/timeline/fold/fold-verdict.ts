import type { OpinionNotice } from '../../../core/contract/events.ts'
import type { EventOf, Timeline } from '../timeline.ts'
import { wait } from './pending.ts'
import { changeMessage } from './put-group.ts'

/** What the judge said of the answer. */
export const foldVerdict = (timeline: Timeline, event: EventOf<'verdict'>): Timeline => {
  const disagrees = event.second_opinion?.disagrees === true
  const next = changeMessage(timeline, event.msg_id, {
    verdict: event.seq,
    ...(event.algorithm === undefined ? {} : { algorithm: event.algorithm }),
    ...(disagrees ? { disagrees } : {}),
  })
  return event.cause === undefined ? next : wait(next, event.cause, { msgId: event.msg_id, judged: true })
}

/** Said later than the verdict that it is about. */
export const foldOpinion = (timeline: Timeline, { msg_id, second_opinion }: OpinionNotice): Timeline =>
  second_opinion.disagrees === true ? changeMessage(timeline, msg_id, { disagrees: true }) : timeline
