import { readFileSync } from 'node:fs'
import { createServer as createNodeServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server as NetServer, Socket } from 'node:net'
import { type ErrorName, type Reason, type Refusal, refuse } from '../core/contract/errors.ts'
import type { StartProblem } from '../core/contract/start-problems.ts'
import { createBatcher } from '../core/protocol/batcher.ts'
import { MAIN_WORKSPACE, makeId } from '../core/protocol/ids.ts'
import { ok, orNothing, type Result } from '../core/protocol/result.ts'
import {
  type BegunRequest,
  createConnections,
  createRequestHandler,
  type RequestHandlerOptions,
  refusalOfThrown,
} from './answer-request.ts'
import { refusalResponse } from './envelope-response.ts'
import { bindAll, type ListenAddresses } from './listeners.ts'
import { nowMicros, type RawResponse } from './message.ts'
import { watchHandshakes } from './tls-handshakes.ts'
import { rawHead, writeResponse } from './write-response.ts'

export type ServerLimits = Readonly<typeof defaultLimits>

type ParserError = Error & { readonly code?: string; readonly rawPacket?: Uint8Array }

/** Errors of Node's parser, by code; any other error is a malformed request. */
const NAMES: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Undefined if the client has gone. */
const clientErrorRefusal = (reason: ParserError): Refusal | undefined => {
  if (reason.code === 'ECONNRESET' || reason.code === 'EPIPE') return undefined
  const name = NAMES[reason.code ?? ''] ?? 'malformed_request'
  if (name === 'headers_too_large' && isOverlongLine(reason.rawPacket)) return refuse('target_too_long')
  return refuse(name, reasonOf(reason))
}

/** Node counts the request line as headers; if it fills most of the limit, the target is too long. */
const isOverlongLine = (packet: Uint8Array = new Uint8Array(0)): boolean => {
  const start = Buffer.from(packet.subarray(0, 32)).toString('latin1')
  const end = packet.indexOf(10)
  return /^[A-Z]{3,10} [/h]/.test(start) && (end < 0 || end > LONG_LINE)
}

const LONG_LINE = 8 * 1024

/** llhttp's codes are words by themselves: `HPE_INVALID_METHOD` is "invalid method". */
const reasonOf = ({ code = '' }: ParserError): Reason | undefined =>
  code.startsWith('HPE_') && NAMES[code] === undefined
    ? { code: 'parser_says', params: { words: code.slice(4).toLowerCase().replaceAll('_', ' ') } }
    : undefined

