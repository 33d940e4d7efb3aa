import type { ExchangeEvent, MessageFact } from '../../src-main/protocol/exchange-event.ts'
import { isFinal, type MessageState } from '../../src-main/protocol/message-state.ts'
import { lookOf } from './look.ts'
import { routeOf, shortPath } from './route-name.ts'
import { Series } from './series.ts'
import {
  type EventOf,
  type Group,
  groupOf,
  isPoll,
  type Message,
  newTimeline,
  type Pending,
  type Refusal,
  type Row,
  type Timeline,
} from './timeline.ts'

/** Somewhat more than the service keeps; what is older leaves the page, group by group. */
const MOST_EXCHANGES = 120_000
/** Calls that belong to no message stand together, up to so many. */
const MOST_LOOSE = 500

/** The kinds of events that a timeline is made of. */
export const FOLDED_KINDS = [
  'message',
  'delivery',
  'exchange',
  'push',
  'verdict',
  'disagreement',
  'phone',
  'workspace',
] as const satisfies readonly ExchangeEvent['kind'][]

/** One more event. State changes are observed before the exchange that caused them, so they wait for it by its id. */
export const foldTimeline = (timeline: Timeline, event: ExchangeEvent): Timeline => {
  switch (event.kind) {
    case 'message':
      return foldMessage(timeline, event)
    case 'delivery':
      return foldDelivery(timeline, event)
    case 'exchange':
      return foldExchange(timeline, event)
    case 'push':
      return foldPush(timeline, event)
    case 'verdict':
      return foldVerdict(timeline, event)
    case 'disagreement':
      return changeMessage(timeline, event.msg_id, { disagreement: event.seq })
    case 'phone':
      return event.struck === undefined ? timeline : foldStruck(timeline, event.phone_id, event.struck)
    case 'workspace':
      return event.change === 'opened' ? timeline : newTimeline()
    default:
      return timeline
  }
}

type Struck = NonNullable<EventOf<'phone'>['struck']>

const foldStruck = (timeline: Timeline, phoneId: string, { msg_id, faults }: Struck): Timeline => {
  const before = groupOf(timeline, msg_id)?.message?.struck
  const known = before?.phoneId === phoneId ? before.faults : []
  return changeMessage(timeline, msg_id, { struck: { phoneId, faults: [...new Set([...known, ...faults])] } })
}

const foldVerdict = (timeline: Timeline, event: EventOf<'verdict'>): Timeline => {
  const next = changeMessage(timeline, event.msg_id, { verdict: event.seq })
  return event.cause === undefined ? next : wait(next, event.cause, { msgId: event.msg_id, judged: true })
}

const foldMessage = (timeline: Timeline, event: EventOf<'message'>): Timeline => {
  const known = groupOf(timeline, event.msg_id)
  const message = messageAfter(known?.message, event)
  const group: Group =
    known === undefined
      ? { id: event.msg_id, seq: event.seq, wall: event.wall, bench: event.bench, rows: Series.of(), message }
      : { ...known, message }
  const put = putGroup(timeline, group)
  const next = known === undefined ? { ...put, newest: { ...put.newest, [event.rp_id]: event.msg_id } } : put
  if (event.cause !== undefined && event.actor.kind !== 'clock') {
    return wait(next, event.cause, { msgId: event.msg_id, moved: event.to })
  }
  return addRow(next, group.id, {
    id: event.seq,
    kind: 'moment',
    from: 'service',
    to: 'service',
    wall: event.wall,
    bench: event.bench,
    seqs: Series.of(event.seq),
    route: `message ${event.to}`,
    method: '',
    path: '',
    ...ribbon(known?.message?.state, event.to, { ended: false, moved: event.to }),
  })
}

const messageAfter = (before: Message | undefined, event: EventOf<'message'>): Message => ({
  ...(before ?? { startedWall: event.wall, startedBench: event.bench, delivered: false }),
  msgId: event.msg_id,
  ceremony: event.ceremony,
  rpId: event.rp_id,
  userId: event.user_id,
  username: event.username,
  url: event.url,
  expiresAt: event.expires_at,
  state: event.to,
  ...optional(event),
  ...(isFinal(event.to) ? { endedWall: event.wall } : {}),
})

