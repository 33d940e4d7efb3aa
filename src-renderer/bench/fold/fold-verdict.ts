import type { OpinionNotice } from '../../../src-main/contract/events.ts'
import { type EventOf, groupOf, type Timeline } from '../timeline.ts'
import { wait } from './pending.ts'
import { changeMessage } from './put-group.ts'

/** What the judge said of the answer, and which faults the phone had when it gave it. */
export const foldVerdict = (timeline: Timeline, event: EventOf<'verdict'>): Timeline => {
  const disagrees = event.second_opinion?.disagrees === true
  const next = changeMessage(timeline, event.msg_id, { verdict: event.seq, ...(disagrees ? { disagrees } : {}) })
  return event.cause === undefined ? next : wait(next, event.cause, { msgId: event.msg_id, judged: true })
}

/** Said later than the verdict that it is about. */
export const foldOpinion = (timeline: Timeline, { msg_id, second_opinion }: OpinionNotice): Timeline =>
  second_opinion.disagrees === true ? changeMessage(timeline, msg_id, { disagrees: true }) : timeline

type Struck = NonNullable<EventOf<'phone'>['struck']>

export const foldStruck = (timeline: Timeline, phoneId: string, { msg_id, faults, parameters }: Struck): Timeline => {
  const before = groupOf(timeline, msg_id)?.message?.struck
  const same = before?.phoneId === phoneId ? before : undefined
  const chosen = { ...same?.parameters, ...parameters }
  return changeMessage(timeline, msg_id, {
    struck: {
      phoneId,
      faults: [...new Set([...(same?.faults ?? []), ...faults])],
      ...(Object.keys(chosen).length === 0 ? {} : { parameters: chosen }),
    },
  })
}
