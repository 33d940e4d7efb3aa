import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errors, type Refusal, refuse } from '../core/contract/errors.ts'
import { type Bytes, concatAll } from '../core/protocol/bytes.ts'
import { type HeaderPair, pathAndQuery } from '../core/protocol/canonical-request.ts'
import { isWorkspaceId, MAIN_WORKSPACE, makeId } from '../core/protocol/ids.ts'
import type { Log } from '../core/protocol/log.ts'
import { errorMessage } from '../core/protocol/message-of.ts'
import type { RandomStreams } from '../core/protocol/random.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { isDiskRefusal, StoreUnavailable } from '../core/protocol/store-unavailable.ts'
import { refusalResponse } from './envelope-response.ts'
import {
  countHeaders,
  isNamed,
  type Mount,
  nowMicros,
  type RawRequest,
  type RawResponse,
  type RequestHead,
} from './message.ts'

/**
 * Returns a promise if another process may have opened or changed the workspace; it resolves once the cached state is
 * up to date. `again`: a check for this request has just resolved, so the cached state counts.
 */
export type WorkspaceExists = (id: string, again?: boolean) => boolean | Promise<boolean>

export type RequestHandlerOptions = {
  /** The mount with the longest matching prefix answers. */
  readonly mounts: readonly Mount[]
  /** A path of a workspace that is not open is refused like any unknown path. */
  readonly workspaceExists: WorkspaceExists
  /** Request ids come from `random.stream(workspace, <mount's prefix>, 'request')`. */
  readonly random: RandomStreams
  readonly log: Log
}

type Asked = { readonly method: string | undefined; readonly arrived: number; readonly route?: string | undefined }

export const createRequestHandler = (
  options: RequestHandlerOptions,
  limits: { readonly targetBytes: number; readonly bodyBytes: number },
) => {
  const mounts = options.mounts.toSorted((a, b) => b.prefix.length - a.prefix.length)
  const readBody = createBodyReader(limits.bodyBytes)
  const { log } = options
  const turnAway = createEarlyRefusal(options)

  /** Reads the body only if the mount accepts the head. */
  const answerTo = async (
    connection: Connection,
    { incoming, outgoing, at }: NodeRequestPair,
  ): Promise<RawResponse> => {
    const { url: line = '', method = '' } = incoming
    const asked = { method, arrived: at }
    if (connection.broken !== undefined && connection.latest === outgoing) return turnAway(connection.broken, asked)
    const coding = incoming.headers['transfer-encoding']
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
      // RFC 9112 section 6.1: a body in another coding has an unknown end, so the next request cannot be found.
      const refusal = refuse('unknown_transfer_coding', {
        code: 'expected_chunked',
        params: { got: JSON.stringify(coding) },
      })
      return { ...turnAway(refusal, asked), last: true }
    }
    if (line.length > limits.targetBytes) {
      return turnAway(
        refuse('target_too_long', { code: 'bytes_at_most', params: { count: limits.targetBytes } }),
        asked,
      )
    }
    const split = splitTarget(line)
    if (split === undefined) return turnAway(refuse('malformed_request', { code: 'path_expected' }), asked)
    const mount = mountOf(mounts, split.path)
    if (mount === undefined) return turnAway(refuse('no_route'), asked)
    const path = mount.prefix === '/' ? split.path : split.path.slice(mount.prefix.length)
    const known = (): Asked => ({ ...asked, route: mount.routeOf?.({ method, path }) })
    const ofProcess = mount.ofProcess === true && split.workspace === MAIN_WORKSPACE
    const there = ofProcess || mount.ofAbsent === true || options.workspaceExists(split.workspace)
    const absent = there === true ? undefined : await refusalIfAbsent(there)
    if (absent !== undefined) return turnAway(absent, known())
    const head: RequestHead = {
      id: makeId('request', options.random.stream(split.workspace, mount.prefix, 'request')),
      arrived: at,
      workspace: split.workspace,
      method,
      target: split.target,
      path,
      query: split.query,
      headers: headersOf(incoming.rawHeaders, split.authority),
    }
    const request = new ArrivedRequest(head, outgoing)
    // RFC 9112 section 3.2: a request without Host, or with two, is refused.
    const hosts = countHeaders(head.headers, 'host')
    // HTTP/1.0 requests need no Host: load balancers check health that way.
    const needless = ofProcess && hosts === 0 && incoming.httpVersion === '1.0'
    const refused = (refusal: Refusal): RawResponse =>
      refuseAt(mount, { request: new ArrivedRequest(head, outgoing), refusal, log })
    if (hosts !== 1 && !needless)
      return refused(refuse('malformed_request', { code: 'one_host_expected', params: { count: hosts } }))
    try {
      if (!hasBody(head.headers)) return await mount.answer(request)
      const allowed = mount.bodyLimit(head)
      const limit = typeof allowed === 'number' ? allowed : await allowed
      if (limit === 0) return await mount.answer(request)
      const cameWithHead = incoming.complete
      const sender = `${mount.prefix} ${split.workspace} ${mount.senderOf?.(head) ?? ''}`
      const body = await readBody(connection, incoming, { limit, sender })
      // The workspace may have been closed while the body was read.
      const open = options.workspaceExists(split.workspace, cameWithHead)
      const closed = open === true ? undefined : await refusalIfAbsent(open)
      if (closed !== undefined) return turnAway(closed, known())
      if (body.ok) {
        request.body = body.value
        return await mount.answer(request)
      }
      if (body.error === 'gone') return { status: 400, headers: [], body: '', lost: true }
      if (body.error.name === 'body_too_large') return refused(body.error)
      return turnAway(body.error, known())
    } catch (reason) {
      return refused(refusalOfThrown(reason, head, log))
    }
  }

  return { answerTo, turnAway }
}

