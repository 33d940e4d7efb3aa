import { isTransientRefusal } from '../../../core/contract/errors.ts'
import type { BenchEvent, EventOf, ExchangeFact } from '../../../core/contract/events.ts'
import type { RowName } from '../../../core/messages/en/timeline-words.ts'
import { parseAuthorization } from '../../../core/protocol/authorization.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { jsonMember, jsonText, readReason } from '../json-member.ts'
import { Series } from '../series.ts'
import {
  type Group,
  groupOf,
  type Message,
  type OwnCalls,
  type OwnServer,
  type Refusal,
  requestKey,
  type Timeline,
} from '../timeline.ts'
import { addStage } from './fold-message.ts'
import {
  addRow,
  changeMessage,
  evictOldest,
  laneStates,
  lastState,
  messageOfCall,
  type NewRow,
  putGroup,
  removePending,
} from './put-row.ts'

/** Maximum number of calls in one group without a message. */
const MAX_CALLS = 500

/** Adds a row for a call and its response, with the earlier events that the call caused. */
export const foldExchange = (timeline: Timeline, event: EventOf<'exchange'>): Timeline => {
  noteRepeat(timeline, event)
  const waiting = timeline.pending.get(event.request.id)
  const counted = {
    ...timeline,
    pending: removePending(timeline.pending, event.request.id),
    exchanges: timeline.exchanges + 1,
  }
  const msgId = waiting?.msgId ?? messageOfCall(counted, event)
  const group = msgId === undefined ? undefined : groupOf(counted, msgId)
  // The call's ceremony began before the timeline; the call is loaded together with the ceremony.
  if (group === undefined && timeline.from !== undefined && event.msg_id !== undefined) {
    return { ...counted, left: counted.left + 1 }
  }
  const open = group ?? looseGroup(counted, event)
  const last = lastState(open)
  // An ended lane stays ended: only a new state extends it.
  const now = waiting?.moved ?? (open.rows.length === 0 ? open.message?.state : last)
  const row: NewRow = {
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
    ...faultsIn(event, group?.message),
    ...(group && laneStates(last, now, { ended: waiting?.ended ?? false, moved: waiting?.moved })),
  }
  const shown = addRow(group === undefined ? putGroup(counted, open) : counted, open.id, row)
  const judged = waiting?.judged === true ? changeMessage(shown, waiting.msgId, { judgedIn: row.id }) : shown
  const next =
    group === undefined
      ? event.resent === undefined
        ? foldRefusal(judged, event)
        : judged
      : foldUnread(foldAsked(judged, event, group.id), event, group.id)
  return evictOldest((waiting?.stages ?? []).reduce(addStage, next))
}

/** A service fault affects an answer; a phone fault affects the call that answers or that takes the message. */
const faultsIn = (event: EventOf<'exchange'>, message: Message | undefined): Pick<NewRow, 'struck'> => {
  const ofService = event.faults?.map(({ fault }) => fault) ?? []
  const route = routeOf(event)
  const ofPhone = event.interface === 'rp' ? [] : (message?.struck?.faults ?? []).filter((name) => affects(name, route))
  const faults = [...ofService, ...ofPhone]
  return faults.length === 0 ? {} : { struck: faults }
}

const affects = (fault: string, route: string): boolean => {
  if (fault.startsWith('push-')) return false
  if (fault.startsWith('scan') || fault === 'answered-without-scanning') return /\/bind$/.test(route)
  return /\/(attestation|assertion)$/.test(route)
}

const noteRepeat = ({ places: { repeats } }: Timeline, { seq, resent }: EventOf<'exchange'>): void => {
  if (resent === undefined) return
  const known = repeats.get(resent.from) ?? []
  if (!known.includes(seq)) repeats.set(resent.from, [...known, seq])
}

/** The last group if it is for calls without a message, otherwise a new one. */
const looseGroup = (timeline: Timeline, event: BenchEvent): Group => {
  const last = timeline.groups.at(-1)
  if (last !== undefined && last.message === undefined && last.rows.length < MAX_CALLS) return last
  return { id: `calls-${event.seq}`, seq: event.seq, wall: event.wall, bench: event.bench, rows: Series.of() }
}

/** Adds a row for a signal that a phone did not obey. */
export const foldSignal = (timeline: Timeline, event: EventOf<'phone'>): Timeline => {
  const { seq: id, wall, bench, signal } = event
  if (signal === undefined) return timeline
  const open = looseGroup(timeline, event)
  return addRow(putGroup(timeline, open), open.id, {
    ...({ id, kind: 'push', from: 'service', to: 'phone', method: 'signal', path: signal.name } as const),
    ...{ wall, bench, seqs: Series.of(id), route: `signal ${signal.outcome}` satisfies RowName },
    ...(signal.faults.length === 0 ? {} : { struck: signal.faults }),
  })
}

export const OPTIONS_ROUTE = /rp\/(attestation|assertion)\/options$/

const READS = /rp\/(attestation|assertion)\/result$/

