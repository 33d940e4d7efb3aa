import type { VaultEntry } from '../../core/contract/app/routes.ts'
import type { Data } from '../../core/contract/control/routes.ts'
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
import type { MessageState } from '../../core/protocol/message-state.ts'
import type { Millis } from '../../core/protocol/time.ts'

/** Records as stored. Binary values are base64url text, so that an exported workspace is one JSON value. */
export type WorkspaceRecord = { readonly id: string; readonly created_at: Millis }

export type RpRecord = RpState & {
  /** The key of the user handles' HMAC. */
  readonly handle_key: string
}

export type AccessKeyRecord = Omit<AccessKeyState, 'last_used_at'> & { readonly secret: string }

export type KeyWithRp = { readonly key: AccessKeyRecord; readonly rp: RpRecord }

export type AccountRecord = Omit<ControlAccount, 'protected'> & {
  /** SHA-256 of the proof; without it, the account is open and has no vault. */
  readonly proof_hash?: string
}

export type DeviceRecord = Omit<ControlDevice, 'connected'> & {
  /** SHA-256 of the token. */
  readonly token_hash: string
  /** Number of pushes ever sent to the device; numbers its inbox events. */
  readonly push_count: number
}

/** `public_key`: the options that the bound device got, by which its answer is judged. */
export type MessageRecord = Omit<ControlMessage, 'url' | 'verdict'> & {
  readonly challenge: string
  readonly account?: string
  /** SHA-256 of the answer in canonical form, to recognize a repeated answer. */
  readonly answer_hash?: string
  readonly verdict?: unknown
}

/** The part of a message that result polling needs. */
export type MessageResult = Pick<
  MessageRecord,
  'id' | 'rp' | 'kind' | 'user_id' | 'state' | 'svc_user' | 'error' | 'expires_at' | 'delivered_at'
>

/** `messages_under_way`: those in a state that is not final. */
export type Counts = Omit<Data<'overview'>['counts'], 'phones'>

export type CredentialRecord = ControlCredential

export type PushRecord = {
  readonly device: string
  /** Counts from 1 within the device. */
  readonly n: number
  readonly msg_id: string
  readonly sent_at?: Millis
}

export type VaultRecord = VaultEntry & { readonly account: string; readonly updated_at: Millis }

/** `certificate`: DER, base64. */
export type RootRecord = Pick<RootState, 'id' | 'name' | 'certificate' | 'created_at'>

export type SnapshotRecord = SnapshotState & {
  /** WorkspaceExport and the caller's additional data, as JSON. */
  readonly content: string
}

/** Rows as stored, by table: for snapshots and exports. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>

/** For processes that use a store at the same time. */
export type SharedStore = {
  /** Returns the number of earlier process starts on this store. */
  countBoot(): Promise<number>
  /** Current heads of these workspaces; missing ones are left out. */
  heads(workspaces: readonly string[]): Promise<readonly WorkspaceHead[]>
  /**
   * Changes a setting based on its stored value, and stores it only if that is still unchanged: no change is lost.
   * False if `change` returns nothing.
   */
  changeSetting(workspace: string, name: string, change: (stored: unknown) => unknown): Promise<boolean>
  /** Counts a request of this minute; returns the count over all processes. */
  countRequest(workspace: string, request: { readonly accessKey: string; readonly minute: number }): Promise<number>
  readonly events: {
    append(events: readonly PendingEvent[]): Promise<void>
    /** Removes and returns events in the order of arrival. */
    take(limit: number): Promise<readonly PendingEvent[]>
  }
  /** The store's place for its one bench. */
  readonly bench: {
    readonly id: string
    /** Takes or renews the place; returns its holder. A place not renewed for `seconds` is free. */
    take(holder: Pick<BenchHolder, 'host' | 'pid'>, seconds: number): Promise<BenchHolder>
    release(id: string): Promise<void>
  }
  readonly listeners: {
    write(changed: { readonly opened: readonly InboxRef[]; readonly closed: readonly InboxRef[] }): Promise<void>
    /** Reports that this process still runs. False if its inboxes were removed in the meantime. */
    stay(): Promise<boolean>
    /** Devices that listen at processes that reported within the last `seconds`. */
    of(workspace: string, seconds: number): Promise<ReadonlySet<string>>
    leave(): Promise<void>
  }
  /** The devices of the bench's signed-in virtual phones, for processes without phones. */
  readonly phones: {
    know(workspace: string, devices: readonly PhoneDevice[]): Promise<void>
    isDevice(workspace: string, pair: PhoneDevice): Promise<boolean>
  }
  expiries(): Promise<ReadonlyMap<string, Millis>>
  /** The inboxes with new pushes or a deleted device. */
  withNews(inboxes: readonly InboxPosition[]): Promise<readonly ChangedInbox[]>
  readonly signals: Signals
  pool(): PoolFigures
  /** The database's clock, which all processes follow. */
  now(): Promise<Millis>
  /** Rejects if the database does not answer. */
  ping(): Promise<void>
}

