import type { BenchEvent } from '../../core/contract/events.ts'
import { messageOf, viewsOf } from '../timeline/event-views.ts'
import { parseJsonObject } from '../timeline/json-member.ts'
import { type Exchange, isAffected, targetQuery } from './index-events.ts'

/**
 * All events related to one message: its own, those of phones that took it or could have taken it, and settings for
 * all. They suffice for a scenario that repeats only this message.
 */
export const eventsOfMessage = (events: readonly BenchEvent[], msgId: string): readonly BenchEvent[] => {
  const own = events.filter((event) => messageOf(event) === msgId)
  const users = own.flatMap((event) => (event.kind === 'message' ? event.user_id : []))
  const devices = own.flatMap((event) => ('device_id' in event ? (event.device_id ?? []) : []))
  const took = own.flatMap((event) => (event.kind === 'phone' ? event.phone_id : []))
  // A phone's action without a message may matter; an action on another message does not.
  const isAbout = (event: BenchEvent): boolean => {
    const about = messageOf(event)
    return about === msgId || (event.kind === 'phone' && about === undefined)
  }
  const triggered = new Set(own.flatMap((event) => (event.kind === 'phone' ? (event.struck?.faults ?? []) : [])))
  return eventsOf(events, { users, devices, phones: took, isAbout }).map((event) => withoutChance(event, triggered))
}

/** Makes a random fault certain if it was triggered, and removes it otherwise, since another run draws differently. */
const withoutChance = (event: BenchEvent, triggered: ReadonlySet<string>): BenchEvent => {
  if (event.kind !== 'phone' || event.phone === undefined) return event
  const faults = event.phone.faults.flatMap(({ probability, ...certain }) =>
    probability === undefined || triggered.has(certain.fault) ? [certain] : [],
  )
  return { ...event, phone: { ...event.phone, faults } }
}

/** All events related to one call of an RP that belongs to no message. */
export const eventsOfCall = (events: readonly BenchEvent[], call: Exchange): readonly BenchEvent[] => {
  const { request, device_id } = call
  const user = parseJsonObject(request.body).user_id ?? targetQuery(call).get('user_id')
  return eventsOf(events, {
    users: typeof user === 'string' ? [user] : [],
    devices: device_id === undefined ? [] : [device_id],
    phones: [],
    isAbout: (event) => event === call || (event.kind === 'phone' && messageOf(event) === undefined),
  })
}

type About = {
  readonly users: readonly string[]
  readonly devices: readonly string[]
  /** Ids of further phones, in addition to those of the devices and those with a passkey of the users. */
  readonly phones: readonly string[]
  /** False for events that concern another message. */
  readonly isAbout: (event: BenchEvent) => boolean
}

const eventsOf = (events: readonly BenchEvent[], about: About): readonly BenchEvent[] => {
  const users = new Set(about.users)
  const devices = new Set(about.devices)
  const states = events.flatMap((event) => {
    if (event.kind !== 'phone' || event.phone === undefined) return []
    const { device_id: device, credentials } = event.phone
    return [{ id: event.phone_id, device, held: credentials.map(({ id }) => id) }]
  })
  const passkeys = new Set(
    events.flatMap((event) => (event.kind === 'credential' && users.has(event.user_id) ? event.credential_id : [])),
  )
  const phones = new Set(about.phones)
  for (const { id, device, held } of states) {
    if (devices.has(device ?? '') || held.some((one) => passkeys.has(one))) phones.add(id)
  }
  for (const { id, device, held } of states) {
    if (!phones.has(id)) continue
    if (device !== undefined) devices.add(device)
    for (const one of held) passkeys.add(one)
  }
  return events.filter((event) => {
    if (viewsOf(event).forAll(event) || about.isAbout(event))
      return event.kind !== 'phone' || phones.has(event.phone_id)
    if (event.kind === 'credential') return passkeys.has(event.credential_id)
    if (event.kind === 'device') return devices.has(event.device_id)
    if (event.kind !== 'exchange') return false
    return event.request.route === '/app/devices' || (event.msg_id === undefined && isAffected(event))
  })
}

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
