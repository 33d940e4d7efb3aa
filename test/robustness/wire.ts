import { connect, type Socket } from 'node:net'
import { parsed } from '../support/service/raw-http.ts'

/** HTTP/1.1 as octets, so that a test decides what goes onto a socket, and when. */
export type WireRequest = {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string | Uint8Array
}

export type WireAnswer = {
  readonly status: number
  /** Names in lower case; the last one counts. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any
}

export const requestBytes = ({ method, target, headers, body = '' }: WireRequest): Buffer => {
  const bytes = Buffer.from(body)
  const length = bytes.length > 0 ? [`Content-Length: ${bytes.length}`] : []
  const head = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), ...length]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}

/** The first whole answer in what was heard, and what follows it; undefined while something is missing. */
export const takeAnswer = (heard: Buffer, method = 'GET'): { answer: WireAnswer; rest: Buffer } | undefined => {
  const end = heard.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = heard.toString('latin1', 0, end).split('\r\n')
  const status = Number(first.slice(9, 12))
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  if (status === 100) return takeAnswer(heard.subarray(end + 4), method)
  const bodiless = method === 'HEAD' || status === 204
  // An event stream lasts as long as its connection: what matters here is that it was opened, and no answer follows it.
  const isStream = headers['transfer-encoding'] === 'chunked'
  const length = bodiless ? 0 : Number(headers['content-length'] ?? 0)
  if (heard.length < end + 4 + length) return undefined
  const text = heard.toString('utf8', end + 4, end + 4 + length)
  return {
    answer: { status, headers, text, json: parsed(text) },
    rest: isStream ? Buffer.alloc(0) : heard.subarray(end + 4 + length),
  }
}

export const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })

/** The next whole answer on a connection; rejects when the connection ends before. */
export const nextAnswer = (socket: Socket, method = 'GET'): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    let heard: Buffer = Buffer.alloc(0)
    const done = (): void => {
      socket.off('data', read)
      socket.off('error', failed)
      socket.off('close', closed)
    }
    const read = (chunk: Buffer): void => {
      heard = Buffer.concat([heard, chunk])
      const taken = takeAnswer(heard, method)
      if (taken === undefined) return
      done()
      resolve(taken.answer)
    }
    const failed = (reason: Error): void => {
      done()
      reject(reason)
    }
    const closed = (): void => failed(new Error('the connection ended without an answer'))
    socket.on('data', read)
    socket.on('error', failed)
    socket.on('close', closed)
  })

/**
 * All of these at the same moment: each is sent on a connection of its own but for its last octet, and the last octets
 * follow in one turn of the event loop; `lead` lets the first one go ahead by so many milliseconds, or until it is answered.
 */
export const volley = async (
  port: number,
  requests: readonly WireRequest[],
  { lead = 0 }: { readonly lead?: number | 'answered' } = {},
): Promise<readonly WireAnswer[]> => {
  const sockets = await Promise.all(requests.map(() => connected(port)))
  // A connection that was answered once has been accepted; before that, the server takes one in each turn of its loop.
  const ping = requestBytes({ method: 'HEAD', target: '/', headers: [['Host', 'localhost']] })
  for (const socket of sockets) socket.write(ping)
  await Promise.all(sockets.map((socket) => nextAnswer(socket, 'HEAD')))
  const octets = requests.map(requestBytes)
  const answers = sockets.map((socket, i) => nextAnswer(socket, requests[i]?.method))
  await Promise.all(sockets.map((socket, i) => flushed(socket, octets[i]?.subarray(0, -1))))
  for (const [i, socket] of sockets.entries()) {
    socket.write(octets[i]?.subarray(-1) ?? '')
    if (i > 0) continue
    if (lead === 'answered') await answers[0]
    else if (lead > 0) await new Promise((resolve) => setTimeout(resolve, lead))
  }
  const heard = await Promise.all(answers)
  for (const socket of sockets) socket.destroy()
  return heard
}

const flushed = (socket: Socket, octets: Uint8Array = new Uint8Array(0)): Promise<void> =>
  new Promise((resolve, reject) => socket.write(octets, (error) => (error ? reject(error) : resolve())))
