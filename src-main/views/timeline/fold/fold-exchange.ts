import { routeOf, shortPath } from '../route-name.ts'
import { Series } from '../series.ts'
import { type EventOf, type Group, groupOf, type Message, type Timeline } from '../timeline.ts'
import { addPush } from './fold-push.ts'
import { foldAsked, foldRefusal, foldUnread } from './fold-request.ts'
import { messageOf } from './message-of.ts'
import { without } from './pending.ts'
import { changeMessage, leave, putGroup } from './put-group.ts'
import { addRow, type Draft, lastState, ribbon } from './put-row.ts'

/** Calls that belong to no message stand together, up to so many. */
const MOST_LOOSE = 500

/** A call and its answer: a row, with all that was told before it because of it. */
export const foldExchange = (timeline: Timeline, event: EventOf<'exchange'>): Timeline => {
  noteRepeat(timeline, event)
  const waiting = timeline.pending.get(event.request.id)
  const counted = {
    ...timeline,
    pending: without(timeline.pending, event.request.id),
    exchanges: timeline.exchanges + 1,
  }
  const msgId = waiting?.msgId ?? messageOf(counted, event)
  const group = msgId === undefined ? undefined : groupOf(counted, msgId)
  // Of a ceremony that began before: it comes with it.
  if (group === undefined && timeline.from !== undefined && event.msg_id !== undefined) {
    return { ...counted, left: counted.left + 1 }
  }
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
    ...struckIn(event, group?.message),
    ...(group === undefined
      ? {}
      : ribbon(last, now, {
          ended: waiting?.ended ?? false,
          ...(waiting?.moved === undefined ? {} : { moved: waiting.moved }),
        })),
  }
  const shown = addRow(group === undefined ? putGroup(counted, open) : counted, open.id, row)
  const judged = waiting?.judged === true ? changeMessage(shown, waiting.msgId, { judgedIn: row.id }) : shown
  const told =
    group === undefined
      ? event.resent === undefined
        ? foldRefusal(judged, event)
        : judged
      : foldUnread(foldAsked(judged, event, group.id), event, group.id)
  return leave((waiting?.pushes ?? []).reduce(addPush, told))
}

/** The service's faults strike an answer; those of a phone, the call in which it answers or by which it takes the message. */
const struckIn = (event: EventOf<'exchange'>, message: Message | undefined): Pick<Draft, 'struck'> => {
  const ofService = event.faults?.map(({ fault }) => fault) ?? []
  const route = routeOf(event)
  const ofPhone = event.interface === 'rp' ? [] : (message?.struck?.faults ?? []).filter((name) => strikes(name, route))
  const struck = [...ofService, ...ofPhone]
  return struck.length === 0 ? {} : { struck }
}

const strikes = (fault: string, route: string): boolean => {
  if (fault.startsWith('push-')) return false
  if (fault.startsWith('scan') || fault === 'answered-without-scanning') return /\/bind$/.test(route)
  return /\/(attestation|assertion)$/.test(route)
}

const noteRepeat = ({ places: { repeats } }: Timeline, { seq, resent }: EventOf<'exchange'>): void => {
  if (resent === undefined) return
  const known = repeats.get(resent.from) ?? []
  if (!known.includes(seq)) repeats.set(resent.from, [...known, seq])
}

/** The group for a call that belongs to no message: the last one when it is of that kind, else a new one. */
const looseGroup = (timeline: Timeline, event: EventOf<'exchange'>): Group => {
  const last = timeline.groups.at(-1)
  if (last !== undefined && last.message === undefined && last.rows.length < MOST_LOOSE) return last
  return { id: `calls-${event.seq}`, seq: event.seq, wall: event.wall, bench: event.bench, rows: Series.of() }
}
