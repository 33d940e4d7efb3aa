import type { Conditions, ConditionsPart } from '../../core/contract/conditions.ts'
import type { Body, Query } from '../../core/contract/control/routes.ts'
import type { ArmedServiceFault, NewServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type {
  AccessKeyState,
  ControlAccount,
  ControlCredential,
  ControlDevice,
  ControlMessage,
  RootState,
  RpState,
  SnapshotState,
} from '../../core/contract/control/states.ts'
import type { WorkspaceAbout } from '../../core/contract/control/workspace-about.ts'
import { type FieldProblem, notFound, type Refusal, refuse } from '../../core/contract/errors.ts'
import type { SettingFact } from '../../core/contract/events.ts'
import type { Profile } from '../../core/contract/profile.ts'
import type { Scope } from '../../core/contract/scope.ts'
import type { RefusedRequest, SignatureExplanation } from '../../core/judge/signing/explain-signature.ts'
import type { ObjectKind } from '../../core/protocol/reasons.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import type { KeptClock, Millis } from '../../core/protocol/time.ts'
import type { SecondOpinions } from '../second-opinion/opinions.ts'
import type { Services } from '../services.ts'
import type { Counts, ReplaceHooks, WorkspaceExport } from '../store/store.ts'

/**
 * Control's contract has validated the inputs. Every change observes its own event (`setting`, `workspace`,
 * `credential`, `device`), so callers add none. An unknown name or a workspace that is not open is `not_found`.
 */
export type Admin = {
  readonly workspaces: {
    /** Includes damaged ones: they have a `problem` and can only be closed. */
    list(): Promise<readonly WorkspaceInfo[]>
    /** Called when its data elsewhere (its phones) cannot be read. */
    setAside(id: string, problem: FieldProblem): void
    /** `already_exists` when it is open. A new workspace has no RP and the default profile. */
    open(id: string, about?: WorkspaceAbout, start?: WorkspaceStart): Outcome<WorkspaceInfo>
    /** Owner, quota and the like: kept by reset, import and restore. */
    about(id: string): WorkspaceAbout
    setAbout(id: string, change: (before: WorkspaceAbout) => WorkspaceAbout): Outcome<WorkspaceAbout>
    /** `main` cannot be closed (`wrong_state`). */
    close(id: string): Outcome<null>
    /** Removes messages, credentials, accounts, devices and vault; with `settings` also RPs, keys, roots, profile and conditions. */
    reset(id: string, how?: { readonly settings?: boolean }): Outcome<null>
    counts(id: string): Outcome<Counts>
    /** Includes secrets. */
    export(id: string): Outcome<WorkspaceExport>
    /** Replaces all of the workspace, its clock as well if one is given, atomically. Snapshots stay. */
    import(id: string, value: unknown, clock?: KeptClock, others?: ExternalRows): Outcome<null>
    /** Key under which other modules keep data of the workspace. Each replacement makes a new key. */
    rowKey(id: string): string
  }
  readonly rps: {
    list(workspace: string): Outcome<readonly RpState[]>
    get(workspace: string, id: string): Outcome<RpState>
    create(workspace: string, input: WithId<'rps.create'> & Pick<RpState, 'origins'>): Outcome<RpState>
    patch(workspace: string, id: string, input: Body<'rps.patch'>): Outcome<RpState>
    /** Also deletes its keys, messages and credentials. */
    delete(workspace: string, id: string): Outcome<null>
  }
  readonly accessKeys: {
    list(workspace: string, rp: string): Outcome<readonly AccessKeyState[]>
    /** Draws a missing id or secret at random. Only the answers of this call and of `reveal` have the secret. */
    create(workspace: string, rp: string, input?: Body<'keys.create'>): Outcome<AccessKeyWithSecret>
    patch(workspace: string, id: string, input: Body<'keys.patch'>): Outcome<AccessKeyState>
    delete(workspace: string, id: string): Outcome<null>
    /** Restores the key with its id, secret and state; `wrong_state` if its RP is gone. */
    undelete(workspace: string, rp: string, id: string): Outcome<AccessKeyState>
    reveal(workspace: string, id: string): Outcome<AccessKeyWithSecret>
  }
  readonly clock: {
    /** Called before a clock moves, so that messages of other processes expire as well. */
    prepare(workspace: string): Promise<void>
    /** Awaited before a clock change is answered, so that the change outlives the process. Its own event reports it. */
    keep(workspace: string, clock: KeptClock): Outcome<null>
  }
  readonly profile: {
    get(workspace: string): Outcome<Profile>
    /** In effect from the next request on. */
    patch(workspace: string, part: Partial<Profile>): Outcome<Profile>
    reset(workspace: string): Outcome<Profile>
  }
  readonly messages: {
    /** Newest first. */
    list(workspace: string, filter?: Query<'messages.list'>): Outcome<readonly ControlMessage[]>
    /** The true state, independent of what was delivered. Reading it here never consumes a result. */
    get(workspace: string, id: string): Outcome<ControlMessage>
    /** Expires a message that is under way, without moving the clock. */
    expire(workspace: string, id: string): Outcome<ControlMessage>
    nextExpiry(workspace: string): Outcome<Millis | null>
  }
  readonly credentials: {
    /** Oldest first. */
    list(workspace: string, filter?: Query<'credentials.list'>): Outcome<readonly ControlCredential[]>
    get(workspace: string, id: string): Outcome<ControlCredential>
    /** Without `rp`, deletes the credential of the first RP that has this id. */
    delete(workspace: string, id: string, rp?: string): Outcome<null>
    /** Undoes one of the last 20 deletions of any kind, including those by an RP. */
    undelete(workspace: string, id: string): Outcome<ControlCredential>
  }
  readonly accounts: {
    list(workspace: string): Outcome<readonly ControlAccount[]>
    /** Also deletes its vault; `wrong_state` while a device is signed in to the account. */
    delete(workspace: string, id: string): Outcome<null>
  }
  readonly devices: {
    list(workspace: string): Outcome<readonly ControlDevice[]>
    signOut(workspace: string, id: string): Outcome<null>
  }
  readonly roots: {
    list(workspace: string): Outcome<readonly RootState[]>
    /** PEM, or base64 of the DER. */
    add(workspace: string, input: WithId<'roots.add'>): Outcome<RootState>
    delete(workspace: string, id: string): Outcome<null>
    undelete(workspace: string, id: string): Outcome<RootState>
  }
  readonly conditions: {
    get(workspace: string): Outcome<Conditions>
    /** Merges a part into the current ones; counters (`fail_next`, `lose_next`) count down as they apply. */
    patch(workspace: string, part: ConditionsPart): Outcome<Conditions>
    /** Merges a part into normal conditions; other scopes keep theirs. */
    replace(workspace: string, part: ConditionsPart): Outcome<Conditions>
    reset(workspace: string, scope?: Scope): Outcome<Conditions>
  }
  /** Simulated faults of the service towards RPs. */
  readonly faults: {
    list(workspace: string): Outcome<readonly ArmedServiceFault[]>
    arm(workspace: string, fault: NewServiceFault): Outcome<ArmedServiceFault>
    /** Disarms one, or all; returns the rest. */
    disarm(workspace: string, id?: string): Outcome<readonly ArmedServiceFault[]>
  }
  readonly snapshots: {
    list(workspace: string): Outcome<readonly SnapshotState[]>
    /** `extra` is kept unchanged and returned by restore: state that other modules own (clock, phones). */
    create(
      workspace: string,
      input: { readonly name: string; readonly extra?: unknown },
      others?: ExternalPart,
    ): Outcome<SnapshotState>
    /** Restores everything but the snapshots, random streams included. */
    restore(
      workspace: string,
      id: string,
      clockOf?: (extra: unknown) => KeptClock,
      others?: ExternalRows,
    ): Outcome<{ readonly snapshot: SnapshotState; readonly extra: unknown }>
    delete(workspace: string, id: string): Outcome<null>
    undelete(workspace: string, id: string, others?: ExternalPart): Outcome<SnapshotState>
  }
  /** Documents of the bench as a whole, which belong to no workspace: no reset, import or restore of one touches them. */
  readonly documents: {
    get(name: string): Promise<unknown>
    set(name: string, value: unknown): Promise<void>
    delete(name: string): Promise<void>
  }
  /** The second verifier's opinion of a ceremony: `of` forms a missing one now, `listen` reports each new one. */
  readonly secondOpinions: Pick<SecondOpinions, 'of' | 'listen'>
  readonly signatures: {
    /** Finds the mistake in a refused request's signature by trying every usual one. Takes a second at most. */
    explain(workspace: string, request: RefusedRequest): Outcome<SignatureExplanation>
  }
  /** Resolves when the effects of the clocks' alarms are committed and observed. Call it after moving a clock. */
  settled(): Promise<void>
}

/** A body, with the new object's id if the caller knows it already. */
export type WithId<Id extends 'rps.create' | 'roots.add'> = Body<Id> & { readonly id?: string }

export type Outcome<T> = Promise<Result<T, Refusal>>

export type WorkspaceInfo = { readonly id: string; readonly created_at: Millis; readonly problem?: FieldProblem }

/** Start time of a new workspace, and setup that runs after its id is taken and before its first event. */
export type WorkspaceStart = { readonly at: Millis; readonly begin: () => void }

export type AccessKeyWithSecret = AccessKeyState & { readonly secret: string }

/** Other modules' data for a snapshot, kept under the snapshot's id. */
export type ExternalPart = { keep(id: string): Promise<void>; drop(id: string): void }

/** Other modules' data under the workspace's key, replaced in one step with the workspace. */
export type ExternalRows = Pick<ReplaceHooks, 'keep' | 'switched' | 'drop'>

export type AdminParts = { readonly services: Services }

export const notInBinRefusal = (kind: ObjectKind, id: string): Refusal =>
  refuse('not_found', { code: 'not_deleted_lately', params: { kind, id } })

export const cannotReturnRefusal = (kind: ObjectKind, id: string): Refusal =>
  refuse('wrong_state', { code: 'cannot_return', params: { kind, id } })

type Calls = Readonly<Record<string, (workspace: string, ...others: never[]) => Outcome<unknown>>>

/** Refuses the calls in a workspace that is not open. */
export const inWorkspaces = <C extends Calls>({ services }: AdminParts, calls: C): C =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      async (workspace: string, ...others: never[]) =>
        services.open.has(workspace) ? call(workspace, ...others) : err(notFound('workspace', workspace)),
    ]),
  ) as C

export const recordSetting = (parts: AdminParts, workspace: string, fact: Omit<SettingFact, 'kind'>): void =>
  parts.services.observe(workspace, { actor: { kind: 'control' }, kind: 'setting', ...fact })
