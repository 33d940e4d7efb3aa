import type { RowName } from '../../core/messages/timeline-words.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'

/** The three lifelines. */
export type Lane = 'rp' | 'service' | 'phone'

/** The text of a row, without time and count. Few exist, however many rows there are. */
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
  /** The state that this row brought about. */
  readonly moved?: MessageState
}

/** True if it is that row of the timeline: a call may have any other route as well. */
export const isRow = ({ route }: Pick<Look, 'route'>, name: RowName): boolean => route === name

/** Invented paths may create many: then the table is emptied, and equal looks exist twice. */
const MOST = 5_000
const looks = new Map<string, Look>()

/** The same object for all rows that read the same, so that a result computed for one is valid for all. */
export const lookOf = ({ kind, from, route, method, path, status, code, before, after, moved }: Look): Look => {
  const key = `${kind} ${from} ${route} ${path} ${status} ${code} ${before} ${after} ${moved}`
  const known = looks.get(key)
  if (known !== undefined) return known
  const look = { kind, from, route, method, path, status, code, before, after, moved } as Look
  if (looks.size >= MOST) looks.clear()
  looks.set(key, look)
  return look
}
