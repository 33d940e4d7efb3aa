import { request as nodeRequest } from 'node:http'
import { connect } from 'node:net'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any
}

export type Ask = {
  readonly port: number
  readonly method: string
  /** Exactly as it goes onto the request line. */
  readonly target: string
  /** A list keeps order and repetition. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string | Uint8Array
}

/** One request on a connection of its own. */
export const ask = ({ port, method, target, headers, body = '' }: Ask): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    const all = bytes.length > 0 ? [...headers, ['Content-Length', String(bytes.length)] as const] : headers
    const outgoing = nodeRequest(
      { host: '127.0.0.1', port, method, path: target, headers: all.flat(), agent: false, setHost: false },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parsed(text) })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Octets onto a socket; what came back until the other side closed. */
export const speak = (
  port: number,
  octets: string | Uint8Array,
  { end = false }: { readonly end?: boolean } = {},
): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
    socket.write(typeof octets === 'string' ? Buffer.from(octets, 'latin1') : octets)
    if (end) socket.end()
  })

/** The envelope inside a raw HTTP answer. */
export const envelopeIn = (
  raw: string,
): { readonly status: number; readonly code: number; readonly error: string; readonly data?: unknown } => {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4)
  return { status: Number(raw.slice(9, 12)), ...JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) }
}