/** Refuses before the workspace is known. `asked` is absent if the request's head is incomplete. */
export const createEarlyRefusal =
  ({ random, log }: Pick<RequestHandlerOptions, 'random' | 'log'>) =>
  (refusal: Refusal, asked?: Asked): RawResponse => {
    const id = makeId('request', random.stream(MAIN_WORKSPACE, 'http', 'request'))
    logRefused(log, refusal, { id, ...asked })
    return refusalResponse(refusal)
  }

/** Thrown errors end here: an unreachable store, or a bug, logged with the id that the answer has. */
export const refusalOfThrown = (reason: unknown, { id }: Pick<RequestHead, 'id'>, log: Log): Refusal => {
  const refusal = storeRefusal(reason)
  if (refusal !== undefined) {
    // Logs a second line next to the request's own, since the answer does not contain the error.
    log({ level: 'info', event: 'store unavailable', request: id, error: errorMessage(reason) })
    return refusal
  }
  const stack = reason instanceof Error ? reason.stack : undefined
  log({ level: 'error', event: 'bug', request: id, error: errorMessage(reason), stack })
  return refuse('internal', { code: 'in_log_as', params: { id } })
}

export const refusalIfAbsent = async (there: boolean | Promise<boolean>): Promise<Refusal | undefined> => {
  try {
    return (await there) ? undefined : refuse('no_route')
  } catch (reason) {
    const refusal = storeRefusal(reason)
    if (refusal === undefined) throw reason
    return refusal
  }
}

