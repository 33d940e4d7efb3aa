import type { ExchangeEvent, ExchangeFact, MessageFact } from '../../src-main/protocol/exchange-event.ts'
import type { MessageKind } from '../../src-main/protocol/message-address.ts'
import { isFinal, type MessageState } from '../../src-main/protocol/message-state.ts'

/** The three lifelines. */
export type Lane = 'rp' | 'service' | 'phone'

export type Row = {
  /** The seq of its first event: stays the same while polls fold into it. */
  readonly id: number
  readonly kind: 'exchange' | 'push' | 'moment'
  readonly from: Lane
  readonly to: Lane
  readonly wall: number
  readonly bench: number
  /** The seqs of the exchanges folded into this row, oldest first. */
  readonly seqs: readonly number[]
  readonly route: string
  readonly method: string
  readonly path: string
  readonly status?: number
  readonly code?: number
  readonly tookUs?: number
  readonly weather?: string
  /** The message's state above and below this row; undefined where its lane has not begun or has ended. */
  readonly before?: MessageState
  readonly after?: MessageState
  /** The state that this row brought about. */
  readonly moved?: MessageState
}

export type Group = {
  readonly id: string
  readonly seq: number
  readonly wall: number
  readonly bench: number
  readonly rows: readonly Row[]
  /** What the group is about; absent for calls that belong to no message. */
  readonly message?: Message
}

export type Message = {
  readonly msgId: string
  readonly ceremony: MessageKind
  readonly rpId: string
  readonly userId: string
  readonly username: string
  readonly method?: 'qrcode' | 'push'
  readonly url: string
  readonly expiresAt: number
  readonly state: MessageState
  readonly svcUser?: string
  readonly deviceId?: string
  readonly error?: string
  readonly credentialId?: string
  /** The seq of the judge's verdict. */
  readonly verdict?: number
  readonly disagreement?: number
  /** Faults that a phone was told to have and that struck this attempt. */
  readonly struck?: { readonly phoneId: string; readonly faults: readonly string[] }
  readonly startedWall: number
  readonly startedBench: number
  readonly endedWall?: number
  /** The RP has read the final result. */
  readonly delivered: boolean
}

export type Timeline = {
  readonly groups: readonly Group[]
  /** What happened in exchanges that have not been seen themselves yet, by their request ids. */
  readonly pending: ReadonlyMap<string, Pending>
  readonly exchanges: number
}

type Pending = {
  readonly msgId: string
  readonly moved?: MessageState
  readonly ended: boolean
  readonly pushes: readonly EventOf<'push'>[]
}

export const emptyTimeline: Timeline = { groups: [], pending: new Map(), exchanges: 0 }

/** More than a person scrolls back; older groups leave the page, not the service. */
const MOST_GROUPS = 400

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
      return changeMessage(timeline, event.msg_id, { verdict: event.seq })
    case 'disagreement':
      return changeMessage(timeline, event.msg_id, { disagreement: event.seq })
    case 'phone':
      return event.struck === undefined ? timeline : foldStruck(timeline, event.phone_id, event.struck)
    case 'workspace':
      return event.change === 'opened' ? timeline : emptyTimeline
    default:
      return timeline
  }
}

type EventOf<K extends ExchangeEvent['kind']> = Extract<ExchangeEvent, { kind: K }>

type Struck = NonNullable<EventOf<'phone'>['struck']>

const foldStruck = (timeline: Timeline, phoneId: string, { msg_id, faults }: Struck): Timeline => {
  const before = groupOf(timeline, msg_id)?.message?.struck
  const known = before?.phoneId === phoneId ? before.faults : []
  return changeMessage(timeline, msg_id, { struck: { phoneId, faults: [...new Set([...known, ...faults])] } })
}

