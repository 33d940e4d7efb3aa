import { isObject } from '../../protocol/json.ts'
import { jsonMember } from '../json-member.ts'
import { routeOf } from '../route-name.ts'
import { type EventOf, groupOf, type Message, type Timeline, type Told } from '../timeline.ts'
import { READS } from './fold-request.ts'
import { changeMessage } from './put-group.ts'

/** A result that was read of the bench's own RP: what a fault made of it holds until the RP reads an honest one. */
export const foldTold = (timeline: Timeline, event: EventOf<'exchange'>, msgId: string): Timeline => {
  const message = groupOf(timeline, msgId)?.message
  if (event.asked_by === undefined || message === undefined || !READS.test(routeOf(event))) return timeline
  if (event.faults !== undefined) return changeMessage(timeline, msgId, { told: toldBy(event, message) })
  return message.told === undefined || event.response.code !== 0
    ? timeline
    : changeMessage(timeline, msgId, { told: undefined })
}

/** By docs/interface/relying-party.md, rule 1. */
const toldBy = ({ seq, faults = [], response }: EventOf<'exchange'>, message: Message): Told => {
  const answer = response.status === 200 && jsonMember(response.body, 'code') === 0
  const data = answer ? jsonMember(response.body, 'data') : undefined
  const { status, user_id: named, svc_user: by, error = '' } = isObject(data) ? data : {}
  const isOther = message.ceremony === 'authentication' && named !== message.userId
  const fits = typeof by === 'string' && by !== '' && error === '' && !isOther
  const makes =
    status === 'success' ? (fits ? status : 'refused') : status === 'fail' || status === 'timeout' ? status : 'nothing'
  return {
    seq,
    faults: faults.map(({ fault }) => fault),
    makes,
    ...(status === 'success' && isOther && typeof named === 'string' ? { names: named } : {}),
  }
}