/** Only what the fact says: an absent field leaves what was known before. */
const optional = (fact: MessageFact) => ({
  ...(fact.method === undefined ? {} : { method: fact.method }),
  ...(fact.svc_user === undefined ? {} : { svcUser: fact.svc_user }),
  ...(fact.device_id === undefined ? {} : { deviceId: fact.device_id }),
  ...(fact.error === undefined ? {} : { error: fact.error }),
  ...(fact.credential_id === undefined ? {} : { credentialId: fact.credential_id }),
})

const foldDelivery = (timeline: Timeline, event: EventOf<'delivery'>): Timeline => {
  const next = changeMessage(timeline, event.msg_id, { delivered: true })
  if (event.cause === undefined) return next
  return wait(next, event.cause, { msgId: event.msg_id, ended: true })
}

const foldExchange = (timeline: Timeline, event: EventOf<'exchange'>): Timeline => {
  const waiting = timeline.pending.get(event.request.id)
  const counted = {
    ...timeline,
    pending: without(timeline.pending, event.request.id),
    exchanges: timeline.exchanges + 1,
  }
  const msgId = waiting?.msgId ?? messageOf(counted, event)
  const group = msgId === undefined ? undefined : groupOf(counted, msgId)
  const open = group ?? looseGroup(counted, event)
  const last = lastState(open)
  // An ended lane stays ended: nothing but a new state draws it further.
  const now = waiting?.moved ?? (open.rows.length === 0 ? open.message?.state : last)
  const row: Draft = {
    id: event.seq,
    kind: 'exchange',
    from: event.interface === 'rp' ? 'rp' : 'phone',
    to: 'service',
    wall: event.wall,
    bench: event.bench,
    seqs: Series.of(event.seq),
    route: routeOf(event),
    method: event.request.method,
    path: shortPath(event.request.target),
    status: event.response.status,
    code: event.response.code,
    tookUs: event.took_us,
    ...(event.weather === undefined ? {} : { weather: event.weather }),
    ...(group === undefined
      ? {}
      : ribbon(last, now, {
          ended: waiting?.ended ?? false,
          ...(waiting?.moved === undefined ? {} : { moved: waiting.moved }),
        })),
  }
  const shown = addRow(group === undefined ? putGroup(counted, open) : counted, open.id, row)
  const judged = waiting?.judged === true ? changeMessage(shown, waiting.msgId, { judgedIn: row.id }) : shown
  const told = group === undefined ? refusal(judged, row, event) : judged
  return leave((waiting?.pushes ?? []).reduce(addPush, told))
}

const without = (pending: Timeline['pending'], id: string): Timeline['pending'] => {
  if (!pending.has(id)) return pending
  const rest = new Map(pending)
  rest.delete(id)
  return rest
}

const wait = (timeline: Timeline, cause: string, more: Partial<Pending> & Pick<Pending, 'msgId'>): Timeline => {
  const before = timeline.pending.get(cause) ?? { ended: false, pushes: [] }
  return { ...timeline, pending: new Map(timeline.pending).set(cause, { ...before, ...more }) }
}

/** An options call that was turned down made no message: the RP's page says why. */
const refusal = (timeline: Timeline, { route, code = 0 }: Draft, event: EventOf<'exchange'>): Timeline => {
  if (code === 0 || !/rp\/(attestation|assertion)\/options$/.test(route)) return timeline
  const refused: Refusal = {
    seq: event.seq,
    code,
    error: errorOf(event.response.body),
    registering: route.includes('attestation'),
  }
  return { ...timeline, refusals: { ...timeline.refusals, [event.rp_id ?? '']: refused } }
}

const errorOf = (body: string): string => {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null && 'error' in parsed ? String(parsed.error) : ''
  } catch {
    return ''
  }
}

/** A push is drawn after the call that asked for it, though the phone may have it before that call is answered. */
const foldPush = (timeline: Timeline, event: EventOf<'push'>): Timeline => {
  for (const [cause, { msgId, pushes }] of timeline.pending) {
    if (msgId === event.msg_id) return wait(timeline, cause, { msgId, pushes: [...pushes, event] })
  }
  return addPush(timeline, event)
}