const foldMessage = (timeline: Timeline, event: EventOf<'message'>): Timeline => {
  const known = groupOf(timeline, event.msg_id)
  const message = messageAfter(known?.message, event)
  const group: Group =
    known === undefined
      ? { id: event.msg_id, seq: event.seq, wall: event.wall, bench: event.bench, rows: [], message }
      : { ...known, message }
  const next = putGroup(timeline, group)
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
    seqs: [event.seq],
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
  const pending = new Map(timeline.pending)
  pending.delete(event.request.id)
  const counted = { ...timeline, pending, exchanges: timeline.exchanges + 1 }
  const msgId = waiting?.msgId ?? messageOf(counted, event)
  const group = msgId === undefined ? undefined : groupOf(counted, msgId)
  const open = group ?? looseGroup(counted, event)
  const last = lastState(open)
  // An ended lane stays ended: nothing but a new state draws it further.
  const now = waiting?.moved ?? (open.rows.length === 0 ? open.message?.state : last)
  const row: Row = {
    id: event.seq,
    kind: 'exchange',
    from: event.interface === 'rp' ? 'rp' : 'phone',
    to: 'service',
    wall: event.wall,
    bench: event.bench,
    seqs: [event.seq],
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
  const shown = addRow(putGroup(counted, open), open.id, row)
  return (waiting?.pushes ?? []).reduce(addPush, shown)
}

const wait = (timeline: Timeline, cause: string, more: Partial<Pending> & Pick<Pending, 'msgId'>): Timeline => {
  const before = timeline.pending.get(cause) ?? { ended: false, pushes: [] }
  return { ...timeline, pending: new Map(timeline.pending).set(cause, { ...before, ...more }) }
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
  const queued = group.rows.findIndex((row) => row.kind === 'push' && row.path === event.device_id)
  const state = group.message?.state
  const row: Row = {
    id: event.seq,
    kind: 'push',
    from: 'service',
    to: 'phone',
    wall: event.wall,
    bench: event.bench,
    seqs: [event.seq],
    route: `push ${event.stage}`,
    method: 'push',
    path: event.device_id,
    ...ribbon(lastState(group) ?? state, state, { ended: false }),
  }
  // A push that leaves at once is one row; one that had to wait is two.
  if (queued >= 0 && queued === group.rows.length - 1) {
    const { id } = group.rows[queued] ?? row
    return putGroup(timeline, { ...group, rows: [...group.rows.slice(0, -1), { ...row, id }] })
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

/** Adds the row, or folds it into the one before when both are the same call with the same outcome. */
const addRow = (timeline: Timeline, groupId: string, row: Row): Timeline => {
  const group = timeline.groups.find(({ id }) => id === groupId)
  if (group === undefined) return timeline
  const last = group.rows.at(-1)
  const folds = last !== undefined && isPoll(row) && isPoll(last) && last.route === row.route && last.code === row.code
  const rows = folds
    ? [
        ...group.rows.slice(0, -1),
        { ...row, id: last.id, wall: last.wall, seqs: [...last.seqs, ...row.seqs], ...keep(last) },
      ]
    : [...group.rows, row]
  return putGroup(timeline, { ...group, rows })
}

const keep = (row: Row) => (row.before === undefined ? {} : { before: row.before })

/** A read of a result that changed nothing and ended nothing. */
export const isPoll = (row: Row): boolean =>
  row.kind === 'exchange' &&
  row.method === 'GET' &&
  row.route.endsWith('/result') &&
  row.moved === undefined &&
  row.before === row.after

const groupOf = (timeline: Timeline, msgId: string): Group | undefined =>
  timeline.groups.findLast((group) => group.id === msgId)

const putGroup = (timeline: Timeline, group: Group): Timeline => {
  const index = timeline.groups.findLastIndex(({ id }) => id === group.id)
  const groups = index < 0 ? [...timeline.groups, group] : timeline.groups.with(index, group)
  return { ...timeline, groups: groups.length > MOST_GROUPS ? groups.slice(-MOST_GROUPS) : groups }
}

const changeMessage = (timeline: Timeline, msgId: string, change: Partial<Message>): Timeline => {
  const group = groupOf(timeline, msgId)
  if (group?.message === undefined) return timeline
  return putGroup(timeline, { ...group, message: { ...group.message, ...change } })
}

/** The group for a call that belongs to no message: the last one when it is of that kind, else a new one. */
const looseGroup = (timeline: Timeline, event: ExchangeEvent): Group => {
  const last = timeline.groups.at(-1)
  if (last !== undefined && last.message === undefined) return last
  return { id: `calls-${event.seq}`, seq: event.seq, wall: event.wall, bench: event.bench, rows: [] }
}

const messageOf = (timeline: Timeline, exchange: ExchangeFact): string | undefined => {
  if (exchange.msg_id !== undefined) return exchange.msg_id
  const named = /[?&](?:msg_id|id)=([\w-]+)|\/messages\/([\w-]+)\//.exec(exchange.request.target)
  const msgId = named?.[1] ?? named?.[2]
  if (msgId !== undefined) return msgId
  // A phone's call to its vault in the middle of a ceremony is part of it.
  if (exchange.device_id === undefined || !/\/vault\b/.test(exchange.request.target)) return undefined
  const bound = timeline.groups.findLast((group) => group.message?.deviceId === exchange.device_id)
  return bound?.message?.delivered === false && bound.message.state !== 'timeout' ? bound.id : undefined
}

/** `METHOD route` without the service's address: what words are looked up by. */
const routeOf = (exchange: ExchangeFact): string => {
  const path = exchange.request.route ?? exchange.request.target.split('?')[0] ?? ''
  return `${exchange.request.method} ${path.replace(/^.*?\/(?=(?:rp|app)\/)/, '')}`
}

/** The path as people speak of it: `attestation/options`, `bind`. */
export const shortPath = (target: string): string => {
  const path = target.split('?')[0] ?? ''
  const inner = path.replace(/^.*?\/(?:rp|app)\//, '').replace(/^\//, '')
  return inner.replace(/^messages\/[\w-]+\//, '').replace(/^vault\/(.{8}).+$/, 'vault/$1…')
}
