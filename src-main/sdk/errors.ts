/** What this package throws: a code that stays the same, and what came instead of what was expected. */
export class HandsetError extends Error {
  override readonly name: string = 'HandsetError'
  readonly code: number
  /** What the service or the bench said beside it. */
  readonly data: unknown

  constructor(what: { readonly code: number; readonly error: string; readonly data?: unknown }) {
    super(what.error)
    this.code = what.code
    this.data = what.data
  }
}

/** The program did not start; `output` is what it wrote, and the code is how it ended. */
export class StartError extends HandsetError {
  override readonly name = 'StartError'
  readonly output: string

  constructor(what: { readonly code: number; readonly error: string; readonly output: string }) {
    super(what)
    this.output = what.output
  }
}
