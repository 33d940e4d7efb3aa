import { type EventOf, groupOf, type Timeline } from '../timeline.ts'
import { changeMessage } from './put-group.ts'

/** What the bench's own RP made of an answer that is not in order: it holds, whatever becomes of the message. */
export const foldDecision = (timeline: Timeline, event: EventOf<'decision'>): Timeline => {
  const { care, made, account, doubt, named } = event
  // An RP that refuses to begin knows no message: it is the one that was asked for last.
  const msgId = event.msg_id ?? lastAsked(timeline, event.rp_id)
  const group = msgId === undefined ? undefined : groupOf(timeline, msgId)
  if (msgId === undefined || group?.message === undefined) return timeline
  const row = group.rows.findLast(({ from, struck }) => from === 'rp' && struck !== undefined) ?? group.rows.at(-1)
  return changeMessage(timeline, msgId, {
    told: {
      seq: row?.id ?? event.seq,
      faults: row?.struck ?? [],
      care,
      makes: made,
      ...(account === undefined ? {} : { account }),
      ...(doubt === undefined ? {} : { doubt }),
      ...(named === undefined ? {} : { names: named }),
    },
  })
}

const lastAsked = ({ groups }: Timeline, rpId: string): string | undefined =>
  groups.findLast(({ message }) => message?.rpId === rpId && message.askedBy !== undefined)?.id
