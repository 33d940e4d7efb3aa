import type { RandomStreams } from '../protocol/random.ts'
import type { Result } from '../protocol/result.ts'
import type { Log } from './log.ts'
import type { Mount } from './message.ts'

export type ServerLimits = {
  /** All headers of one request together, in bytes. */
  readonly headerBytes: number
  /** The request target, in bytes. */
  readonly targetBytes: number
  /** A request whose head is not complete by then is refused. */
  readonly headersTimeoutMs: number
  /** A request whose body is not complete by then is refused. */
  readonly requestTimeoutMs: number
  /** A connection without a request is closed. */
  readonly keepAliveMs: number
  /** After this, close() cuts off what is still under way. */
  readonly closeMs: number
}

export type ServerOptions = {
  /** The longest prefix that fits answers. */
  readonly mounts: readonly Mount[]
  /** A path of a workspace that is not open is like any address that does not exist. */
  readonly workspaceExists: (id: string) => boolean
  /** Request ids come from `random.stream(workspace, <mount's prefix>, 'request')`. */
  readonly random: RandomStreams
  readonly log: Log
  readonly limits?: Partial<ServerLimits>
}

export type Listening = { readonly port: number; readonly hosts: readonly string[] }

export type HttpServer = {
  /**
   * Several hosts share one port; port 0 takes a free one. A loopback address the machine does not have (::1) is left
   * out; any other address that cannot be had is a refusal, in a sentence.
   */
  listen(where: { readonly port: number; readonly hosts: readonly string[] }): Promise<Result<Listening, string>>
  /** Takes no more requests, lets those under way finish, ends event streams; done within two seconds. */
  close(): Promise<void>
}

export declare const createServer: (options: ServerOptions) => HttpServer