const mountOf = (mounts: readonly Mount[], path: string): Mount | undefined => {
  for (const mount of mounts) {
    const { prefix } = mount
    if (prefix === '/' || (path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'))) {
      return mount
    }
  }
  return undefined
}

/**
 * Makes `gone` only on use: few handlers need it, and an AbortController costs more than parsing the request. A class,
 * since an accessor in an object literal would give every request a different shape, which costs even more.
 */
class ArrivedRequest implements RawRequest {
  readonly id: string
  readonly arrived: number
  readonly workspace: string
  readonly method: string
  readonly target: string
  readonly path: string
  readonly query: string
  readonly headers: readonly HeaderPair[]
  body: Bytes = NOTHING
  readonly #outgoing: ServerResponse
  #gone: AbortSignal | undefined

  constructor(head: RequestHead, outgoing: ServerResponse) {
    this.id = head.id
    this.arrived = head.arrived
    this.workspace = head.workspace
    this.method = head.method
    this.target = head.target
    this.path = head.path
    this.query = head.query
    this.headers = head.headers
    this.#outgoing = outgoing
  }

  get gone(): AbortSignal {
    this.#gone ??= goneSignal(this.#outgoing)
    return this.#gone
  }
}

const goneSignal = (outgoing: ServerResponse): AbortSignal => {
  const gone = new AbortController()
  const { socket } = outgoing
  if (outgoing.destroyed || socket === null || socket.readableEnded) gone.abort()
  else {
    // A client that only ended its own side looks like one that left: it gets no further answer.
    const leave = (): void => {
      socket.off('end', leave)
      gone.abort()
    }
    socket.once('end', leave)
    outgoing.once('close', leave)
  }
  return gone.signal
}

const RETRY_S = 1

/** Undefined for a bug, that is, if the store is reachable and accepts data. */
const storeRefusal = (reason: unknown): Refusal | undefined => {
  if (isDiskRefusal(reason)) {
    return refuse('storage_full', { code: 'disk_says', params: { message: reason.message, code: reason.code } })
  }
  if (!(reason instanceof StoreUnavailable)) return undefined
  // The database's message contains its address, which belongs in the log only: any client may see the answer.
  return refuse(
    'store_unavailable',
    { code: 'try_again_in', params: { seconds: RETRY_S } },
    { headers: { 'Retry-After': String(RETRY_S) } },
  )
}

type SplitTarget = {
  readonly workspace: string
  /** Without workspace prefix; begins with `/`. */
  readonly path: string
  readonly query: string
  /** Path and query as on the request line; in an absolute-form target, the part after the authority. */
  readonly target: string
  /** Only in an absolute-form target. */
  readonly authority?: string
}

/** RFC 9112 section 3.2: origin-form, or absolute-form as proxies send it; undefined for any other form. */
export const splitTarget = (line: string): SplitTarget | undefined => {
  const absolute = line.startsWith('/') ? { target: line } : partsOfAbsolute(line)
  if (absolute === undefined) return undefined
  const { path: full, query } = pathAndQuery(absolute.target)
  const match = /^\/w\/([^/]*)(\/.*)?$/.exec(full)
  const workspace = match?.[1] ?? ''
  if (match === null || !isWorkspaceId(workspace)) return { ...absolute, workspace: MAIN_WORKSPACE, path: full, query }
  return { ...absolute, workspace, path: match[2] ?? '/', query }
}

const partsOfAbsolute = (line: string): { readonly target: string; readonly authority: string } | undefined => {
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(line) ?? []
  return authority === undefined ? undefined : { authority, target: rest.startsWith('/') ? rest : `/${rest}` }
}

/** RFC 9112 section 6.3: only these headers announce a body. */
const hasBody = (headers: readonly HeaderPair[]): boolean => {
  for (const [name, value] of headers) {
    if ((isNamed(name, 'content-length') && value !== '0') || isNamed(name, 'transfer-encoding')) return true
  }
  return false
}

/**
 * Reads whole bodies; refuses a body as soon as it is known to be too large or never complete. Bodies being read take
 * at most `mostBytes` together. Beyond that, the sender with the most bytes loses the connection of its largest body.
 */
const createBodyReader = (mostBytes: number) => {
  const reading = new Map<Connection, { readonly sender: string; size: number }>()
  let total = 0

  const leave = (connection: Connection): void => {
    total -= reading.get(connection)?.size ?? 0
    reading.delete(connection)
  }

  const take = (connection: Connection, size: number): void => {
    const taken = reading.get(connection)
    if (taken === undefined) return
    taken.size += size
    total += size
    if (total <= mostBytes) return
    const shares = new Map<string, number>()
    for (const each of reading.values()) shares.set(each.sender, (shares.get(each.sender) ?? 0) + each.size)
    const share = Math.max(...shares.values())
    const ofLargest = [...reading].filter(([, { sender }]) => shares.get(sender) === share)
    const [largest] = ofLargest.toSorted(([, one], [, other]) => other.size - one.size)[0] ?? []
    if (largest === undefined) return
    leave(largest)
    largest.socket.destroy()
  }

  return (
    connection: Connection,
    request: IncomingMessage,
    { limit, sender }: { readonly limit: number; readonly sender: string },
  ): Promise<Result<Bytes, Refusal | 'gone'>> => {
    const tooLarge = (): Result<Bytes, Refusal> =>
      err(refuse('body_too_large', { code: 'bytes_at_most', params: { count: limit } }))
    if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLarge())
    if (connection.broken !== undefined) return Promise.resolve(err(connection.broken))
    // A destroyed request emits no further event.
    if (request.destroyed) return Promise.resolve(err('gone'))
    // Most bodies arrive together with their head.
    if (request.complete) {
      const whole = readWhole(request)
      return Promise.resolve(whole.length > limit ? tooLarge() : ok(whole))
    }
    const { promise, resolve } = Promise.withResolvers<Result<Bytes, Refusal | 'gone'>>()
    const chunks: Uint8Array[] = []
    let size = 0
    let over = false
    const finish = (outcome: Result<Bytes, Refusal | 'gone'>): void => {
      if (over) return
      over = true
      leave(connection)
      chunks.length = 0
      connection.onBroken = undefined
      connection.phase = 'working'
      resolve(outcome)
    }
    reading.set(connection, { sender, size: 0 })
    connection.phase = 'receiving'
    connection.onBroken = (refusal) => finish(err(refusal))
    request.on('data', (chunk: Uint8Array) => {
      if (over) return
      size += chunk.length
      chunks.push(chunk)
      take(connection, chunk.length)
      if (size > limit) finish(tooLarge())
    })
    request.on('end', () => finish(ok(concatAll(chunks))))
    request.on('close', () => finish(err('gone')))
    request.on('error', () => finish(err('gone')))
    return promise
  }
}

