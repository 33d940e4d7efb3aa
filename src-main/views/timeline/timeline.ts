import type { Reason } from '../../core/contract/errors.ts'
import type { BenchEvent } from '../../core/contract/events.ts'
import type { RpCare, RpDoubt, RpVerdict } from '../../core/contract/rp-care.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'
import type { Lane, Look } from './look.ts'
import { Series } from './series.ts'

export type Row = Look & {
  /** The seq of its first event: stays the same while polls fold into it. */
  readonly id: number
  readonly to: Lane
  readonly wall: number
  readonly bench: number
  /** The seqs of the exchanges folded into this row, oldest first. */
  readonly seqs: Series<number>
  readonly tookUs?: number
  /** The armed faults of the service that affected its answer. */
  readonly struck?: readonly string[]
  /** Its text, shared with all rows that read the same. */
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
  /** It began before the first event read: its beginning is missing. */
  readonly cut?: true
}

export type Message = {
  readonly msgId: string
  readonly ceremony: MessageKind
  readonly rpId: string
  readonly userId: string
  readonly username: string
  /** Of a request by the bench's own RP simulator: the caller that made it. */
  readonly askedBy?: string
  /** A server of the RP’s own asked for it, and not the simulator. */
  readonly ofServer?: true
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
  readonly algorithm?: string
  /** The row in which it was judged. */
  readonly judgedIn?: number
  readonly disagrees?: boolean
  /** Armed faults of a phone that were triggered in this attempt. */
  readonly struck?: {
    readonly phoneId: string
    readonly faults: readonly string[]
  }
  readonly startedWall: number
  readonly startedBench: number
  readonly endedWall?: number
  /** The RP has read the final result. */
  readonly delivered: boolean
  /** Why the RP was refused the result, after which it stopped asking for it. */
  readonly unreadable?: Pick<Refusal, 'seq' | 'code' | 'reason'> | undefined
  readonly told?: Told
}

/** The own RP's reaction to a faulty answer. */
export type Told = {
  /** The row of the faulty answer. */
  readonly seq: number
  readonly faults: readonly string[]
  readonly care: RpCare
  readonly makes: RpVerdict
  /** The account shown since then. */
  readonly account?: string
  /** Why it refused. */
  readonly doubt?: RpDoubt
  /** The user that the answer names instead. */
  readonly names?: string
}

export type Timeline = {
  readonly groups: Series<Group>
  /** Ceremonies that began before this event may be missing; absent where nothing is. */
  readonly from?: number | undefined
  /** Most exchanges that it may have. */
  readonly most: number
  /** The group that changed last. */
  readonly touched?: string
  /** Events of exchanges that have not been seen themselves yet, by their request ids. */
  readonly pending: ReadonlyMap<string, Pending>
  readonly exchanges: number
  /** Of those, the ones no longer here; below zero where older ones were added. */
  readonly left: number
  /** The newest message that each RP was asked for, by `requestKey`. */
  readonly newest: Readonly<Record<string, string>>
  /** The last call that was refused without a message, by `requestKey`; the RP is '' where it is unknown. */
  readonly refusals: Readonly<Record<string, Refusal>>
  readonly own: OwnCalls
  readonly places: Places
}

export type Pending = {
  readonly msgId: string
  readonly moved?: MessageState
  readonly ended: boolean
  readonly judged?: true
  readonly pushes: readonly EventOf<'push'>[]
}

export type Refusal = {
  readonly seq: number
  readonly code: number
  readonly reason: Reason | undefined
  readonly registering: boolean
  readonly userId: string
  readonly username: string
}

export type EventOf<K extends BenchEvent['kind']> = Extract<BenchEvent, { kind: K }>

/**
 * Where groups stand, by what one asks for. Places never change, so that all timelines of one line share these maps,
 * and a lookup must check that the group is still there.
 */
export type Places = {
  readonly ofGroup: Map<string, number>
  readonly ofRow: Map<number, number>
  readonly ofDevice: Map<string, number>
  /** The exchanges that were sent again, with those that repeat them. */
  readonly repeats: Map<number, readonly number[]>
}

/** The start of a page's name in calls to the RP simulator. */
export const PAGE_PREFIX = 'page-'

export const isPage = (askedBy: string): boolean => askedBy.startsWith(PAGE_PREFIX)

/** One key for each page; scripts and scenarios share one, as they have no window. */
export const requestKey = (rpId: string, askedBy = ''): string => `${rpId} ${isPage(askedBy) ? askedBy : ''}`

/** Somewhat more than a user scrolls through; the oldest are removed, group by group. */
export const MOST_EXCHANGES = 20_000

export const newTimeline = (from?: number): Timeline => ({
  groups: Series.of<Group>(),
  ...(from === undefined ? {} : { from }),
  most: MOST_EXCHANGES,
  pending: new Map(),
  exchanges: 0,
  left: 0,
  newest: {},
  refusals: {},
  own: newOwnCalls(),
  places: { ofGroup: new Map(), ofRow: new Map(), ofDevice: new Map(), repeats: new Map() },
})

export const groupOf = ({ groups, places }: Timeline, id: string): Group | undefined => {
  const group = groups.get(places.ofGroup.get(id) ?? -1)
  return group?.id === id ? group : undefined
}

/** A row and its group, by the row's id. */
export const findRow = (
  { groups, places }: Timeline,
  id: number,
): { readonly group: Group; readonly row: Row } | undefined => {
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

/** The service refused the call, or the phone's answer in it. */
export const isRefused = ({ code, from, moved, route }: Pick<Row, 'code' | 'from' | 'moved' | 'route'>): boolean =>
  code !== undefined && (code !== 0 || (from === 'phone' && moved === 'fail' && !route.endsWith('/reject')))

/** The last call that the service refused. */
export type RefusedCall = { readonly seq: number; readonly code: number }

/** Progress of one RP’s own server. Calls of the RP simulator do not count. */
export type OwnServer = {
  /** Its latest call that was signed as it should be, whatever the answer. */
  readonly signed: number
  readonly refused?: RefusedCall
  /** The newest message that it asked for. */
  readonly asked?: string
  readonly scanned?: true
  /** The message of the first sign-in whose result it has read. */
  readonly signedIn?: string
}

export type OwnCalls = {
  readonly byRp: Readonly<Record<string, OwnServer>>
  /** Calls without a known RP as long as no signature is valid, by the access key that they name, or '' without one. */
  readonly byKey: Readonly<Record<string, RefusedCall>>
  /** An RP has called, whichever. */
  readonly any: boolean
}

const newOwnCalls = (): OwnCalls => ({ byRp: {}, byKey: {}, any: false })
