import { parseAuthorization } from '../../../core/protocol/authorization.ts'
import type { OwnCalls, OwnServer } from '../own-calls.ts'
import { routeOf } from '../route-name.ts'
import { type EventOf, groupOf, type Message, type Timeline } from '../timeline.ts'
import { ASKS } from './fold-request.ts'
import { changeMessage } from './put-group.ts'

/** Whoever makes up keys makes up many. */
const MOST_KEYS = 50

/** A call of somebody’s own server: the simulator’s say who asked for them. */
export const foldOwnCall = (timeline: Timeline, event: EventOf<'exchange'>): Timeline => {
  if (event.interface !== 'rp') return timeline
  const { own } = timeline
  const next = own.any ? timeline : { ...timeline, own: { ...own, any: true } }
  if (event.asked_by !== undefined) return next
  const { code } = event.response
  if (event.rp_id === undefined) return withOwn(next, { byKey: refusedBy(next.own, event) })
  const { seq, rp_id: rp, msg_id: msgId } = event
  const asks = code === 0 && msgId !== undefined && ASKS.test(routeOf(event))
  const noted = asks ? changeMessage(next, msgId, { ofServer: true }) : next
  return change(noted, rp, {
    signed: seq,
    ...(code === 0 ? {} : { refused: { seq, code } }),
    ...(asks ? { asked: msgId } : {}),
  })
}

/** How a message moved that somebody’s own server asked for. */
export const foldOwnMessage = (timeline: Timeline, event: EventOf<'message' | 'delivery'>): Timeline => {
  const message = groupOf(timeline, event.msg_id)?.message
  if (message?.ofServer !== true) return timeline
  if (event.kind === 'message')
    return event.to === 'bind' ? change(timeline, message.rpId, { scanned: true }) : timeline
  return isSignIn(message, event) ? change(timeline, message.rpId, { signedIn: event.msg_id }) : timeline
}

const isSignIn = ({ ceremony }: Message, { state }: EventOf<'delivery'>): boolean =>
  ceremony === 'authentication' && state === 'success'

const withOwn = (timeline: Timeline, own: Partial<OwnCalls>): Timeline => ({
  ...timeline,
  own: { ...timeline.own, ...own },
})

const change = (timeline: Timeline, rp: string, change: Partial<OwnServer>): Timeline => {
  const { byRp } = timeline.own
  const before = byRp[rp] ?? { signed: 0 }
  const { signedIn = change.signedIn } = before
  return withOwn(timeline, {
    byRp: { ...byRp, [rp]: { ...before, ...change, ...(signedIn === undefined ? {} : { signedIn }) } },
  })
}

const refusedBy = ({ byKey }: OwnCalls, { request, response, seq }: EventOf<'exchange'>): OwnCalls['byKey'] => {
  // Read without its headers, it does not say whose it was.
  if (request.headers.length === 0) return byKey
  const header = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  const parsed = parseAuthorization(header)
  const key = parsed.ok && parsed.value.form === 'general' ? parsed.value.accessKeyId : ''
  const { [key]: _, ...others } = byKey
  const kept = Object.entries(others).slice(1 - MOST_KEYS)
  return { ...Object.fromEntries(kept), [key]: { seq, code: response.code } }
}
