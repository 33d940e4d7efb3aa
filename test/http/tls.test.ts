import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import { silentLog } from '../../src-main/core/protocol/log.ts'
import { dataResponse } from '../../src-main/http/envelope-response.ts'
import { createServer, type HttpServer, type ServerLimits } from '../../src-main/http/server.ts'
import { envelopeIn, speak } from '../support/service/raw-http.ts'
import { certificateFor } from '../support/tls.ts'

const { authority, server: tls } = certificateFor()
let server: HttpServer
let port = 0
const opened: Socket[] = []
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  await server.close()
})

const start = async (limits: Partial<ServerLimits> = {}) => {
  server = createServer({
    mounts: [{ prefix: '/', bodyLimit: () => 64, answer: async () => dataResponse({ hello: 'there' }) }],
    workspaceExists: () => true,
    random: createRandom({ seed: 1 }),
    log: silentLog,
    limits,
    tls,
  })
  const listening = await server.listen({ port: 0, hosts: ['127.0.0.1'] })
  if (!listening.ok) throw new Error(listening.error.code)
  port = listening.value.port
}

const plainSocket = async (): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port })
  opened.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const secureSocket = async (): Promise<TLSSocket> => {
  const socket = connectTls({ host: '127.0.0.1', port, ca: authority.certificate })
  opened.push(socket)
  await once(socket, 'secureConnect')
  return socket
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const answerOn = async (socket: TLSSocket): Promise<string> => {
  socket.write(REQUEST)
  const [octets] = await once(socket, 'data')
  return String(octets).slice(0, 15)
}

/** The first octets of a real handshake. */
const helloOctets = async (): Promise<Buffer> => {
  const { createServer: listenPlainly } = await import('node:net')
  const listener = listenPlainly().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const asking = connectTls({ host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 })
  asking.on('error', () => undefined)
  const [socket] = await once(listener, 'connection')
  const [octets] = await once(socket, 'data')
  asking.destroy()
  listener.close()
  return octets
}

test.each([
  ['ECDHE-ECDSA-AES128-SHA256', 'refused'],
  ['ECDHE-ECDSA-AES128-SHA', 'refused'],
  ['ECDHE-ECDSA-AES128-GCM-SHA256', 'taken'],
])('[cli.tls] https: a client that speaks TLS 1.2 with %s alone is %s', async (ciphers, outcome) => {
  await start()
  const socket = connectTls({ host: '127.0.0.1', port, ca: authority.certificate, maxVersion: 'TLSv1.2', ciphers })
  opened.push(socket)
  const shaken = once(socket, 'secureConnect')
  expect(await shaken.then(() => 'taken').catch(() => 'refused')).toBe(outcome)
})

test('[cli.tls] https: HTTP without TLS is told what this port speaks', async () => {
  await start()
  const { code, data } = envelopeIn(await speak(port, REQUEST))
  expect({ code, data }).toEqual({ code: 40005, data: { reason: { code: 'https_expected' } } })
})

test('[cli.tls] https: octets that are neither get no answer', async () => {
  await start()
  expect(await speak(port, Uint8Array.of(0, 1, 2, 3))).toBe('')
  expect(await speak(port, 'hello')).toBe('')
})

test('[cli.tls] https: a client that leaves before it said anything leaves nothing behind', async () => {
  await start()
  const socket = await plainSocket()
  socket.end()
  await once(socket, 'close')
  expect(await answerOn(await secureSocket())).toBe('HTTP/1.1 200 OK')
})

test('[cli.tls] https: octets after the handshake that are no TLS end the connection', async () => {
  await start()
  const raw = await plainSocket()
  const secured = connectTls({ socket: raw, ca: authority.certificate, servername: 'localhost' })
  secured.on('error', () => undefined)
  await once(secured, 'secureConnect')
  raw.write('this is no TLS record, and never was one')
  await once(raw, 'close')
})

test('[cli.tls] https: a client that begins a handshake and never ends it is cut off, though it sends an octet now and then', async () => {
  await start({ headersTimeoutMs: 300 })
  const hello = await helloOctets()
  const socket = await plainSocket()
  let sent = 0
  const drip = setInterval(() => socket.write(hello.subarray(sent, ++sent)), 20)
  // An octet that comes after the end is answered by a reset, which is an end as well.
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(drip)
  expect(sent).toBeLessThan(hello.length)
})

test('[cli.tls] https: an established connection is not cut off when a handshake could have been', async () => {
  await start({ headersTimeoutMs: 1_000 })
  const socket = await secureSocket()
  expect(await answerOn(socket)).toBe('HTTP/1.1 200 OK')
  // A later one is cut off, and so the limit has passed for the first one, too.
  await once(await plainSocket(), 'close')
  expect(await answerOn(socket)).toBe('HTTP/1.1 200 OK')
})

test('[cli.tls] https: when there are too many connections, a handshake under way gives way first', async () => {
  await start({ connections: 2 })
  const known = await secureSocket()
  expect(await answerOn(known)).toBe('HTTP/1.1 200 OK')
  const silent = await plainSocket()
  const closed = once(silent, 'close')
  const third = await secureSocket()
  await closed
  expect(await answerOn(third)).toBe('HTTP/1.1 200 OK')
  expect(await answerOn(known)).toBe('HTTP/1.1 200 OK')
})

test('[cli.tls] https: closing waits for no handshake', async () => {
  await start({ closeMs: 60_000 })
  const silent = await plainSocket()
  const begun = await plainSocket()
  begun.write((await helloOctets()).subarray(0, 40))
  await answerOn(await secureSocket())
  await Promise.all([once(silent, 'close'), once(begun, 'close'), server.close()])
})
