import type { FieldProblem } from '../../core/contract/reasons.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type {
  AccessKeyRecord,
  AccountRecord,
  Counts,
  CredentialRecord,
  DeviceRecord,
  KeyWithRp,
  MessageRecord,
  MessageResult,
  PushRecord,
  RootRecord,
  Rows,
  RpRecord,
  SnapshotRecord,
  VaultRecord,
  WorkspaceRecord,
} from './records.ts'
import type { SharedStore } from './shared-store.ts'

/**
 * Where everything lasting is kept. A write's promise resolves once it is committed. `boolean` says whether the
 * statement found the row to change: false means that another caller was first, or that the row does not exist.
 * Lists are in order of making.
 */
export type Store = {
  readonly workspaces: {
    list(): Promise<readonly WorkspaceRecord[]>
    insert(record: WorkspaceRecord): Promise<boolean>
    /** With every row of every table. */
    delete(id: string): Promise<boolean>
  }
  /** Documents of a workspace: profile, conditions. */
  readonly settings: {
    get(workspace: string, name: string): Promise<unknown>
    set(workspace: string, name: string, value: unknown): Promise<void>
    delete(workspace: string, name: string): Promise<void>
  }
  readonly rps: {
    list(workspace: string): Promise<readonly RpRecord[]>
    get(workspace: string, id: string): Promise<RpRecord | undefined>
    insert(workspace: string, record: RpRecord): Promise<boolean>
    update(workspace: string, id: string, part: Partial<Pick<RpRecord, 'name' | 'rp_id' | 'origins'>>): Promise<boolean>
    /** With its keys, messages and credentials. */
    delete(workspace: string, id: string): Promise<boolean>
  }
  readonly accessKeys: {
    list(workspace: string): Promise<readonly AccessKeyRecord[]>
    get(workspace: string, id: string): Promise<AccessKeyRecord | undefined>
    /** With its RP, both as they were at one moment. */
    withRp(workspace: string, id: string): Promise<KeyWithRp | undefined>
    /** Only with its RP. */
    insert(workspace: string, record: AccessKeyRecord): Promise<boolean>
    setState(workspace: string, id: string, state: AccessKeyRecord['state']): Promise<boolean>
    /** Returns the deleted one. */
    delete(workspace: string, id: string): Promise<AccessKeyRecord | undefined>
  }
  readonly accounts: {
    list(workspace: string): Promise<readonly AccountRecord[]>
    get(workspace: string, id: string): Promise<AccountRecord | undefined>
    byPhone(workspace: string, phone: string): Promise<AccountRecord | undefined>
    insert(workspace: string, record: AccountRecord): Promise<boolean>
    /** With its vault; only when no device is signed in to it. */
    delete(workspace: string, id: string): Promise<boolean>
  }
  readonly devices: {
    list(workspace: string, filter?: { readonly account?: string }): Promise<readonly DeviceRecord[]>
    get(workspace: string, id: string): Promise<DeviceRecord | undefined>
    /** The device; its push numbers go on in the meantime. */
    byToken(workspace: string, tokenHash: string): Promise<Omit<DeviceRecord, 'push_count'> | undefined>
    /** Only with its account. */
    insert(workspace: string, record: DeviceRecord): Promise<boolean>
    /** With its pushes. */
    delete(workspace: string, id: string): Promise<boolean>
  }
  readonly messages: MessageStore
  readonly credentials: {
    list(
      workspace: string,
      filter?: { readonly rp?: string; readonly user_id?: string },
    ): Promise<readonly CredentialRecord[]>
    get(workspace: string, rp: string, id: string): Promise<CredentialRecord | undefined>
    /** Returns the deleted ones. */
    delete(
      workspace: string,
      what: { rp: string; user_id?: string; ids: readonly string[] },
    ): Promise<readonly CredentialRecord[]>
    /** Puts back what was deleted; only with its RP. */
    insert(workspace: string, record: CredentialRecord): Promise<boolean>
  }
  readonly pushes: {
    /** Pushes above `after` whose message is neither finished nor expired. */
    open(workspace: string, what: { device: string; after: number; now: Millis }): Promise<readonly PushRecord[]>
    markSent(workspace: string, what: { device: string; n: number; now: Millis }): Promise<boolean>
  }
  readonly vault: {
    list(workspace: string, account: string): Promise<readonly VaultRecord[]>
    get(workspace: string, account: string, credentialId: string): Promise<VaultRecord | undefined>
    /** `ifMatch` undefined: only if there is none yet. */
    put(workspace: string, record: VaultRecord, ifMatch: string | undefined): Promise<boolean>
    delete(workspace: string, what: { account: string; credential_id: string; ifMatch?: string }): Promise<boolean>
  }
  readonly roots: {
    list(workspace: string): Promise<readonly RootRecord[]>
    insert(workspace: string, record: RootRecord): Promise<boolean>
    delete(workspace: string, id: string): Promise<boolean>
  }
  readonly snapshots: {
    list(workspace: string): Promise<readonly Omit<SnapshotRecord, 'content'>[]>
    get(workspace: string, id: string): Promise<SnapshotRecord | undefined>
    insert(workspace: string, record: SnapshotRecord): Promise<boolean>
    delete(workspace: string, id: string): Promise<boolean>
  }
  /** How many there are, without reading them. */
  counts(workspace: string): Promise<Counts>
  /** All rows of a workspace but its snapshots. */
  rows(workspace: string, tables?: readonly string[]): Promise<Rows>
  /**
   * Replaces them, in one step, however long it takes to write them. A refusal names the field that does not fit, and
   * changes nothing; `gone`: there is no such workspace any more.
   */
  replaceRows(workspace: string, rows: Rows, how?: Replacing): Promise<Result<void, FieldProblem | 'gone'>>
  /** Key under which others keep data of the workspace's rows: a new one each time they are replaced. */
  rowKey(workspace: string): string
  /** Deletes all rows of these tables. */
  clear(workspace: string, tables: readonly string[]): Promise<void>
  /** Of a store that other processes use at the same time. */
  readonly shared?: SharedStore
  /** After pending writes are committed. */
  close(): Promise<void>
}

