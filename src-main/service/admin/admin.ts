import type { Body } from '../../core/contract/control/routes.ts'
import { type FieldProblem, notFound, type Refusal, refuse } from '../../core/contract/errors.ts'
import type { SettingFact } from '../../core/contract/events.ts'
import type { ObjectKind } from '../../core/protocol/reasons.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type { Services } from '../services.ts'
import type { ReplaceHooks } from '../store/store.ts'

/** A body, with the new object's id if the caller knows it already. */
export type WithId<Id extends 'rps.create' | 'roots.add'> = Body<Id> & { readonly id?: string }

export type Outcome<T> = Promise<Result<T, Refusal>>

export type WorkspaceInfo = { readonly id: string; readonly created_at: Millis; readonly problem?: FieldProblem }

/** Start time of a new workspace, and setup that runs after its id is taken and before its first event. */
export type WorkspaceStart = { readonly at: Millis; readonly begin: () => void }

/** Other modules' data for a snapshot, kept under the snapshot's id. */
export type ExternalPart = { keep(id: string): Promise<void>; drop(id: string): void }

/** Other modules' data under the workspace's key, replaced in one step with the workspace. */
export type ExternalRows = Pick<ReplaceHooks, 'keep' | 'switched' | 'drop'>

export const notInBinRefusal = (kind: ObjectKind, id: string): Refusal =>
  refuse('not_found', { code: 'not_deleted_lately', params: { kind, id } })

export const cannotReturnRefusal = (kind: ObjectKind, id: string): Refusal =>
  refuse('wrong_state', { code: 'cannot_return', params: { kind, id } })

type Calls = Readonly<Record<string, (workspace: string, ...others: never[]) => Outcome<unknown>>>

type InWorkspaces<C extends Calls> = {
  readonly [K in keyof C]: (
    ...args: Parameters<C[K]>
  ) => Outcome<Extract<Awaited<ReturnType<C[K]>>, { readonly ok: true }>['value']>
}

/** Refuses the calls in a workspace that is not open. */
export const inWorkspaces = <C extends Calls>(services: Services, calls: C): InWorkspaces<C> =>
  Object.fromEntries<unknown>(
    Object.entries(calls).map(([name, call]) => [
      name,
      async (workspace: string, ...others: never[]) =>
        services.open.has(workspace) ? call(workspace, ...others) : err(notFound('workspace', workspace)),
    ]),
  ) as InWorkspaces<C>

export const recordSetting = (services: Services, workspace: string, fact: Omit<SettingFact, 'kind'>): void =>
  services.observe(workspace, { actor: { kind: 'control' }, kind: 'setting', ...fact })
