import type { ControlPhone } from '../contract/control/states.ts'

/** What this package throws: a code that stays the same, and what was said beside it. */
export class HandsetError<Code extends number | string = number | string> extends Error {
  override readonly name: string = 'HandsetError'
  readonly code: Code
  readonly data: unknown

  constructor(what: { readonly code: Code; readonly error: string; readonly data?: unknown }) {
    super(what.error)
    this.code = what.code
    this.data = what.data
  }
}

/** The program did not start: its exit code, or `timeout`. */
export class StartError extends HandsetError {
  override readonly name = 'StartError'
  /** The end of what it wrote on stderr. */
  readonly output: string

  constructor(what: { readonly code: number | 'timeout'; readonly error: string; readonly output: string }) {
    super(what)
    this.output = what.output
  }
}

export type EventSummary = { readonly seq: number; readonly kind: string; readonly text: string }

/** An event did not come in time. */
export class WaitError extends HandsetError<number> {
  override readonly name = 'WaitError'
  /** The latest events that came instead. */
  readonly came: readonly EventSummary[]

  constructor(what: { readonly code: number; readonly error: string; readonly came: readonly EventSummary[] }) {
    super(what)
    this.came = what.came
  }
}

/** A phone could not do something, or its answer was not accepted. The code is its machine word. */
export class PhoneError extends HandsetError<string> {
  override readonly name = 'PhoneError'
  /** What the phone shows instead, where it did the first step. */
  readonly came: ControlPhone['screen'] | undefined

  constructor(what: {
    readonly code: string
    readonly error: string
    readonly came?: ControlPhone['screen']
    readonly data?: unknown
  }) {
    super(what)
    this.came = what.came
  }
}
