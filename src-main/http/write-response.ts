import type { ServerResponse } from 'node:http'
import type { RawResponse } from './message.ts'

/** Sends it. For an event stream, returns what ends it from this side. */
export const writeResponse = (
  outgoing: ServerResponse,
  response: RawResponse,
  { close = false }: { readonly close?: boolean } = {},
): (() => void) | undefined => {
  if (response.lost) {
    outgoing.destroy()
    return undefined
  }
  const head: string[] = []
  for (const [name, value] of response.headers) head.push(name, value)
  if (response.stream !== undefined) return writeStream(outgoing, response, head)
  if (close) head.push('Connection', 'close')
  // A text goes out together with the head, in one write; bytes would be a second one.
  const { body } = response
  head.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length))
  outgoing.writeHead(response.status, head)
  outgoing.end(body)
  return undefined
}

const writeStream = (outgoing: ServerResponse, response: RawResponse, head: readonly string[]): (() => void) => {
  outgoing.writeHead(response.status, [...head, 'Connection', 'close'])
  outgoing.flushHeaders()
  const end = (): void => {
    outgoing.end()
  }
  // Who tells something may not have heard yet that the stream has ended: it closes a moment later.
  const send = (chunk: Parameters<typeof outgoing.write>[0]) => !outgoing.writableEnded && outgoing.write(chunk)
  const stop = response.stream?.((chunk) => send(chunk), end)
  outgoing.once('close', () => stop?.())
  return end
}