/** Stores the caller that requested a message, because the message's earlier events do not name it. */
const foldAsked = (timeline: Timeline, event: EventOf<'exchange'>, msgId: string): Timeline => {
  const message = groupOf(timeline, msgId)?.message
  if (event.asked_by === undefined || message === undefined || !OPTIONS_ROUTE.test(routeOf(event))) return timeline
  // The RP shows the address that it received, which may differ from the service's own.
  const url = event.faults === undefined ? '' : urlIn(event.response.body)
  const next = changeMessage(timeline, msgId, { askedBy: event.asked_by, ...(url === '' ? {} : { url: url }) })
  return { ...next, newest: { ...next.newest, [requestKey(message.rpId, event.asked_by)]: msgId } }
}

/** Requests of callers other than the simulated RP are ignored. */
const foldUnread = (timeline: Timeline, event: EventOf<'exchange'>, msgId: string): Timeline => {
  const { code, body } = event.response
  const before = groupOf(timeline, msgId)?.message
  if (event.interface !== 'rp' || event.asked_by === undefined || before === undefined) return timeline
  if (before.delivered || !READS.test(routeOf(event)) || isTransientRefusal(code)) return timeline
  if (code === 0)
    return before.unreadable === undefined ? timeline : changeMessage(timeline, msgId, { unreadable: undefined })
  return changeMessage(timeline, msgId, { unreadable: { seq: event.seq, code, reason: readReason(body) } })
}

/** Stores a refused call without a message: the RP's window shows it, as its own or as a note on another caller. */
const foldRefusal = (timeline: Timeline, event: EventOf<'exchange'>): Timeline => {
  const route = routeOf(event)
  const { code } = event.response
  // Other calls of the simulated RP show their result where the user made them.
  if (event.interface !== 'rp' || code === 0 || (event.asked_by !== undefined && !OPTIONS_ROUTE.test(route)))
    return timeline
  const refused: Refusal = {
    seq: event.seq,
    code,
    reason: readReason(event.response.body),
    registering: route.includes('attestation'),
    userId: jsonText(event.request.body, 'user_id'),
    username: jsonText(event.request.body, 'username'),
  }
  return { ...timeline, refusals: { ...timeline.refusals, [requestKey(event.rp_id ?? '', event.asked_by)]: refused } }
}

const urlIn = (body: string): string => {
  const data = jsonMember(body, 'data')
  return isObject(data) && typeof data.url === 'string' ? data.url : ''
}

/** A client may invent any number of access keys. */
const MAX_KEYS = 50

/** Stores a call of the user’s own server. Only calls of the simulator have `asked_by`. */
export const foldServerCall = (timeline: Timeline, event: EventOf<'exchange'>): Timeline => {
  if (event.interface !== 'rp') return timeline
  const { own } = timeline
  const next = own.any ? timeline : { ...timeline, own: { ...own, any: true } }
  if (event.asked_by !== undefined) return next
  const { code } = event.response
  if (event.rp_id === undefined) return withOwn(next, { byKey: refusedBy(next.own, event) })
  const { seq, rp_id: rp, msg_id: msgId } = event
  const asks = code === 0 && msgId !== undefined && OPTIONS_ROUTE.test(routeOf(event))
  const noted = asks ? changeMessage(next, msgId, { ofServer: true }) : next
  return change(noted, rp, {
    signed: seq,
    ...(code === 0 ? {} : { refused: { seq, code } }),
    ...(asks ? { asked: msgId } : {}),
  })
}

export const foldServerMessage = (timeline: Timeline, event: EventOf<'message' | 'delivery'>): Timeline => {
  const message = groupOf(timeline, event.msg_id)?.message
  if (message?.ofServer !== true) return timeline
  if (event.kind === 'message')
    return event.to === 'bind' ? change(timeline, message.rpId, { scanned: true }) : timeline
  const isSignIn = message.ceremony === 'authentication' && event.state === 'success'
  return isSignIn ? change(timeline, message.rpId, { signedIn: event.msg_id }) : timeline
}

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
  // An exchange without headers has no known caller.
  if (request.headers.length === 0) return byKey
  const header = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  const parsed = parseAuthorization(header)
  const key = parsed.ok && parsed.value.form === 'general' ? parsed.value.accessKeyId : ''
  const { [key]: _, ...others } = byKey
  const kept = Object.entries(others).slice(1 - MAX_KEYS)
  return { ...Object.fromEntries(kept), [key]: { seq, code: response.code } }
}

/** `METHOD route` without the service's address, by which the texts are looked up. */
const routeOf = (exchange: ExchangeFact): string => {
  const path = exchange.request.route ?? exchange.request.target.split('?')[0] ?? ''
  return `${exchange.request.method} ${path.replace(/^.*?\/(?=(?:rp|app)\/)/, '')}`
}

/** The short form of a path: `attestation/options`, `bind`. */
export const shortPath = (target: string): string => {
  const path = target.split('?')[0] ?? ''
  const inner = path.replace(/^.*?\/(?:rp|app)\//, '').replace(/^\//, '')
  return inner.replace(/^messages\/[\w-]+\//, '').replace(/^vault\/(.{8}).+$/, 'vault/$1…')
}
