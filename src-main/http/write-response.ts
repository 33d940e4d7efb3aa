import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RawResponse } from './message.ts'

/** Sends it. For an event stream, returns what ends it from this side. */
export const writeResponse = (
  outgoing: ServerResponse,
  response: RawResponse,
  incoming?: IncomingMessage,
): (() => void) | undefined => {
  if (response.lost) {
    outgoing.destroy()
    return undefined
  }
  const flat = response.headers.flat()
  if (response.stream !== undefined) return writeStream(outgoing, response, flat)
  const body = typeof response.body === 'string' ? Buffer.from(response.body) : response.body
  // What is left of a body nobody wants is not read: the connection ends with the answer.
  const unread = incoming !== undefined && !incoming.complete
  outgoing.writeHead(response.status, [
    ...flat,
    ...(unread ? ['Connection', 'close'] : []),
    ...(outgoing.hasHeader('Connection') ? ['Connection', 'close'] : []),
    'Content-Length',
    String(body.length),
  ])
  outgoing.end(body)
  return undefined
}

const writeStream = (outgoing: ServerResponse, response: RawResponse, flat: readonly string[]): (() => void) => {
  outgoing.writeHead(response.status, [...flat, 'Connection', 'close'])
  outgoing.flushHeaders()
  const end = (): void => {
    outgoing.end()
  }
  const stop = response.stream?.((chunk) => outgoing.write(chunk), end)
  outgoing.once('close', () => stop?.())
  return end
}
