export const MESSAGE_STATES = ['init', 'bind', 'success', 'fail', 'timeout'] as const

export type MessageState = (typeof MESSAGE_STATES)[number]

const MOVES = {
  init: ['bind', 'timeout'],
  bind: ['success', 'fail', 'timeout'],
  success: [],
  fail: [],
  timeout: [],
} as const satisfies Record<MessageState, readonly MessageState[]>

export const canMove = (from: MessageState, to: MessageState): boolean =>
  (MOVES[from] as readonly MessageState[]).includes(to)

/** The states before `to`, for the store's `WHERE state IN (…)`. */
export const statesBefore = (to: MessageState): readonly MessageState[] =>
  (Object.keys(MOVES) as MessageState[]).filter((from) => canMove(from, to))

const FINAL: ReadonlySet<string> = new Set(MESSAGE_STATES.filter((state) => MOVES[state].length === 0))

/** Takes any text, since a service under a fault may send an unknown status, which is not final. */
export const isFinal = (state: string): boolean => FINAL.has(state)

/** `success` and `fail` are reported once; `timeout` can be read again and again. */
export const isReportedOnce = (state: MessageState): boolean => state === 'success' || state === 'fail'

/** The machine word of a result’s error. */
export const failureWord = (error = ''): string => error.split(':')[0] ?? ''
