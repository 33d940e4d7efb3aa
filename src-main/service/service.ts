import type { Log } from '../http/log.ts'
import type { Mount } from '../http/message.ts'
import type { Clock } from '../protocol/clock.ts'
import type { Observe } from '../protocol/exchange-event.ts'
import type { RandomStreams } from '../protocol/random.ts'
import type { Console } from './console/console.ts'
import type { Store } from './store/store.ts'

/** Known only once the server listens, hence functions. */
export type Addresses = {
  /** `http://localhost:7420/fido`, with `/w/<id>` for other workspaces; no slash at the end. */
  baseUrl(workspace: string): string
  appUrl(workspace: string): string
  /** Whether a Host header names this service: guards the app interface against foreign pages. */
  isOurHost(host: string): boolean
  /** Whether a page of this origin is one of our own. */
  isOurOrigin(origin: string): boolean
}

export type ServiceOptions = {
  readonly store: Store
  readonly clock: (workspace: string) => Clock
  readonly wall: Clock
  readonly random: RandomStreams
  readonly observe: Observe
  readonly log: Log
  readonly addresses: Addresses
  /** The path of base_url, default `/fido`. */
  readonly prefix?: string
}

export type Service = {
  readonly mounts: { readonly rp: Mount; readonly app: Mount }
  readonly console: Console
  /** For the server: whether a workspace is open, without waiting. */
  workspaceExists(id: string): boolean
  /** Ends inboxes and timers and waits for what is being written. The store is closed by who opened it. */
  close(): Promise<void>
}

/** Opens every workspace in the store; makes `main` when it is not there. */
export declare const createService: (options: ServiceOptions) => Promise<Service>