/** Data that others keep under the rows' key is replaced in the same step: no reader sees a mix of old and new. */
export type Replacing = {
  /** Called at the last moment: false if the workspace was closed meanwhile. */
  readonly isWanted?: () => boolean
  /** Gets the new key. An error ends the replacing. */
  readonly keep?: (key: string) => Promise<void>
  /** The new key is valid from here on. */
  readonly switched?: () => void
  /** Of the key that no workspace has now: the old one, or the new one after a refusal. */
  readonly drop?: (key: string) => void
}

export type MessageStore = {
  get(workspace: string, id: string): Promise<MessageRecord | undefined>
  /** `toDeliver`: the caller marks a final result delivered before it answers, so this need not wait for the disk. */
  result(workspace: string, id: string, how?: { readonly toDeliver: boolean }): Promise<MessageResult | undefined>
  /** Newest first. */
  list(
    workspace: string,
    filter: { rp?: string; user_id?: string; state?: MessageState; limit: number },
  ): Promise<readonly MessageRecord[]>
  /** With a push for each of these devices that is signed in; returns those pushes. Undefined: its RP is gone. */
  insert(
    workspace: string,
    record: MessageRecord,
    pushTo: readonly string[],
  ): Promise<readonly PushRecord[] | undefined>
  /** `init → bind`, before the expiry. */
  bind(workspace: string, id: string, to: BindMove): Promise<boolean>
  /** `bind → fail`, by the bound device, before the expiry. */
  fail(workspace: string, id: string, to: FailMove): Promise<boolean>
  /** `bind → success`, and the new credential. */
  register(workspace: string, id: string, to: RegisterMove): Promise<RegisterOutcome>
  /** `bind → success`, and the credential's use. */
  authenticate(workspace: string, id: string, to: AuthenticateMove): Promise<AuthenticateOutcome>
  /** `init | bind → timeout`, at or after the expiry. */
  expire(workspace: string, id: string, now: Millis): Promise<boolean>
  /** `init | bind → timeout`, before the expiry, which is now from then on. */
  expireEarly(workspace: string, id: string, now: Millis): Promise<boolean>
  /** The first read of a final result: true exactly once. */
  deliver(workspace: string, id: string, now: Millis): Promise<boolean>
  /** Open messages whose time has come, in the order of their expiry. */
  due(workspace: string, now: Millis): Promise<readonly MessageRecord[]>
  /** Removes all that expired at or before this. */
  prune(workspace: string, expiredBy: Millis): Promise<number>
  /** The next expiry of an open message, and the earliest expiry of all. */
  horizon(workspace: string): Promise<{ readonly open?: Millis; readonly any?: Millis }>
}

export type BindMove = {
  readonly device: string
  readonly account: string
  readonly svc_user: string
  readonly public_key: unknown
  readonly now: Millis
}

export type FailMove = {
  readonly device: string
  readonly error: string
  readonly answer_hash: string
  readonly verdict?: unknown
  readonly now: Millis
}

export type RegisterMove = Omit<FailMove, 'error'> & {
  readonly credential: CredentialRecord
  readonly limit: number
}

/** `lost`: the message was not open any more. `known`: the credential is registered already. */
export type RegisterOutcome = 'done' | 'lost' | 'known' | 'limit'

export type AuthenticateMove = Omit<FailMove, 'error'> & {
  readonly credential_id: string
  readonly rp: string
  /** The counter that the answer was judged against. */
  readonly counter_was: number
  readonly counter: number
  readonly backup_state: boolean
  readonly user_verified: boolean
}

/** `changed`: the credential is gone or was used since it was read. */
export type AuthenticateOutcome = 'done' | 'lost' | 'changed'