export type PoolFigures = {
  readonly most: number
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

/** State that a process must check before it relies on its cached copy of a workspace. */
export type WorkspaceHead = {
  readonly id: string
  /** Changes when a workspace is opened again. */
  readonly opened: number
  /** Changes when the workspace's rows are replaced. */
  readonly row_key: string
  /** Changes when its rows are deleted or replaced. */
  readonly emptied: number
  /** Changes whenever a setting or one of the fields above changes. */
  readonly version: number
}

/** `seen` changes with each renewal. */
export type BenchHolder = { readonly id: string; readonly host: string; readonly pid: number; readonly seen: string }

/** An event or second opinion for the process that records it: its time, and its content as JSON. */
export type PendingEvent = {
  readonly workspace: string
  readonly wall: Millis
  readonly bench: Millis
  readonly draft: string
}

/** `last`: the number of its device's last push; undefined when the device is gone. */
type ChangedInbox = InboxRef & { readonly last: number | undefined }

export type PhoneDevice = { readonly phone: string; readonly device: string }

export type InboxRef = { readonly workspace: string; readonly device: string }

export type InboxPosition = InboxRef & { readonly after: number }

/** Hints between processes that something is new. A process also looks from time to time without them. */
export type Signals = {
  send(signal: Signal): void
  listen(listener: (signal: Signal) => void): () => void
  /** False behind some poolers, where signals never arrive. */
  arrive(): boolean
}

export type Signal =
  | { readonly about: 'events' }
  | { readonly about: 'pushes'; readonly workspace: string; readonly device: string }
  | { readonly about: 'inboxes ended'; readonly workspace: string; readonly device?: string }
  /** An event for the open inboxes of a device; it is not stored. */
  | { readonly about: 'inbox event'; readonly workspace: string; readonly device: string; readonly json: string }
  | { readonly about: 'opinion wanted'; readonly workspace: string; readonly msg_id: string }

/**
 * Keeps all persistent data. A write's promise resolves once the write is committed. A `boolean` is false if the row to
 * change does not exist or another caller was first. Lists are in order of creation.
 */
export type Store = {
  readonly workspaces: {
    list(): Promise<readonly WorkspaceRecord[]>
    insert(record: WorkspaceRecord): Promise<boolean>
    /** Also deletes the workspace's rows in every table. */
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
    /** Also deletes its keys, messages and credentials. */
    delete(workspace: string, id: string): Promise<boolean>
  }
  readonly accessKeys: {
    list(workspace: string): Promise<readonly AccessKeyRecord[]>
    get(workspace: string, id: string): Promise<AccessKeyRecord | undefined>
    /** The key and its RP, both as of one moment. */
    withRp(workspace: string, id: string): Promise<KeyWithRp | undefined>
    /** False if its RP does not exist. */
    insert(workspace: string, record: AccessKeyRecord): Promise<boolean>
    setState(workspace: string, id: string, state: AccessKeyRecord['state']): Promise<boolean>
    delete(workspace: string, id: string): Promise<AccessKeyRecord | undefined>
  }
  readonly accounts: {
    list(workspace: string): Promise<readonly AccountRecord[]>
    get(workspace: string, id: string): Promise<AccountRecord | undefined>
    byPhone(workspace: string, phone: string): Promise<AccountRecord | undefined>
    insert(workspace: string, record: AccountRecord): Promise<boolean>
    /** Also deletes its vault; false while a device is signed in to the account. */
    delete(workspace: string, id: string): Promise<boolean>
  }
  readonly devices: {
    list(workspace: string, filter?: { readonly account?: string }): Promise<readonly DeviceRecord[]>
    get(workspace: string, id: string): Promise<DeviceRecord | undefined>
    /** Without `push_count`, which changes too often to be cached. */
    byToken(workspace: string, tokenHash: string): Promise<Omit<DeviceRecord, 'push_count'> | undefined>
    /** False if its account does not exist. */
    insert(workspace: string, record: DeviceRecord): Promise<boolean>
    /** Also deletes its pushes. */
    delete(workspace: string, id: string): Promise<boolean>
  }
  readonly messages: MessageStore
  readonly credentials: {
    list(
      workspace: string,
      filter?: { readonly rp?: string; readonly user_id?: string; readonly account?: string },
    ): Promise<readonly CredentialRecord[]>
    get(workspace: string, rp: string, id: string): Promise<CredentialRecord | undefined>
    delete(
      workspace: string,
      what: { rp: string; user_id?: string; ids: readonly string[] },
    ): Promise<readonly CredentialRecord[]>
    /** Restores a deleted credential; false if its RP does not exist. */
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
    /** If `ifMatch` is undefined, stores the record only if the credential has none yet. */
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
  counts(workspace: string): Promise<Counts>
  /** All rows of a workspace but its snapshots. */
  rows(workspace: string, tables?: readonly string[]): Promise<Rows>
  /**
   * Replaces all rows in one step, however long writing them takes. The caller has checked the rows. False if the
   * workspace no longer exists.
   */
  replaceRows(workspace: string, rows: Rows, how?: ReplaceHooks): Promise<boolean>
  /** Key under which other modules keep data of the workspace. Each replacement of its rows makes a new key. */
  rowKey(workspace: string): string
  clear(workspace: string, tables: readonly string[]): Promise<void>
  readonly shared?: SharedStore
  /** Closes the store after pending writes are committed. */
  close(): Promise<void>
}

/** Data that other modules keep under the row key is replaced in the same step: no reader sees a mix. */
export type ReplaceHooks = {
  /** Called at the last moment: false if the workspace was closed meanwhile. */
  readonly isWanted?: () => boolean
  /** Called with the new key. An error ends the replacement. */
  readonly keep?: (key: string) => Promise<void>
  /** Called when the new key has become the workspace's key. */
  readonly switched?: () => void
  /** Called with the key that no workspace has now: the old one, or the new one if the workspace was closed. */
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
  /** Also inserts a push for each of these devices that is signed in, and returns it. Undefined if the RP is gone. */
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
  /** `init | bind → timeout`, before the expiry, which is set to `now`. */
  expireEarly(workspace: string, id: string, now: Millis): Promise<boolean>
  /** Marks a final result as delivered. True exactly once, for the first reader. */
  deliver(workspace: string, id: string, now: Millis): Promise<boolean>
  /** Open messages that are due to expire, in the order of their expiry. */
  due(workspace: string, now: Millis): Promise<readonly MessageRecord[]>
  /** Removes all messages that expired at or before `expiredBy`. */
  prune(workspace: string, expiredBy: Millis): Promise<number>
  /** The earliest expiry of an open message, and of any message. */
  horizon(workspace: string): Promise<{ readonly open?: Millis; readonly any?: Millis }>
}

/** Fields of the message that a move sets, and its time. */
type Move<Set extends keyof MessageRecord> = Required<Pick<MessageRecord, Set>> & { readonly now: Millis }

export type BindMove = Move<'device' | 'account' | 'svc_user' | 'public_key'>

export type FailMove = Move<'device' | 'error' | 'answer_hash'> & { readonly verdict?: unknown }

export type RegisterMove = Omit<FailMove, 'error'> & { readonly credential: CredentialRecord; readonly limit: number }

/** `lost`: the message was no longer open. `known`: the credential is registered already. */
export type RegisterOutcome = 'done' | 'lost' | 'known' | 'limit'

export type AuthenticateMove = Omit<FailMove, 'error'> &
  Pick<CredentialRecord, 'rp' | 'counter' | 'backup_state' | 'user_verified'> & {
    readonly credential_id: string
    /** The counter that the answer was judged against. */
    readonly counter_was: number
  }

/** `changed`: the credential is gone or was used since it was read. */
export type AuthenticateOutcome = 'done' | 'lost' | 'changed'

export type WorkspaceExport = {
  readonly format: 'handset-workspace'
  readonly version: number
  readonly tables: Rows
  readonly random: Readonly<Record<string, number>>
}