const addPush = (timeline: Timeline, event: EventOf<'push'>): Timeline => {
  const group = groupOf(timeline, event.msg_id)
  if (group === undefined) return timeline
  const last = group.rows.at(-1)
  const state = group.message?.state
  const row: Draft = {
    id: event.seq,
    kind: 'push',
    from: 'service',
    to: 'phone',
    wall: event.wall,
    bench: event.bench,
    seqs: Series.of(event.seq),
    route: `push ${event.stage}`,
    method: 'push',
    path: event.device_id,
    ...ribbon(lastState(group) ?? state, state, { ended: false }),
  }
  // A push that leaves at once is one row; one that had to wait is two.
  if (last?.route === 'push queued' && last.path === event.device_id) {
    return putRow(timeline, group, { ...row, id: last.id })
  }
  return addRow(timeline, group.id, row)
}

const ribbon = (
  before: MessageState | undefined,
  after: MessageState | undefined,
  { ended, moved }: { readonly ended: boolean; readonly moved?: MessageState },
): Pick<Row, 'before' | 'after' | 'moved'> => ({
  ...(before === undefined ? {} : { before }),
  ...(ended || after === undefined ? {} : { after }),
  ...(moved === undefined ? {} : { moved }),
})

const lastState = (group: Group): MessageState | undefined => group.rows.at(-1)?.after

/** A row before it is known what it looks like. */
type Draft = Omit<Row, 'look'>

/** Adds the row, or folds it into the one before when both are the same call with the same outcome. */
const addRow = (timeline: Timeline, groupId: string, row: Draft): Timeline => {
  const group = groupOf(timeline, groupId)
  if (group === undefined) return timeline
  const last = group.rows.at(-1)
  if (last !== undefined && isPoll(row) && isPoll(last) && last.route === row.route && last.code === row.code) {
    return putRow(timeline, group, {
      ...row,
      id: last.id,
      wall: last.wall,
      seqs: last.seqs.append(row.seqs.at(-1) ?? row.id),
      ...(last.before === undefined ? {} : { before: last.before }),
    })
  }
  const next = putGroup(timeline, { ...group, rows: group.rows.append(looking(row)) })
  next.places.ofRow.set(row.id, next.places.ofGroup.get(groupId) ?? -1)
  return next
}

/** In the place of the group's last row. */
const putRow = (timeline: Timeline, group: Group, row: Draft): Timeline =>
  putGroup(timeline, { ...group, rows: group.rows.put(group.rows.end - 1, looking(row)) })

/** The words are the look's own, so that a hundred thousand rows do not each keep theirs. */
const looking = (row: Draft): Row => {
  const look = lookOf(row)
  return { ...row, route: look.route, method: look.method, path: look.path, look }
}

const putGroup = (timeline: Timeline, group: Group): Timeline => {
  const { groups, places } = timeline
  const known = groupOf(timeline, group.id) !== undefined
  const place = known ? (places.ofGroup.get(group.id) ?? groups.end) : groups.end
  places.ofGroup.set(group.id, place)
  const device = group.message?.deviceId
  if (device !== undefined && place > (places.ofDevice.get(device) ?? -1)) places.ofDevice.set(device, place)
  return { ...timeline, groups: known ? groups.put(place, group) : groups.append(group) }
}

/** The oldest groups leave when there are too many exchanges. */
const leave = (timeline: Timeline): Timeline => {
  const oldest = timeline.groups.at(0)
  if (timeline.exchanges - timeline.left <= MOST_EXCHANGES || oldest === undefined || timeline.groups.length === 1) {
    return timeline
  }
  const { ofGroup, ofRow } = timeline.places
  ofGroup.delete(oldest.id)
  let left = timeline.left
  for (const row of oldest.rows) {
    ofRow.delete(row.id)
    if (row.kind === 'exchange') left += row.seqs.length
  }
  return leave({ ...timeline, groups: timeline.groups.shift(), left })
}

const changeMessage = (timeline: Timeline, msgId: string, change: Partial<Message>): Timeline => {
  const group = groupOf(timeline, msgId)
  if (group?.message === undefined) return timeline
  return putGroup(timeline, { ...group, message: { ...group.message, ...change } })
}

/** The group for a call that belongs to no message: the last one when it is of that kind, else a new one. */
const looseGroup = (timeline: Timeline, event: EventOf<'exchange'>): Group => {
  const last = timeline.groups.at(-1)
  if (last !== undefined && last.message === undefined && last.rows.length < MOST_LOOSE) return last
  return { id: `calls-${event.seq}`, seq: event.seq, wall: event.wall, bench: event.bench, rows: Series.of() }
}

const messageOf = (timeline: Timeline, exchange: EventOf<'exchange'>): string | undefined => {
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
