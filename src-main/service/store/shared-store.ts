import type { Millis } from '../../core/protocol/time.ts'

/** For processes that use a store at the same time. */
export type SharedStore = {
  /** How many processes were started on this store before. */
  countBoot(): Promise<number>
  /** These workspaces as they are now; those that are not there are left out. */
  heads(workspaces: readonly string[]): Promise<readonly WorkspaceHead[]>
  /**
   * Changes a setting, based on the stored value and stored only while that is unchanged: no change is lost. False where
   * `change` returns nothing.
   */
  changeSetting(workspace: string, name: string, change: (stored: unknown) => unknown): Promise<boolean>
  /** Counts a request of this minute; how many there are now, over all processes. */
  countRequest(workspace: string, request: { readonly accessKey: string; readonly minute: number }): Promise<number>
  readonly events: {
    append(events: readonly PendingEvent[]): Promise<void>
    /** In the order of arrival; no other process gets them. */
    take(limit: number): Promise<readonly PendingEvent[]>
  }
  /** The place of the one bench. */
  readonly bench: {
    /** Id with which this process takes it. */
    readonly id: string
    /** Takes or renews it, and says who has it now. It is free when it was not renewed for so long. */
    take(holder: Pick<BenchHolder, 'host' | 'pid'>, seconds: number): Promise<BenchHolder>
    release(id: string): Promise<void>
  }
  /** The open inboxes of all processes. */
  readonly listeners: {
    /** Of this process. */
    write(changed: { readonly opened: readonly InboxRef[]; readonly closed: readonly InboxRef[] }): Promise<void>
    /** This process is still there. False: its inboxes have been forgotten in the meantime. */
    stay(): Promise<boolean>
    /** The devices that listen at a process that was there so many seconds ago. */
    of(workspace: string, seconds: number): Promise<ReadonlySet<string>>
    /** Forgets those of this process. */
    leave(): Promise<void>
  }
  /** The bench's virtual phones, by the devices as which they are signed in, for the processes that know no phones. */
  readonly phones: {
    know(workspace: string, devices: readonly PhoneDevice[]): Promise<void>
    isDevice(workspace: string, pair: PhoneDevice): Promise<boolean>
  }
  /** When the next open message of each workspace expires. */
  expiries(): Promise<ReadonlyMap<string, Millis>>
  /** Which of these inboxes have something new, or belong to a device that is gone. */
  stirred(inboxes: readonly InboxPosition[]): Promise<readonly StirredInbox[]>
  readonly signals: Signals
  /** The connections of this process. */
  pool(): PoolFigures
  /** Its clock, which leads those of the processes. */
  now(): Promise<Millis>
  /** Rejects if it does not answer. */
  ping(): Promise<void>
}

export type PoolFigures = {
  readonly most: number
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

/** State of a workspace that a process must check before it uses its memory of it. */
export type WorkspaceHead = {
  readonly id: string
  /** Changes when a workspace is opened again. */
  readonly opened: number
  /** Changes when its rows are replaced. */
  readonly row_key: string
  /** Changes when its rows are deleted or replaced. */
  readonly emptied: number
  /** Changes with each change of a setting, and with each of the above. */
  readonly version: number
}

/** `seen` changes with each renewal. */
export type BenchHolder = { readonly id: string; readonly host: string; readonly pid: number; readonly seen: string }

/** An event, or a second opinion, on its way to the process that records it: as JSON, and when it happened. */
export type PendingEvent = {
  readonly workspace: string
  readonly wall: Millis
  readonly bench: Millis
  readonly draft: string
}

/** `last`: the number of its device's last push; undefined when the device is gone. */
export type StirredInbox = { readonly workspace: string; readonly device: string; readonly last: number | undefined }

export type PhoneDevice = { readonly phone: string; readonly device: string }

export type InboxRef = { readonly workspace: string; readonly device: string }

export type InboxPosition = InboxRef & { readonly after: number }

/** Hints between processes that there is something new; a process that relies on one still looks from time to time. */
export type Signals = {
  send(signal: Signal): void
  /** To those of other processes. */
  listen(hear: (signal: Signal) => void): () => void
  /** False behind some poolers, where signals never arrive. */
  arrive(): boolean
}

export type Signal =
  | { readonly about: 'events' }
  | { readonly about: 'pushes'; readonly workspace: string; readonly device: string }
  | { readonly about: 'inboxes ended'; readonly workspace: string; readonly device?: string }
  /** Of a ceremony that one of them judged. */
  | { readonly about: 'opinion wanted'; readonly workspace: string; readonly msg_id: string }
