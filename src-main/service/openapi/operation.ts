import type { ErrorName } from '../../contract/errors.ts'
import type { Schema } from './schema.ts'

/** What a document says of one call; its address and method come from the route. */
export type Operation = {
  readonly summary: string
  readonly description?: string
  readonly query?: readonly Parameter[]
  readonly headers?: readonly Parameter[]
  readonly body?: Schema
  /** What stands in `data` on success. */
  readonly data?: Schema
  /** Instead of data: a stream of server-sent events, and what the data of one is. */
  readonly events?: Schema
  /** The refusals of its own, beside those that every call has. */
  readonly errors: readonly ErrorName[]
  /** No credentials are needed. */
  readonly open?: true
}

export type Parameter = {
  readonly name: string
  readonly description: string
  readonly required?: true
  readonly schema: Schema
}
