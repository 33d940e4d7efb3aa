import { isPassingRefusal } from '../../../core/contract/passing-refusal.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { jsonMember, jsonText, reasonIn } from '../json-member.ts'
import { routeOf } from '../route-name.ts'
import { type EventOf, groupOf, type Refusal, requestKey, type Timeline } from '../timeline.ts'
import { changeMessage } from './put-group.ts'

/** Calls by which an RP asks for a registration or a sign-in. */
export const ASKS = /rp\/(attestation|assertion)\/options$/

/** Calls by which it asks for the result. */
export const READS = /rp\/(attestation|assertion)\/result$/

/** Notes who asked for a message: its events before this call do not say. */
export const foldAsked = (timeline: Timeline, event: EventOf<'exchange'>, msgId: string): Timeline => {
  const message = groupOf(timeline, msgId)?.message
  if (event.asked_by === undefined || message === undefined || !ASKS.test(routeOf(event))) return timeline
  // What the RP shows is what it was told, not what the service means.
  const told = event.faults === undefined ? '' : toldUrl(event.response.body)
  const next = changeMessage(timeline, msgId, { askedBy: event.asked_by, ...(told === '' ? {} : { url: told }) })
  return { ...next, newest: { ...next.newest, [requestKey(message.rpId, event.asked_by)]: msgId } }
}

/** A result that the simulated RP was refused: what others ask for is nothing to it. */
export const foldUnread = (timeline: Timeline, event: EventOf<'exchange'>, msgId: string): Timeline => {
  const { code, body } = event.response
  const before = groupOf(timeline, msgId)?.message
  if (event.interface !== 'rp' || event.asked_by === undefined || before === undefined) return timeline
  if (before.delivered || !READS.test(routeOf(event)) || isPassingRefusal(code)) return timeline
  if (code === 0)
    return before.unreadable === undefined ? timeline : changeMessage(timeline, msgId, { unreadable: undefined })
  return changeMessage(timeline, msgId, { unreadable: { seq: event.seq, code, reason: reasonIn(body) } })
}

/** A refused call that belongs to no message: of a page the RP's window shows why, of anybody else it is a note. */
export const foldRefusal = (timeline: Timeline, event: EventOf<'exchange'>): Timeline => {
  const route = routeOf(event)
  const { code } = event.response
  // What a simulated RP asks besides is answered where it was asked for.
  if (event.interface !== 'rp' || code === 0 || (event.asked_by !== undefined && !ASKS.test(route))) return timeline
  const refused: Refusal = {
    seq: event.seq,
    code,
    reason: reasonIn(event.response.body),
    registering: route.includes('attestation'),
    userId: jsonText(event.request.body, 'user_id'),
    username: jsonText(event.request.body, 'username'),
  }
  return { ...timeline, refusals: { ...timeline.refusals, [requestKey(event.rp_id ?? '', event.asked_by)]: refused } }
}

const toldUrl = (body: string): string => {
  const data = jsonMember(body, 'data')
  return isObject(data) && typeof data.url === 'string' ? data.url : ''
}
