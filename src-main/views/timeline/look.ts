import type { RowName } from '../../core/messages/en/timeline-words.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'

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
