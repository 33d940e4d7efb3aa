import type { Millis } from '../../protocol/time.ts'

/** What a store can do for processes that use it at the same time. */
export type SharedStore = {
  /** How many processes were started on this store before. */
  countBoot(): Promise<number>
  /** These workspaces as they are now; those that are not there are left out. */
  heads(workspaces: readonly string[]): Promise<readonly WorkspaceHead[]>
  /** Counts a request of this minute; how many there are now, over all processes. */
  countRequest(workspace: string, request: { readonly accessKey: string; readonly minute: number }): Promise<number>
  readonly events: {
    append(events: readonly PendingEvent[]): Promise<void>
    /** In the order of their coming; nobody else gets them. */
    take(limit: number): Promise<readonly PendingEvent[]>
  }
  /** When the next open message of each workspace expires. */
  expiries(): Promise<ReadonlyMap<string, Millis>>
  /** Which of these inboxes have something new, or belong to a device that is gone. */
  stirred(inboxes: readonly InboxPosition[]): Promise<readonly StirredInbox[]>
  readonly signals: Signals
  /** Whether it answers. */
  ping(): Promise<void>
}

/** What a process must know of a workspace before it uses anything that it remembers of it. */
export type WorkspaceHead = {
  readonly id: string
  /** Another one for a workspace that is opened again. */
  readonly opened: number
  /** Another one after its rows were replaced. */
  readonly row_key: string
  /** Another one after its rows were deleted or replaced. */
  readonly emptied: number
  /** Another one after each change of a setting, and after each of the above. */
  readonly version: number
}

/** An event on its way to the process that records it: a draft as JSON, and when it happened. */
export type PendingEvent = {
  readonly workspace: string
  readonly wall: Millis
  readonly bench: Millis
  readonly draft: string
}

/** `last`: the number of its device's last push; undefined when the device is gone. */
export type StirredInbox = { readonly workspace: string; readonly device: string; readonly last: number | undefined }

export type InboxPosition = { readonly workspace: string; readonly device: string; readonly after: number }

/** Hints between processes that something is worth a look; whoever relies on one looks from time to time anyway. */
export type Signals = {
  send(signal: Signal): void
  /** Those of other processes. */
  listen(hear: (signal: Signal) => void): () => void
  /** Whether they arrive: behind some poolers they never do. */
  arrive(): boolean
}

export type Signal =
  | { readonly about: 'events' }
  | { readonly about: 'pushes'; readonly workspace: string; readonly device: string }
  | { readonly about: 'inboxes ended'; readonly workspace: string; readonly device?: string }