/** Writes a whole response where Node has made no response object, and ends the connection in any case. */
const answerSocket = (socket: Socket, response: RawResponse, { lingerMs }: { readonly lingerMs: number }): void => {
  const body = Buffer.from(response.body)
  const head = rawHead(response, [
    ['Content-Length', String(body.length)],
    ['Connection', 'close'],
  ])
  socket.end(Buffer.concat([Buffer.from(head), body]))
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** Used if the system does not report its limit. */
const USUAL = 16_000

const descriptorLimit = (): number => {
  const limits = orNothing(() => readFileSync('/proc/self/limits', 'latin1')) ?? ''
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? USUAL : Math.min(Number(soft), MAX_CONNECTIONS)
}

/** More connections would take too much memory. */
const MAX_CONNECTIONS = 100_000

const defaultLimits = {
  /** All headers of one request together with its first line, in bytes. */
  headerBytes: 32 * 1024,
  targetBytes: 8 * 1024,
  /** A request whose head takes longer to arrive is refused. */
  headersTimeoutMs: 10_000,
  /** A request that takes longer to arrive as a whole is refused. */
  requestTimeoutMs: 20_000,
  /** A connection without a request for this long is closed. */
  keepAliveMs: 65_000,
  /** A client that does not read its answer for this long is cut off. */
  unreadMs: 30_000,
  /** A client that still sends when it is refused has this long to read the refusal. */
  lingerMs: 1_000,
  /** close() cuts off requests that are unfinished after this time. */
  closeMs: 1_000,
  /**
   * Maximum number of connections; beyond it, one that waits for its client is closed. The other descriptors are for
   * files, and for the calls of the bench's own phones and RPs.
   */
  connections: Math.floor(descriptorLimit() * 0.75),
  /** Maximum number of pipelined requests, over all connections. */
  waitingRequests: 10_000,
  /** Maximum memory for all bodies being read, together. */
  bodyBytes: 96 * 1024 * 1024,
  /** An event stream with more unread bytes is cut off. */
  streamBytes: 4 * 1024 * 1024,
}

export type ServerOptions = RequestHandlerOptions & {
  readonly limits?: Partial<ServerLimits>
  /** If set, the server accepts only https. Both members are PEM. */
  readonly tls?: { readonly certificate: string; readonly key: string } | undefined
}

export type HttpServer = ReturnType<typeof createServer>

export const createServer = (options: ServerOptions) => {
  const limits = { ...defaultLimits, ...options.limits }
  const { answerTo, turnAway } = createRequestHandler(options, limits)
  const streams = new Set<() => void>()
  const last = { ...limits, close: true }
  let servers: readonly NetServer[] = []
  let closing = false
  let draining = false

  // Handles the requests of one event-loop turn together, and sends their answers together: code and data stay in the
  // CPU's caches, and sleeping clients are woken together.
  const arrived = createBatcher<BegunRequest>(setImmediate, (all) => {
    for (const begun of all) void work(begun)
  })
  const answered = createBatcher<{ readonly begun: BegunRequest; readonly answer: RawResponse }>(
    process.nextTick,
    (all) => {
      for (const { begun, answer } of all) send(answer, begun)
    },
  )

  const work = async (begun: BegunRequest): Promise<void> => {
    const answer = await answerTo(begun.connection, begun.arrival)
    if (answer.stream === undefined) answered.add({ begun, answer })
    else send(answer, begun)
  }
  const connections = createConnections(limits.connections, {
    waiting: 0,
    mostWaiting: limits.waitingRequests,
    begin: arrived.add,
  })

  /** An answer that cannot be written is a bug, and ends at most its own connection. */
  const write = (outgoing: ServerResponse, answer: RawResponse): (() => void) | undefined => {
    try {
      return writeResponse(outgoing, answer, draining ? last : limits)
    } catch (reason) {
      const id = makeId('request', options.random.stream(MAIN_WORKSPACE, 'http', 'request'))
      const refusal = refusalOfThrown(reason, { id }, options.log)
      if (outgoing.headersSent) {
        outgoing.destroy()
        return undefined
      }
      // Node keeps a reason phrase even after refusing it.
      outgoing.statusMessage = ''
      return writeResponse(outgoing, refusalResponse(refusal), last)
    }
  }

  const send = (answer: RawResponse, { connection, arrival: { outgoing } }: BegunRequest): void => {
    const end = write(outgoing, answer)
    if (end === undefined) {
      connection.phase = 'answered'
      return
    }
    if (closing) {
      end()
      return
    }
    streams.add(end)
    outgoing.once('close', () => streams.delete(end))
  }

  const answerError = (reason: Error, socket: Socket): void => {
    const connection = connections.of(socket)
    if (connection === undefined || connection.spoilt) return
    connection.spoilt = true
    const refusal = clientErrorRefusal(reason)
    const { latest } = connection
    if (refusal === undefined || !socket.writable) socket.destroy()
    else if (latest === undefined || latest.closed || latest.req.complete) {
      connection.afterLatest(() => answerSocket(socket, turnAway(refusal), limits))
    } else {
      // The request's own answer reports the refusal, in order: a second answer would be read as part of the first.
      connection.broken = refusal
      connection.onBroken?.(refusal)
    }
  }

  const settings = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    requireHostHeader: false,
    noDelay: true,
  }
  const arrive = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
    connections.of(incoming.socket)?.arrive({ incoming, outgoing, at: nowMicros() })

  const makePlain = (): Server => createNodeServer(settings, arrive).on('connection', connections.add)

  const makeSecure = ({ certificate, key }: NonNullable<ServerOptions['tls']>): Server => {
    const server = createTlsServer({ ...settings, cert: certificate, key, ciphers: CIPHERS }, arrive)
    watchHandshakes(server, {
      connections,
      limitMs: limits.headersTimeoutMs,
      answerPlain: (socket) =>
        answerSocket(socket, turnAway(refuse('malformed_request', { code: 'https_expected' })), limits),
    })
    return server
  }

  const make = (): Server => {
    const server = options.tls === undefined ? makePlain() : makeSecure(options.tls)
    // A client that ends its side after its requests still gets their answers.
    Object.assign(server, { httpAllowHalfOpen: true })
    server.on('checkExpectation', ({ method, socket }: IncomingMessage, outgoing: ServerResponse) => {
      const connection = connections.of(socket)
      if (connection !== undefined) connection.latest = outgoing
      const answer = turnAway(refuse('malformed_request', { code: 'only_100_continue' }), {
        method,
        arrived: nowMicros(),
      })
      writeResponse(outgoing, answer, last)
    })
    server.on('connect', ({ method }: IncomingMessage, socket: Socket) => {
      const answer = turnAway(refuse('no_route', { code: 'no_proxy' }), { method, arrived: nowMicros() })
      connections.of(socket)?.afterLatest(() => answerSocket(socket, answer, limits))
    })
    server.on('clientError', (reason: Error, socket: Socket) => answerError(reason, socket))
    return server
  }

  return {
    /**
     * All hosts share one port; without hosts, the server listens on loopback. Port 0 takes a free port. A loopback
     * address that the machine does not have (::1) is left out; any other unavailable address is a refusal.
     */
    listen: async (where: ListenAddresses): Promise<Result<ListenAddresses, StartProblem>> => {
      if (servers.length > 0) throw new Error('The server listens already.')
      const bound = await bindAll(make, where)
      if (!bound.ok) return bound
      servers = bound.value.servers
      return ok({ port: bound.value.port, hosts: bound.value.hosts })
    },
    /** Still answers, but ends each connection after its next answer: its client reconnects to another process. */
    drain: (): void => {
      draining = true
    },
    /** Takes no more requests, ends event streams, and cuts off requests that are unfinished after `graceMs`. */
    close: async (graceMs = limits.closeMs): Promise<void> => {
      closing = true
      const wasDraining = draining
      draining = true
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
      for (const end of streams) end()
      // After a drain, a request may be in transit on a connection that looks idle.
      if (!wasDraining) connections.closeIdle()
      const idle = setTimeout(connections.closeIdle, limits.closeMs)
      const cut = setTimeout(connections.closeAll, graceMs)
      await Promise.all(closed)
      clearTimeout(idle)
      clearTimeout(cut)
      servers = []
    },
  }
}

/** Node's own list without CBC: RFC 9325 section 4.2 asks for authenticated encryption. */
const CIPHERS = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].flatMap((suite) => [
    `ECDHE-ECDSA-${suite}`,
    `ECDHE-RSA-${suite}`,
  ]),
].join(':')
