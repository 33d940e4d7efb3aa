import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { underAttack } from '../robustness/attack/under-attack.ts'
import { hostOf } from '../robustness/callers.ts'
import { good, openRegistration } from '../robustness/cast.ts'
import { connected, nextAnswer, requestBytes } from '../robustness/wire.ts'

const quiet = async (port: number): Promise<Socket> => {
  const socket = await connected(port)
  socket.on('error', () => undefined)
  return socket
}

/** Octets onto an unread connection, until the other side reads no more; bounded by `most`. */
const pour = async (port: number, octets: Buffer, most: number): Promise<Socket> => {
  const socket = await quiet(port)
  socket.pause()
  for (let n = 0; n < most && socket.writableLength < 2 ** 20; n++) socket.write(octets)
  return socket
}

test('the memory of a served process does not grow with unread answers', () =>
  underAttack({ heapMib: 128, peakMib: 400 }, async ({ port, callers }) => {
    const ask = requestBytes({ method: 'GET', target: '/control/v1/openapi.json', headers: [['Host', hostOf(port)]] })
    const large = Buffer.concat(Array.from({ length: 3_000 }, () => ask))
    const sockets = await Promise.all(Array.from({ length: 8 }, () => pour(port, large, 1)))
    for (let n = 0; n < 20; n++) good(await callers.send(callers.control('GET', '/overview')))
    for (const socket of sockets) socket.destroy()
  }))

test('the memory of a served process does not grow with forbidden bodies', () =>
  underAttack({ heapMib: 128, peakMib: 300 }, async ({ port, callers }) => {
    const names = Array.from({ length: 100_000 }, (_, n) => `"name-${n}":0`).join()
    const body = Buffer.from(`{${Array.from({ length: 8 }, () => names).join()}}`)
    const post = (target: string, ...headers: (readonly [string, string])[]) =>
      requestBytes({ method: 'POST', target, body, headers: [['Content-Type', 'application/json'], ...headers] })
    const host = ['Host', hostOf(port)] as const
    const { headers } = callers.control('POST', '/session')
    const refused: [Buffer, number][] = [
      [post('/control/v1/session', host), 41301],
      [post('/control/v1/import', host), 40111],
      [post('/control/v1/import', ['Host', 'evil.example'], ...headers.slice(1)), 40302],
      [post('/control/v1/import', ...headers, ['Origin', 'https://evil.example']), 40303],
      [post('/control/v1/nowhere', ...headers), 40401],
      [post('/app/messages/m/bind', host), 40110],
      [post('/fido/rp/attestation/options', host), 41301],
    ]
    for (const [octets, code] of refused) {
      const socket = await quiet(port)
      const answer = nextAnswer(socket)
      // The head and a little: the rest is not awaited.
      socket.write(octets.subarray(0, 4_000))
      expect((await answer).json.code).toBe(code)
      socket.destroy()
    }
  }))

test('the memory of a served process does not grow without bound with what the token allows to send', () =>
  underAttack({ heapMib: 200, peakMib: 700 }, async ({ port, callers }) => {
    const names = Array.from({ length: 2_000_000 }, (_, n) => `"${n}":0`).join()
    const octets = requestBytes({ ...callers.control('POST', '/import', {}), body: `{${names}}` })
    const socket = await quiet(port)
    const answer = nextAnswer(socket)
    socket.write(octets)
    expect((await answer).json.code).toBe(40001)
    socket.destroy()
  }))

test('the memory of a served process does not grow with unread event streams', () =>
  underAttack({ heapMib: 200, peakMib: 550 }, async ({ port, callers }) => {
    const open = requestBytes(callers.control('GET', '/events/stream?after=0'))
    const streams = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const socket = await quiet(port)
        const head = once(socket, 'data')
        socket.write(open)
        await head
        socket.pause()
        return socket
      }),
    )
    const refused = requestBytes(
      callers.signedBytes('POST', '/rp/attestation/options', Buffer.from(JSON.stringify({ a: 'x'.repeat(60_000) }))),
    )
    const socket = await quiet(port)
    for (let n = 0; n < 1_500; n++) {
      const answer = nextAnswer(socket)
      socket.write(refused)
      expect((await answer).status).toBe(400)
    }
    for (const one of [socket, ...streams]) one.destroy()
  }))

test.skipIf(process.platform === 'win32')('connections that say nothing, or half, do not lock up 256 descriptors', () =>
  underAttack({ descriptors: 256 }, async ({ port, callers }) => {
    const half = requestBytes(callers.rp('POST', '/rp/attestation/options', { user_id: 'u', username: 'u' }))
    const parts = [0, 20, half.length - 1]
    const sockets: Socket[] = []
    for (let n = 0; n < 400; n++) {
      const socket = await quiet(port)
      socket.write(half.subarray(0, parts[n % parts.length]))
      sockets.push(socket)
    }
    for (let n = 0; n < 5; n++) expect(await openRegistration(callers, `u${n}`)).not.toBe('')
    for (const socket of sockets) socket.destroy()
  }),
)

// underAttack checks that it stops, with exit code 0.
test('a process that is told to stop does not wait for those who never end', () =>
  underAttack({}, async ({ port, callers }) => {
    const head = `Host: ${hostOf(port)}\r\n`
    const lingering = [
      `CONNECT a:1 HTTP/1.1\r\n${head}\r\n`,
      `POST /fido/rp/attestation/options HTTP/1.1\r\n${head}Content-Length: 10\r\n\r\nhalf`,
      'GET / HTTP/1.1\r\nHo',
      requestBytes(callers.control('GET', '/events/stream')).toString('latin1'),
      requestBytes(callers.control('POST', '/wait', { match: {}, timeout_ms: 60_000 })).toString('latin1'),
    ]
    for (const octets of lingering) {
      const socket = await quiet(port)
      socket.pause()
      socket.write(octets)
    }
    good(await callers.send(callers.control('GET', '/overview')))
  }))
