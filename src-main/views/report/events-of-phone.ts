import type { BenchEvent } from '../../core/contract/events.ts'
import { messageOf, viewsOf } from '../timeline/event-views.ts'

/**
 * All events related to a phone: its actions, its devices, their messages, the users of these, and clock moves and
 * settings for all. Also refused RP calls without a message, and messages that no phone took, because they may be the
 * cause of the failure.
 */
export const eventsOfPhone = (events: readonly BenchEvent[], phoneId: string): readonly BenchEvent[] => {
  const devices = new Set(
    events.flatMap((event) =>
      event.kind === 'phone' && event.phone_id === phoneId ? (event.phone?.device_id ?? []) : [],
    ),
  )
  const ofDevice = (event: BenchEvent): boolean =>
    'device_id' in event && event.device_id !== undefined && devices.has(event.device_id)
  const users = new Set(events.flatMap((event) => (event.kind === 'message' && ofDevice(event) ? event.user_id : [])))
  const taken = new Set(
    events.flatMap((event) =>
      event.kind === 'push' || (event.kind === 'message' && event.device_id !== undefined) ? event.msg_id : [],
    ),
  )
  const messages = new Set(
    events.flatMap((event) =>
      (event.kind === 'push' && ofDevice(event)) ||
      (event.kind === 'message' && (users.has(event.user_id) || !taken.has(event.msg_id)))
        ? event.msg_id
        : [],
    ),
  )
  return events.filter((event) => {
    if (event.kind === 'phone') return event.phone_id === phoneId
    if (viewsOf(event).forAll(event)) return true
    if (event.kind === 'credential') return users.has(event.user_id)
    const message = messageOf(event)
    if (message !== undefined) return messages.has(message)
    return ofDevice(event) || (event.kind === 'exchange' && event.interface === 'rp' && event.response.code !== 0)
  })
}
