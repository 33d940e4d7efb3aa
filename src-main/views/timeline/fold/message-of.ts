import type { EventOf, Timeline } from '../timeline.ts'

/** Which message a call is about: as the service says, as its address says, or by the phone that makes it. */
export const messageOf = (timeline: Timeline, exchange: EventOf<'exchange'>): string | undefined => {
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
