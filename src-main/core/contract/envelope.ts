/** What every response of every interface looks like. */
export type Envelope<T = unknown> = {
  readonly code: number
  readonly data: T
  readonly error: string
}
