import type { ErrorName } from './errors.ts'
import type { Schema, ValueOf } from './schema.ts'

/** One call of an interface: types, validation, clients and the OpenAPI document all come from it. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the interface's own address, with parameters as `{name}`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  /** Deprecated: the replacement, as a sentence. */
  readonly deprecated?: string
  /** Open to callers without credentials. */
  readonly open?: true
  /** Answers with server-sent events, each of the form of `data`, instead of an envelope. */
  readonly stream?: true
  readonly params?: Schema
  readonly query?: Schema
  /** Described, not validated: headers with a meaning in HTTP itself. */
  readonly headers?: Schema
  readonly body?: Schema
  /** The longest body in bytes, where that is not the usual limit. */
  readonly bodyLimit?: number
  readonly data: Schema
  /** Additional refusals, next to those that every call of the interface has. */
  readonly errors?: readonly ErrorName[]
}

/** Of a route that does not say otherwise. */
export const BODY_LIMIT = 64 * 1024

export type RouteTable<R extends Route = Route> = Readonly<Record<string, R>>

/** The input of a handler of the route: validated, with the types of the contract. */
export type Part<R, K extends 'params' | 'query' | 'body'> = R extends { readonly [P in K]: infer S }
  ? S extends Schema
    ? ValueOf<S>
    : undefined
  : undefined

export type Input<R> = {
  readonly params: Part<R, 'params'>
  readonly query: Part<R, 'query'>
  readonly body: Part<R, 'body'>
}

export type DataOf<R extends Route> = ValueOf<R['data']>
