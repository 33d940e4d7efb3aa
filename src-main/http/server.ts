import { createServer as createNodeServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Bytes } from '../protocol/bytes.ts'
import type { HeaderPair } from '../protocol/canonical-request.ts'
import { errors, type Refusal, refuse } from '../protocol/errors.ts'
import { gather } from '../protocol/gather.ts'
import { MAIN_WORKSPACE, makeId } from '../protocol/ids.ts'
import type { RandomStreams } from '../protocol/random.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { ArrivedRequest, type RequestHead } from './arrived-request.ts'
import { answerSocket, clientErrorRefusal } from './client-error.ts'
import { refusalResponse } from './envelope-response.ts'
import { bindAll } from './listeners.ts'
import type { Log } from './log.ts'
import { headerCount, type Mount, type RawRequest, type RawResponse } from './message.ts'
import { hasBody, readBody } from './read-body.ts'
import { splitTarget } from './split-target.ts'
import { writeResponse } from './write-response.ts'

export type ServerLimits = {
  /** All headers of one request together with its first line, in bytes. */
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

export const defaultLimits: ServerLimits = {
  headerBytes: 32 * 1024,
  targetBytes: 8 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveMs: 65_000,
  closeMs: 1_500,
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

export const createServer = (options: ServerOptions): HttpServer => {
  const limits = { ...defaultLimits, ...options.limits }
  const mounts = options.mounts.toSorted((a, b) => b.prefix.length - a.prefix.length)
  const latest = new WeakMap<Socket, ServerResponse>()
  /** Connections on which rubbish came: what follows it is nobody's words. */
  const spoilt = new WeakSet<Socket>()
  const streams = new Set<() => void>()
  let servers: readonly Server[] = []
  let closing = false

  // The requests of one turn are worked on together, and their answers go out together: each part of the way is still
  // at hand for the next one, and clients that sleep are woken in one go.
  const arrived = gather<() => void>(setImmediate, runAll)
  const answered = gather<() => void>(process.nextTick, runAll)

  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    latest.set(incoming.socket, outgoing)
    arrived.add(() => {
      void answerTo(incoming, outgoing).then((answer) => {
        if (answer.stream === undefined) answered.add(() => send(answer, incoming, outgoing))
        else send(answer, incoming, outgoing)
      })
    })
  }

  const send = (answer: RawResponse, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // What is left of a body nobody wants is not read: the connection ends with the answer.
    const end = writeResponse(outgoing, answer, { close: closing || !incoming.complete })
    if (end === undefined) return
    if (closing) {
      end()
      return
    }
    streams.add(end)
    outgoing.once('close', () => streams.delete(end))
  }

  /** Before it is known whom a request is for. */
  const turnAway = (refusal: Refusal, method?: string): RawResponse => {
    const { status, code } = errors[refusal.name]
    const id = makeId('request', options.random.stream(MAIN_WORKSPACE, 'http', 'request'))
    options.log({ level: 'info', event: 'request refused', request: id, method, status, code })
    return refusalResponse(refusal)
  }

  const answerTo = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<RawResponse> => {
    const { url: line = '', method = '' } = incoming
    if (line.length > limits.targetBytes) {
      return turnAway(refuse('target_too_long', `At most ${limits.targetBytes} bytes.`), method)
    }
    const split = splitTarget(line)
    if (split === undefined) return turnAway(refuse('malformed_request', 'Expected a path as request target.'), method)
    const mount = mounts.find(({ prefix }) => isUnder(split.path, prefix))
    if (mount === undefined || !options.workspaceExists(split.workspace)) return turnAway(refuse('no_route'), method)
    const head: RequestHead = {
      id: makeId('request', options.random.stream(split.workspace, mount.prefix, 'request')),
      workspace: split.workspace,
      method,
      target: split.target,
      path: mount.prefix === '/' ? split.path : split.path.slice(mount.prefix.length),
      query: split.query,
      headers: pairs(incoming.rawHeaders),
    }
    const withBody = (bytes: Bytes): RawRequest => new ArrivedRequest(head, bytes, outgoing)
    const body = hasBody(head.headers) ? await readBody(incoming, mount.bodyLimit) : NO_BODY
    if (!body.ok) {
      if (body.error === 'gone') return { status: 400, headers: [], body: '', lost: true }
      return refuseAt(mount, withBody(NOTHING), refuse('body_too_large', `At most ${mount.bodyLimit} bytes.`))
    }
    // It may have been closed while the body came.
    if (!options.workspaceExists(split.workspace)) return turnAway(refuse('no_route'), method)
    // RFC 9112 section 3.2: a request without Host, or with two, is refused.
    const hosts = headerCount(head.headers, 'host')
    if (hosts !== 1)
      return refuseAt(mount, withBody(NOTHING), refuse('malformed_request', `Expected one Host header, got ${hosts}.`))
    try {
      return await mount.answer(withBody(body.value))
    } catch (reason) {
      // The one catch: what arrives here is a bug, and its id leads from the answer to this line.
      options.log({ level: 'error', event: 'bug', request: head.id, ...describe(reason) })
      return refuseAt(mount, withBody(NOTHING), refuse('internal', `It is in the log as ${head.id}.`))
    }
  }

  const answerError = (reason: Error, socket: Socket): void => {
    if (spoilt.has(socket)) return
    spoilt.add(socket)
    const refusal = clientErrorRefusal(reason)
    const last = latest.get(socket)
    const inBody = last !== undefined && !last.closed && !last.req.complete
    // With an answer under way, its own or that of a request before it, other words would be read as part of that.
    const mustNotSpeak = inBody && (last.socket !== socket || last.headersSent)
    if (refusal === undefined || !socket.writable || mustNotSpeak) socket.destroy()
    else if (inBody) answerSocket(socket, turnAway(refusal))
    else afterLatest(socket, () => answerSocket(socket, turnAway(refusal)))
  }

  /** What was asked for before has its answer first. */
  const afterLatest = (socket: Socket, speak: () => void): void => {
    const last = latest.get(socket)
    if (last === undefined || last.closed) speak()
    else last.once('close', speak)
  }

  const make = (): Server => {
    const server = createNodeServer(
      {
        maxHeaderSize: limits.headerBytes,
        headersTimeout: limits.headersTimeoutMs,
        requestTimeout: limits.requestTimeoutMs,
        keepAliveTimeout: limits.keepAliveMs,
        connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
        requireHostHeader: false,
        noDelay: true,
      },
      serve,
    )
    server.on('checkExpectation', ({ method, socket }: IncomingMessage, outgoing: ServerResponse) => {
      latest.set(socket, outgoing)
      const answer = turnAway(refuse('malformed_request', 'Only "100-continue" can be expected.'), method)
      writeResponse(outgoing, answer, { close: true })
    })
    server.on('connect', ({ method }: IncomingMessage, socket: Socket) => {
      afterLatest(socket, () => answerSocket(socket, turnAway(refuse('no_route', 'This is not a proxy.'), method)))
    })
    // Once it has left the parser, as CONNECT does, nobody else hears that it was reset.
    server.on('connection', (socket: Socket) => socket.on('error', () => undefined))
    server.on('clientError', (reason: Error, socket: Socket) => answerError(reason, socket))
    return server
  }

  return {
    listen: async (where) => {
      if (servers.length > 0) return err('The server listens already.')
      const bound = await bindAll(make, where)
      if (!bound.ok) return bound
      servers = bound.value.servers
      return ok({ port: bound.value.port, hosts: bound.value.hosts })
    },
    close: async () => {
      closing = true
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
      for (const end of streams) end()
      for (const server of servers) server.closeIdleConnections()
      const cut = setTimeout(() => {
        for (const server of servers) server.closeAllConnections()
      }, limits.closeMs)
      await Promise.all(closed)
      clearTimeout(cut)
      servers = []
    },
  }
}

const runAll = (tasks: readonly (() => void)[]): void => {
  for (const task of tasks) task()
}

const isUnder = (path: string, prefix: string): boolean =>
  prefix === '/' || (path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'))

const NOTHING: Bytes = new Uint8Array(0)
const NO_BODY = ok(NOTHING)

const refuseAt = (mount: Mount, request: RawRequest, refusal: Refusal): RawResponse =>
  mount.refuse?.(request, refusal) ?? refusalResponse(refusal)

const pairs = (raw: readonly string[]): readonly HeaderPair[] => {
  const out = new Array<HeaderPair>(raw.length / 2)
  for (let i = 0; i < out.length; i++) out[i] = [raw[2 * i] ?? '', raw[2 * i + 1] ?? '']
  return out
}

const describe = (reason: unknown): { readonly error: string; readonly stack?: string } =>
  reason instanceof Error
    ? { error: reason.message, ...(reason.stack === undefined ? {} : { stack: reason.stack }) }
    : { error: String(reason) }
