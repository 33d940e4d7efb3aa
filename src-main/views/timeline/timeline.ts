import type { Reason } from '../../core/contract/errors.ts'
import type { EventOf, StageEvent } from '../../core/contract/events.ts'
import type { RowName } from '../../core/messages/en/timeline-words.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'
import { Series } from './series.ts'

export type Row = Look & {
  /** The seq of the row's first event; it stays the same while polls are folded into the row. */
  readonly id: number
  readonly to: Lane
  readonly wall: number
  readonly bench: number
  /** The seqs of the exchanges folded into this row, oldest first. */
  readonly seqs: Series<number>
  readonly tookUs?: number
  readonly struck?: readonly string[]
  /** The row's text, shared with all rows that have the same text. */
  readonly look: Look
}

export type Group = {
  readonly id: string
  readonly seq: number
  readonly wall: number
  readonly bench: number
  readonly rows: Series<Row>
  /** The subject of the group; absent for calls that belong to no message. */
  readonly message?: Message
  /** The group began before the first event that was read, so its beginning is missing. */
  readonly cut?: true
}

export type Message = {
  readonly msgId: string
  readonly ceremony: MessageKind
  readonly rpId: string
  readonly userId: string
  readonly username: string
  /** For a request by the RP simulator: the caller that made it. */
  readonly askedBy?: string
  /** The RP’s own server requested the message, not the simulator. */
  readonly ofServer?: true
  readonly method?: 'qrcode' | 'push'
  readonly url: string
  readonly expiresAt: number
  readonly state: MessageState
  readonly svcUser?: string
  readonly deviceId?: string
  readonly error?: string
  /** The seq of the judge's verdict. */
  readonly verdict?: number
  readonly algorithm?: string
  /** The row in which the message was judged. */
  readonly judgedIn?: number
  readonly disagrees?: boolean
  /** Armed faults of a phone that were triggered in this ceremony. */
  readonly struck?: { readonly phoneId: string; readonly faults: readonly string[] }
  readonly startedWall: number
  readonly startedBench: number
  readonly endedWall?: number
  /** The RP has read the final result. */
  readonly delivered: boolean
  /** Why the RP was refused the result, after which it stopped polling. */
  readonly unreadable?: Pick<Refusal, 'seq' | 'code' | 'reason'> | undefined
  readonly told?: FaultReaction
}

export type FaultReaction = Pick<EventOf<'decision'>, 'care' | 'made' | 'account' | 'doubt' | 'named'> & {
  /** The row of the faulty answer. */
  readonly seq: number
  readonly faults: readonly string[]
}

export type Timeline = {
  readonly groups: Series<Group>
  /** Ceremonies that began before this event may be missing; undefined if none are. */
  readonly from?: number | undefined
  /** Maximum number of exchanges in the timeline. */
  readonly most: number
  /** The group that changed last. */
  readonly touched?: string
  /** Effects of exchanges that have not arrived themselves yet, by request id. */
  readonly pending: ReadonlyMap<string, PendingEffects>
  readonly exchanges: number
  /** Number of these exchanges that were evicted; negative if older ones were added. */
  readonly left: number
  /** The newest message that each RP requested, by `requestKey`. */
  readonly newest: Readonly<Record<string, string>>
  /** The last call that was refused without a message, by `requestKey`; an unknown RP is ''. */
  readonly refusals: Readonly<Record<string, Refusal>>
  readonly own: OwnCalls
  readonly places: GroupPlaces
}

export type PendingEffects = {
  readonly msgId: string
  readonly moved?: MessageState
  readonly ended: boolean
  readonly judged?: true
  readonly stages: readonly StageEvent[]
}

export type Refusal = {
  readonly seq: number
  readonly code: number
  readonly reason: Reason | undefined
  readonly registering: boolean
  readonly userId: string
  readonly username: string
}

/**
 * The places of groups, by several keys. Places never change, so a timeline and those made from it share these maps.
 * A lookup must check that the group still exists.
 */
export type GroupPlaces = {
  readonly ofGroup: Map<string, number>
  readonly ofRow: Map<number, number>
  readonly ofDevice: Map<string, number>
  /** Resent exchanges, with the exchanges that repeat them. */
  readonly repeats: Map<number, readonly number[]>
}

