import type { Body, Data, Params, Query, RouteId } from '../../core/contract/control/routes.ts'
import type { Refusal } from '../../core/contract/errors.ts'
import type { Log } from '../../core/protocol/log.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import type { KeyedQueue } from '../../core/protocol/turns.ts'
import type { RawRequest, RawResponse } from '../../http/message.ts'
import type { OwnAddresses } from './bench-addresses.ts'
import type { Leases } from './leases/leases.ts'
import type { Caller, Callers, OneTimeCodes, Tokens } from './tokens.ts'
import type { WorkspaceLeases } from './unused-workspaces.ts'
import type { BenchSides, Workspaces } from './workspaces.ts'

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

export type ControlParts = BenchSides & {
  readonly callers: Callers
  readonly tokens: Tokens
  readonly info: Pick<Data<'bench.info'>, 'version' | 'pid' | 'node' | 'data_directory'>
  readonly pageFolder: string
  /** PEM of the bench's own certificate authority. */
  readonly authority: string | undefined
  readonly addresses: OwnAddresses
  readonly workspaces: Workspaces
  readonly leases: Leases
  readonly workspaceLeases: WorkspaceLeases
  readonly sessions: OneTimeCodes
  /** Changes that count towards a quota run one at a time in this queue. */
  readonly turns: KeyedQueue
  readonly seedOf: (workspace: string) => number | undefined
  readonly closing: AbortSignal
  readonly log: Log
}

export const addressesOf = ({ addresses }: Pick<ControlParts, 'addresses'>, workspace: string) => ({
  base_url: addresses.baseUrl(workspace),
  app_url: addresses.appUrl(workspace),
  control_url: addresses.controlUrl(workspace),
  ui_url: addresses.uiUrl(workspace),
  ...(addresses.target === undefined ? {} : { target: addresses.target }),
})
