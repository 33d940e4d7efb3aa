import type { Body, Data, Params, Query, RouteId } from '../../core/contract/control/routes.ts'
import type { Refusal } from '../../core/contract/errors.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import type { RawRequest, RawResponse } from '../../http/message.ts'
import type { Caller } from './tokens.ts'

export type Call<Id extends RouteId> = {
  readonly workspace: string
  readonly params: Params<Id>
  readonly query: Query<Id>
  readonly body: Body<Id>
  readonly request: RawRequest
  readonly caller: Caller
}

export type Answer<T> = Promise<Result<T, Refusal>>

/** Makes an answer's data from a result; a refusal is returned unchanged. */
export const answerWith = async <T, D>(result: Result<T, Refusal> | Answer<T>, make: (value: T) => D): Answer<D> => {
  const done = await result
  return done.ok ? ok(make(done.value)) : done
}

export type Handlers<Id extends RouteId> = {
  readonly [K in Id]: K extends 'events.stream' | 'leases.hold'
    ? (call: Call<K>) => RawResponse | Answer<never>
    : (call: Call<K>) => Answer<Data<K>>
}

export type RouteIds<T> = Extract<keyof T, RouteId>