/** Reads the body of a completely received request. From Node 26 on, each read returns one chunk. */
const readWhole = (request: IncomingMessage): Bytes => {
  const chunks: Uint8Array[] = []
  for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk)
  return concatAll(chunks)
}

export type NodeRequestPair = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** `nowMicros()` on arrival. */
  readonly at: number
}

export type BegunRequest = { readonly connection: Connection; readonly arrival: NodeRequestPair }

type SharedState = {
  /** Requests on all connections that wait for an earlier answer on theirs. */
  waiting: number
  readonly mostWaiting: number
  begin(begun: BegunRequest): void
}

/** A connection with so many waiting requests is not read until they are answered. */
const PIPELINED = 16

/**
 * One socket and its requests. Requests are handled one at a time, each after the previous answer was handed to the
 * system, so a client that does not read its answers cannot send more requests.
 */
export class Connection {
  readonly socket: Socket
  /** True if a request came since the last search for a connection to evict. */
  used = false
  /** True after a parser error or a timeout: further data of the client is ignored. */
  spoilt = false
  broken: Refusal | undefined
  onBroken: ((refusal: Refusal) => void) | undefined
  /** `answered`: no request is being handled; the answer may be on its way, or no request has arrived yet. */
  phase: 'answered' | 'receiving' | 'working' = 'answered'
  latest: ServerResponse | undefined
  #current: ServerResponse | undefined
  #waiting: NodeRequestPair[] = []
  #full = false
  readonly #share: SharedState

