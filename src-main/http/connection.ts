import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from '../core/contract/errors.ts'

export type Arrival = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** A reading of the stopwatch. */
  readonly at: number
}

/** State shared by all connections of a server. */
export type ConnectionShare = {
  /** Requests that wait for the answer before theirs, on all connections. */
  waiting: number
  readonly mostWaiting: number
  begin(connection: Connection, arrival: Arrival): void
}

/** A connection with so many waiting requests is not read until they are answered. */
const PIPELINED = 16

/**
 * One socket and its requests. They are worked on one after the other, each when the answer before it was handed to the
 * system: a client that does not read its answers is not read either.
 */
export class Connection {
  readonly socket: Socket
  /** A request came since the last search for a connection to evict. */
  used = false
  /** The parser or a timeout gave up on the client's data: the rest of it is ignored. */
  spoilt = false
  /** Why the latest request will never be whole. */
  broken: Refusal | undefined
  /** Called when it breaks while a body is read. */
  onBroken: ((refusal: Refusal) => void) | undefined
  /** `answered`: no request is being handled; the answer may be on its way, or no request has arrived yet. */
  phase: 'answered' | 'receiving' | 'working' = 'answered'
  /** Of the latest request. */
  latest: ServerResponse | undefined
  #current: ServerResponse | undefined
  #waiting: Arrival[] = []
  #full = false
  readonly #share: ConnectionShare

  constructor(socket: Socket, share: ConnectionShare) {
    this.socket = socket
    this.#share = share
    // Once a socket has left the parser, as CONNECT does, it has no other error listener.
    socket.on('error', () => undefined)
    // The parser resumes the socket after each message.
    socket.on('resume', () => this.#full && socket.pause())
    socket.once('close', () => this.#drop())
  }

  /** No request or answer is in progress. */
  get idle(): boolean {
    return this.phase === 'answered' && (this.#current === undefined || this.#current.writableFinished)
  }

  arrive(arrival: Arrival): void {
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

  /** Waits for the previous answer before it answers. */
  afterLatest(speak: () => void): void {
    if (this.latest === undefined || this.latest.closed) speak()
    else this.latest.once('close', speak)
  }

  #begin(arrival: Arrival): void {
    this.#current = arrival.outgoing
    this.phase = 'working'
    this.#share.begin(this, arrival)
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

/** All connections of a server, oldest first. When there are too many, the one that is least missed gives way. */
export type Connections = {
  add(socket: Socket): void
  of(socket: Socket): Connection | undefined
  /** It counts no longer; the socket stays. */
  forget(socket: Socket): void
  /** Ends connections without a complete request. */
  closeIdle(): void
  closeAll(): void
}

export const createConnections = (most: number, share: ConnectionShare): Connections => {
  const open = new Map<Socket, Connection>()

  const makeRoom = (newest: Connection): void => {
    if (open.size <= most) return
    const spare = oldestIdle(newest) ?? oldestUnfinished(newest) ?? newest
    spare.socket.destroy()
    open.delete(spare.socket)
  }

  /** Second chance: a connection with a request since the last search is moved to the end of the queue. */
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

  /** The client is slow to send its request or to read its answer. */
  const oldestUnfinished = (newest: Connection): Connection | undefined => {
    for (const connection of open.values()) {
      if (connection !== newest && connection.phase !== 'working') return connection
    }
    return undefined
  }

  return {
    add: (socket) => {
      const connection = new Connection(socket, share)
      open.set(socket, connection)
      socket.once('close', () => open.delete(socket))
      makeRoom(connection)
    },
    of: (socket) => open.get(socket),
    forget: (socket) => void open.delete(socket),
    closeIdle: () => {
      for (const { socket, phase, idle } of open.values()) if (idle || phase === 'receiving') socket.destroy()
    },
    closeAll: () => {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