export const PAGE_PREFIX = 'page-'

export const isPageName = (askedBy: string): boolean => askedBy.startsWith(PAGE_PREFIX)

/** One key for each RP and page; scripts and scenarios share one key, because they have no window. */
export const requestKey = (rpId: string, askedBy = ''): string => `${rpId} ${isPageName(askedBy) ? askedBy : ''}`

/** More exchanges than a user scrolls through; the oldest are evicted, group by group. */
export const MAX_EXCHANGES = 20_000

export const newTimeline = (from?: number): Timeline => ({
  groups: Series.of<Group>(),
  ...(from === undefined ? {} : { from }),
  most: MAX_EXCHANGES,
  pending: new Map(),
  exchanges: 0,
  left: 0,
  newest: {},
  refusals: {},
  own: { byRp: {}, byKey: {}, any: false },
  places: { ofGroup: new Map(), ofRow: new Map(), ofDevice: new Map(), repeats: new Map() },
})

export const groupOf = ({ groups, places }: Timeline, id: string): Group | undefined => {
  const group = groups.get(places.ofGroup.get(id) ?? -1)
  return group?.id === id ? group : undefined
}

export const findRow = ({ groups, places }: Timeline, id: number) => {
  const group = groups.get(places.ofRow.get(id) ?? -1)
  const row = group?.rows.findLast((each) => each.id === id)
  return group === undefined || row === undefined ? undefined : { group, row }
}

/** A read of a result that did not change or end the message. */
export const isPoll = (row: Pick<Row, 'kind' | 'method' | 'route' | 'moved' | 'before' | 'after'>): boolean =>
  row.kind === 'exchange' &&
  row.method === 'GET' &&
  row.route.endsWith('/result') &&
  row.moved === undefined &&
  row.before === row.after

export const isRefused = ({ code, from, moved, route }: Pick<Row, 'code' | 'from' | 'moved' | 'route'>): boolean =>
  code !== undefined && (code !== 0 || (from === 'phone' && moved === 'fail' && !route.endsWith('/reject')))

export type RefusedCall = { readonly seq: number; readonly code: number }

/** Calls of the user's own server, not of the RP simulator. */
export type OwnServer = {
  /** The server's latest call with a valid signature, whatever the response. */
  readonly signed: number
  readonly refused?: RefusedCall
  /** The newest message that the server requested. */
  readonly asked?: string
  readonly scanned?: true
  /** The message of the first sign-in whose result the server has read. */
  readonly signedIn?: string
}

export type OwnCalls = {
  readonly byRp: Readonly<Record<string, OwnServer>>
  /** Refused calls without a known RP, by the access key ID that they name, or '' without one. */
  readonly byKey: Readonly<Record<string, RefusedCall>>
  /** Any RP has called. */
  readonly any: boolean
}

export type Lane = 'rp' | 'service' | 'phone'

/** The text of a row without time and count. There are few different looks, however many rows there are. */
export type Look = {
  readonly kind: 'exchange' | 'push' | 'moment'
  readonly from: Lane
  readonly route: string
  readonly method: string
  readonly path: string
  readonly status?: number
  readonly code?: number
  /** The message's state above and below this row; undefined where its lane has not begun or has ended. */
  readonly before?: MessageState
  readonly after?: MessageState
  readonly moved?: MessageState
}

/** A call may also have any unknown route. */
export const isRow = ({ route }: Pick<Look, 'route'>, name: RowName): boolean => route === name

/** Maximum number of looks in the table. If invented paths exceed it, it is cleared, and equal looks exist twice. */
const MAX_LOOKS = 5_000
const looks = new Map<string, Look>()

/** Returns the same object for all rows with the same text, so that computed results can be shared. */
export const internLook = ({ kind, from, route, method, path, status, code, before, after, moved }: Look): Look => {
  const key = `${kind} ${from} ${route} ${path} ${status} ${code} ${before} ${after} ${moved}`
  const known = looks.get(key)
  if (known !== undefined) return known
  const look = { kind, from, route, method, path, status, code, before, after, moved } as Look
  if (looks.size >= MAX_LOOKS) looks.clear()
  looks.set(key, look)
  return look
}
