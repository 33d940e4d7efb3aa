import type { Schema } from '../schema.ts'

/** One line of the control interface: types, validation, the client and the OpenAPI document all come from it. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/control/v1`, with parameters as `{name}`. */
  readonly path: `/${string}`
  /** `bench`: only without a workspace in the address. `workspace`: also as `/w/<id>/control/v1…`. */
  readonly scope: 'bench' | 'workspace'
  readonly summary: string
  /** Open to callers without a token. */
  readonly open?: true
  /** Answers with server-sent events, each of the form of `data`, instead of an envelope. */
  readonly stream?: true
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  /** The longest body in bytes, where that is not the usual limit. */
  readonly bodyLimit?: number
  readonly data: Schema
  /** Its answer may have many megabytes. */
  readonly large?: true
}

/** Of a route that does not say otherwise. */
export const BODY_LIMIT = 64 * 1024

export type RouteTable = Readonly<Record<string, Route>>
