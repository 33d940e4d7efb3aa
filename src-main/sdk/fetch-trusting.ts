import { X509Certificate } from 'node:crypto'
import { Agent, request } from 'node:https'
import { Readable } from 'node:stream'
import type { SecureContextOptions } from 'node:tls'
import { sdkError } from './errors.ts'

/** What a client of the bench trusts, and nothing else. Node would take an empty text for the system's certificates. */
export const trusting = (ca: string): SecureContextOptions => {
  try {
    new X509Certificate(ca)
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason)
    throw sdkError('wrong_ca', `ca must be certificates as PEM: ${why}`)
  }
  return { ca, allowPartialTrustChain: true }
}

/** Answers that have no body, not even an empty one. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

/** `fetch` with other certificates than the system's: Node's own has no way to say so. For what the SDK sends. */
export const fetchOver = (agent: Agent): typeof fetch => {
  const send = (
    input: string | URL | Request,
    { method, headers, body, signal }: RequestInit = {},
  ): Promise<Response> =>
    new Promise((resolve, reject) => {
      const sent = request(input instanceof Request ? input.url : input, {
        agent,
        method: method ?? 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(signal == null ? {} : { signal }),
      })
      sent.on('error', (cause) => reject(signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause })))
      sent.on('response', (incoming) => {
        const { statusCode: status = 0 } = incoming
        const content = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
        resolve(new Response(content, { status, headers: pairs(incoming.rawHeaders) }))
      })
      sent.end(body ?? undefined)
    })
  return send
}

export const fetchTrusting = (ca: string): typeof fetch => fetchOver(new Agent({ keepAlive: true, ...trusting(ca) }))

const pairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] ?? '', raw[2 * i + 1] ?? ''])