  constructor(socket: Socket, share: SharedState) {
    this.socket = socket
    this.#share = share
    // Once a socket has left the parser, as CONNECT does, it has no other error listener.
    socket.on('error', () => undefined)
    // The parser resumes the socket after each message.
    socket.on('resume', () => this.#full && socket.pause())
    socket.once('close', () => this.#drop())
  }

  get idle(): boolean {
    return this.phase === 'answered' && (this.#current === undefined || this.#current.writableFinished)
  }

  arrive(arrival: NodeRequestPair): void {
    this.used = true
    this.latest = arrival.outgoing
    if (this.idle && this.#waiting.length === 0) {
      this.#begin(arrival)
      return
    }
    if (this.#share.waiting >= this.#share.mostWaiting) {
      this.socket.destroy()
      return
    }
    this.#share.waiting++
    if (this.#waiting.push(arrival) === 1) this.#current?.once('close', () => this.#next())
    if (this.#waiting.length < PIPELINED || this.#full) return
    this.#full = true
    this.socket.pause()
  }

  afterLatest(speak: () => void): void {
    if (this.latest === undefined || this.latest.closed) speak()
    else this.latest.once('close', speak)
  }

  #begin(arrival: NodeRequestPair): void {
    this.#current = arrival.outgoing
    this.phase = 'working'
    this.#share.begin({ connection: this, arrival })
  }

  #next(): void {
    // An answer that ends the connection is the last: later requests are dropped.
    if (this.socket.destroyed || this.socket.writableEnded) return
    const arrival = this.#waiting.shift()
    if (arrival === undefined) return
    this.#share.waiting--
    this.socket.setTimeout(0)
    if (this.#waiting.length > 0) arrival.outgoing.once('close', () => this.#next())
    else if (this.#full) {
      this.#full = false
      this.socket.resume()
    }
    this.#begin(arrival)
  }

  /** Requests that wait on a closed socket are never begun. */
  #drop(): void {
    this.#share.waiting -= this.#waiting.length
    this.#waiting = []
  }
}

export type Connections = ReturnType<typeof createConnections>

/** Beyond the limit, evicts the oldest idle connection, or else the oldest with a slow client, or else the newest. */
export const createConnections = (most: number, share: SharedState) => {
  const open = new Map<Socket, Connection>()

  const makeRoom = (newest: Connection): void => {
    if (open.size <= most) return
    const spare = oldestIdle(newest) ?? oldestUnfinished(newest) ?? newest
    spare.socket.destroy()
    open.delete(spare.socket)
  }

  /** Second-chance eviction: a connection with a request since the last search moves to the end of the queue. */
  const oldestIdle = (newest: Connection): Connection | undefined => {
    let looks = open.size * 2
    for (const [socket, connection] of open) {
      if (looks-- === 0) return undefined
      if (connection === newest || !connection.idle) continue
      if (!connection.used) return connection
      connection.used = false
      open.delete(socket)
      open.set(socket, connection)
    }
    return undefined
  }

  /** The oldest connection whose client is slow to send its request or to read its answer. */
  const oldestUnfinished = (newest: Connection): Connection | undefined => {
    for (const connection of open.values()) {
      if (connection !== newest && connection.phase !== 'working') return connection
    }
    return undefined
  }

  return {
    add: (socket: Socket): void => {
      const connection = new Connection(socket, share)
      open.set(socket, connection)
      socket.once('close', () => open.delete(socket))
      makeRoom(connection)
    },
    of: (socket: Socket): Connection | undefined => open.get(socket),
    forget: (socket: Socket): void => void open.delete(socket),
    /** Ends connections without a complete request. */
    closeIdle: (): void => {
      for (const { socket, phase, idle } of open.values()) if (idle || phase === 'receiving') socket.destroy()
    },
    closeAll: (): void => {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}

const NOTHING: Bytes = new Uint8Array(0)

/** Refuses a request that no mount took or whose mount threw, and writes the request's one log line. */
export const refuseAt = (mount: Mount, { request, refusal, log }: Refused): RawResponse => {
  if (mount.refuse !== undefined) return mount.refuse(request, refusal)
  logRefused(log, refusal, { ...request, route: mount.routeOf?.(request) })
  return refusalResponse(refusal)
}

type Refused = { readonly request: RawRequest; readonly refusal: Refusal; readonly log: Log }

const logRefused = (log: Log, refusal: Refusal, asked: Partial<Asked> & { readonly id: string }): void => {
  const { status, code } = errors[refusal.name]
  const { id, method, route, arrived } = asked
  const took_us = arrived === undefined ? undefined : nowMicros() - arrived
  log({ level: 'info', event: 'request refused', request: id, method, route, status, code, took_us })
}

/** RFC 9112 section 3.2.2: the host of an absolute-form target replaces the Host header. */
const headersOf = (raw: readonly string[], authority: string | undefined): readonly HeaderPair[] => {
  const out = new Array<HeaderPair>(raw.length / 2)
  for (let i = 0; i < out.length; i++) {
    const name = raw[2 * i] ?? ''
    out[i] = [name, authority !== undefined && isNamed(name, 'host') ? authority : (raw[2 * i + 1] ?? '')]
  }
  return out
}
