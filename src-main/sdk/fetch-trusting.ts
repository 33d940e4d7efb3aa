import { X509Certificate } from 'node:crypto'
import { request as requestOverHttp } from 'node:http'
import { Agent, request as requestOverHttps } from 'node:https'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { SecureContextOptions } from 'node:tls'
import { headerPairs } from '../core/protocol/canonical-request.ts'
import { errorMessage } from '../core/protocol/message-of.ts'
import { sdkError } from './errors.ts'

/** Trusts only these certificates. Node would replace an empty text with the system's certificates. */
export const trustOnly = (ca: string): SecureContextOptions => {
  try {
    new X509Certificate(ca)
  } catch (reason) {
    throw sdkError('wrong_ca', `ca must be certificates as PEM: ${errorMessage(reason)}`)
  }
  return { ca, allowPartialTrustChain: true }
}

/** Answers that have no body, not even an empty one. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

/**
 * `fetch` with other certificates than the system's, which Node's own does not support. For the SDK's own calls. Without
 * `keepsProcess` the process may end while an answer is awaited or read.
 */
export const createFetch =
  (agent?: Agent, { keepsProcess = true } = {}): typeof fetch =>
  (input: string | URL | Request, { method, headers, body, signal }: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const request = url.protocol === 'http:' && agent === undefined ? requestOverHttp : requestOverHttps
      const sent = request(url, {
        ...(agent === undefined ? {} : { agent }),
        method: method ?? 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(signal == null ? {} : { signal }),
      })
      if (!keepsProcess) sent.on('socket', letProcessEnd)
      sent.on('error', (cause) => reject(signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause })))
      sent.on('response', (incoming) => {
        const { statusCode: status = 0 } = incoming
        const content = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
        resolve(new Response(content, { status, headers: headerPairs(incoming.rawHeaders) }))
      })
      sent.end(body ?? undefined)
    })

export const createTrustingFetch = (ca: string): typeof fetch =>
  createFetch(new Agent({ keepAlive: true, ...trustOnly(ca) }))

/** Does not keep the process running: for an answer that lasts as long as the process. */
export const createFetchAside = (ca: string | undefined): typeof fetch =>
  createFetch(ca === undefined ? undefined : new Agent(trustOnly(ca)), { keepsProcess: false })

const letProcessEnd = (socket: Socket): void => {
  socket.unref()
  // Node uses a new handle for each address that it tries.
  if (socket.connecting) socket.once('connect', () => socket.unref())
}
