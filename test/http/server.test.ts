import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import type { LogLine } from '../../src-main/core/protocol/log.ts'
import { dataResponse } from '../../src-main/http/envelope-response.ts'
import { eventStream } from '../../src-main/http/event-stream.ts'
import type { Mount, RawRequest, RawResponse } from '../../src-main/http/message.ts'
import { createServer, type HttpServer, type ServerLimits } from '../../src-main/http/server.ts'
import { openLine } from '../robustness/line.ts'
import { connected } from '../robustness/wire.ts'
import { ask, envelopeIn, speak } from '../support/service/raw-http.ts'

let server: HttpServer
let port = 0
let log: LogLine[] = []
const seen: RawRequest[] = []
afterEach(() => server.close())

const echo = (prefix: string, answer?: Mount['answer']): Mount => ({
  prefix,
  bodyLimit: () => 64,
  answer:
    answer ??
    (async (request) => {
      seen.push(request)
      return dataResponse({ prefix, path: request.path, query: request.query, workspace: request.workspace })
    }),
})

const start = async (mounts: readonly Mount[] = [echo('/fido')], limits: Partial<ServerLimits> = {}) => {
  seen.length = 0
  log = []
  server = createServer({
    mounts,
    workspaceExists: (id) => id === 'main' || id === 'two',
    random: createRandom({ seed: 1 }),
    log: (line) => log.push(line),
    limits: { lingerMs: 50, ...limits },
  })
  const listening = await server.listen({ port: 0, hosts: ['127.0.0.1'] })
  if (!listening.ok) throw new Error(listening.error.code)
  port = listening.value.port
}

const host = [['Host', 'localhost']] as const
const get = (target: string) => ask({ port, method: 'GET', target, headers: host })

const waitingAtMost = process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 0

test.runIf(process.platform === 'linux' && waitingAtMost >= 1000)(
  '1,000 connections of one instant all wait, and none is dropped',
  async () => {
    await start()
    const sockets = Array.from({ length: 1000 }, () => connect({ port, host: '127.0.0.1' }))
    // In this turn the server accepts nothing: the system's list of sockets says how many wait at the port.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    const at = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
    const listening = readFileSync('/proc/net/tcp', 'utf8').match(new RegExp(`${at} 00000000:0000 0A \\w{8}:(\\w{8})`))
    expect(Number.parseInt(listening?.[1] ?? '', 16)).toBe(1000)
    for (const socket of sockets) socket.destroy()
  },
)

test('mounts and workspaces: the longest prefix that fits answers, and a prefix ends at a slash', async () => {
  await start([echo('/'), echo('/fido'), echo('/fido/more')])
  expect((await get('/fido/more/x')).json.data).toMatchObject({ prefix: '/fido/more', path: '/x' })
  expect((await get('/fido')).json.data).toMatchObject({ prefix: '/fido', path: '' })
  expect((await get('/fidox')).json.data).toMatchObject({ prefix: '/', path: '/fidox' })
})

test('mounts and workspaces: an open workspace has the same paths behind /w/<id>, and the target stays as it was sent', async () => {
  await start()
  expect((await get('/w/two/fido/a?b=c')).json.data).toEqual({
    prefix: '/fido',
    path: '/a',
    query: 'b=c',
    workspace: 'two',
  })
  expect(seen[0]?.target).toBe('/w/two/fido/a?b=c')
})

test('mounts and workspaces: a workspace that is not open is like any address that does not exist', async () => {
  await start()
  expect((await get('/w/three/fido/a')).json.code).toBe(40401)
  expect((await get('/w/three/fido/a')).text).toBe((await get('/nowhere')).text)
})

test('mounts and workspaces: the absolute form of a target is heard as proxies write it, its host in the place of the Host header', async () => {
  await start()
  const headers = [['host', 'localhost']] as const
  const target = 'HTTP://Elsewhere.example:81/fido/a?b=c'
  expect((await ask({ port, method: 'GET', target, headers })).json.data).toMatchObject({ path: '/a', query: 'b=c' })
  expect(seen[0]?.headers[0]).toEqual(['host', 'Elsewhere.example:81'])
  expect((await ask({ port, method: 'GET', target: 'http:///fido/a', headers })).json.code).toBe(40005)
})

test('mounts and workspaces: headers reach the mount in order, repeated ones too, one character for each octet', async () => {
  await start()
  const raw = 'GET /fido HTTP/1.1\r\nHost: localhost\r\nX-A: one\r\nx-a: \xe4\r\nConnection: close\r\n\r\n'
  await speak(port, raw)
  expect(seen[0]?.headers).toEqual([
    ['Host', 'localhost'],
    ['X-A', 'one'],
    ['x-a', '\xe4'],
    ['Connection', 'close'],
  ])
})

const codedPost = (coding: string): string =>
  `POST /fido HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`

const cases: Readonly<Record<string, readonly [octets: string, code: number]>> = {
  'a line that is no request': ['NONSENSE\r\n\r\n', 40005],
  'an unknown method': ['FROB / HTTP/1.1\r\nHost: a\r\n\r\n', 40005],
  'HTTP of another version': ['GET / HTTP/9.9\r\nHost: a\r\n\r\n', 40005],
  'a header with a space in its name': ['GET /fido HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n', 40005],
  'a header line without a colon': ['GET /fido HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n', 40005],
  'two Content-Length headers': [
    'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    40005,
  ],
  'Content-Length beside chunks': [
    'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    40005,
  ],
  'a Content-Length that is no number': ['POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 40005],
  'a chunk size that is no number': [
    'POST /fido HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    40005,
  ],
  'another coding under the chunks': [codedPost('gzip, chunked'), 50101],
  'another coding in a header of its own': [codedPost('gzip\r\nTransfer-Encoding: chunked'), 50101],
  'chunks in chunks': [codedPost('chunked, chunked'), 40005],
  'a NUL in a header': ['GET /fido HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n', 40005],
  'no Host': ['GET /fido HTTP/1.1\r\n\r\n', 40005],
  'two Hosts': ['GET /fido HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 40005],
  'a target of asterisk form': ['OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 40005],
  'an expectation that cannot be met': ['GET /fido HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 40005],
  'a tunnel': ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 40401],
  'headers beyond the limit': [`GET /fido HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 43101],
  'a target beyond the limit': [`GET /fido?${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 41401],
  'a target beyond all limits': [`GET /fido?${'x'.repeat(60_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 41401],
}
test.each(Object.entries(cases))('[errors.parser] a refusal in the envelope: %s', async (_what, [octets, code]) => {
  await start()
  expect(envelopeIn(await speak(port, octets, { end: true })).code).toBe(code)
  expect((await get('/fido')).status).toBe(200)
})

test('[errors.parser] what the HTTP parser refuses: what no mount ever sees has its line in the log, with an id and without what was sent', async () => {
  await start()
  await speak(port, 'secret nonsense\r\n\r\n')
  await get('/secret')
  await get('/w/three/fido')
  const line = { level: 'info', event: 'request refused', request: expect.stringMatching(/^req_[0-9a-z]{16}$/) }
  expect(log).toEqual([
    { ...line, method: undefined, status: 400, code: 40005 },
    { ...line, method: 'GET', status: 404, code: 40401, took_us: expect.any(Number) },
    { ...line, method: 'GET', status: 404, code: 40401, took_us: expect.any(Number) },
  ])
  expect(new Set(log.map(({ request }) => request)).size).toBe(3)
})

test('[errors.parser] what the HTTP parser refuses: an unknown coding ends the connection: what follows is not carried out', async () => {
  await start()
  const heard = await speak(port, `${codedPost('gzip, chunked')}GET /fido/next HTTP/1.1\r\nHost: a\r\n\r\n`)
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 501'])
  expect(heard).toContain('Connection: close')
  expect(seen).toEqual([])
})

test.each([
  ['rubbish', '\x16\x03\x01rubbish\r\n\r\n', 40005],
  ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 40401],
  ['a broken body', 'POST /fido HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 40005],
])('[errors.parser] %s after a request waits until that has its answer', async (_, octets, code) => {
  await start()
  const heard = await speak(port, `GET /fido/a HTTP/1.1\r\nHost: a\r\n\r\n${octets}`)
  expect(heard.slice(0, 15)).toBe('HTTP/1.1 200 OK')
  expect(envelopeIn(heard.slice(heard.lastIndexOf('HTTP/1.1 '))).code).toBe(code)
  expect(seen).toHaveLength(1)
})

test('[errors.parser] what the HTTP parser refuses: an expectation that cannot be met is answered once, whatever follows', async () => {
  await start()
  const head = 'POST /fido HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: wonders\r\n\r\n'
  const heard = await speak(port, `${head}zz\r\n`)
  expect(heard.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect(envelopeIn(heard).code).toBe(40005)
})

test('[errors.parser] what the HTTP parser refuses: much rubbish on one connection is one line of the log', async () => {
  const waiting = Promise.withResolvers<RawResponse>()
  await start([echo('/fido', () => waiting.promise)])
  const socket = connect({ host: '127.0.0.1', port })
  let heard = ''
  socket.on('data', (part) => {
    heard += part
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('GET /fido HTTP/1.1\r\nHost: a\r\n\r\n')
  for (let n = 0; n < 40; n++) {
    socket.write('\x16\x03\x01rubbish\r\n\r\n')
    await nextTurn()
  }
  waiting.resolve(dataResponse({}))
  await closed
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  expect(log.map(({ event }) => event)).toEqual(['request refused'])
})

test('[errors.parser] what the HTTP parser refuses: a client that breaks off in the middle takes nothing with it', async () => {
  await start()
  await speak(port, 'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhalf', { end: true })
  expect(seen).toHaveLength(0)
  expect((await get('/fido')).status).toBe(200)
  expect(log.map(({ event, code }) => [event, code])).toEqual([['request refused', 40005]])
})

test('limits: a chunked body is measured as it comes', async () => {
  await start()
  const chunk = `20\r\n${'x'.repeat(32)}\r\n`
  const raw = `POST /fido HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`
  expect(envelopeIn(await speak(port, raw, { end: true })).code).toBe(41301)
})

test('limits: slow headers are 40801', async () => {
  await start([echo('/fido')], { headersTimeoutMs: 150 })
  expect(envelopeIn(await speak(port, 'GET /fido HTTP/1.1\r\nHost: a\r\nX-'))).toMatchObject({
    status: 408,
    code: 40801,
  })
})

test('[errors.internal] a bug answers 50001 with an id that finds the log line, and nothing else of it', async () => {
  await start([
    echo('/fido', async () => {
      throw new Error('the inside')
    }),
  ])
  const answer = await get('/fido')
  expect(answer.json.code).toBe(50001)
  expect(answer.text).not.toContain('the inside')
  const [line] = log
  expect(line).toMatchObject({ level: 'error', error: 'the inside' })
  expect(answer.json.data.reason).toEqual({ code: 'in_log_as', params: { id: line?.request } })
})

test('listening: several addresses share one free port', async () => {
  await start()
  await server.close()
  const two = await server.listen({ port: 0, hosts: ['127.0.0.1', '127.0.0.2'] })
  expect(two).toMatchObject({ ok: true, value: { hosts: ['127.0.0.1', '127.0.0.2'] } })
  if (!two.ok) return
  port = two.value.port
  expect((await get('/fido')).status).toBe(200)
})

test('listening: a port in use is refused, and named', async () => {
  await start()
  const other = createServer({ mounts: [], workspaceExists: () => true, random: createRandom(), log: () => {} })
  const taken = await other.listen({ port, hosts: ['127.0.0.1'] })
  expect(taken).toEqual({
    ok: false,
    error: { code: 'cannot_listen', params: { host: '127.0.0.1', port, errno: 'EADDRINUSE' } },
  })
})

test('closing lets a request finish, tells keep-alive clients, and ends event streams', async () => {
  const release = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const streaming = Promise.withResolvers<void>()
  let stopped = 0
  await start([
    echo('/slow', async () => {
      arrived.resolve()
      await release.promise
      return dataResponse('done')
    }),
    echo('/events', async () =>
      eventStream(() => {
        streaming.resolve()
        return () => {
          stopped += 1
        }
      }),
    ),
  ])
  const slow = get('/slow')
  const events = speak(port, 'GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
  await Promise.all([arrived.promise, streaming.promise])
  const closed = server.close()
  release.resolve()
  const answer = await slow
  expect([answer.json.data, answer.headers.connection]).toEqual(['done', 'close'])
  await closed
  expect(await events).toContain('200 OK')
  expect(stopped).toBe(1)
})

const closeOf = (socket: Socket | undefined): Promise<void> =>
  new Promise((resolve) => socket?.once('close', () => resolve()))

test('one connection has one request worked on at a time, and no more answers than its client reads', async () => {
  let asked = 0
  let working = 0
  let most = 0
  const large = 'x'.repeat(2 ** 20)
  await start([
    echo('/fido', async () => {
      asked++
      most = Math.max(most, ++working)
      await nextTurn()
      working--
      return dataResponse(large)
    }),
  ])
  const socket = connect({ host: '127.0.0.1', port })
  socket.pause()
  socket.write('GET /fido HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100))
  for (let turn = 0; turn < 300; turn++) await nextTurn()
  expect(most).toBe(1)
  // As many as fit into the system's buffers, and one.
  expect(asked).toBeLessThan(30)
  let octets = 0
  const all = new Promise<void>((resolve) => {
    socket.on('data', (part) => {
      octets += part.length
      if (octets > 100 * 2 ** 20) resolve()
    })
    socket.resume()
  })
  await all
  expect(asked).toBe(100)
  socket.destroy()
})

test('one connection is ended when clients have more requests waiting than the server keeps', async () => {
  const never = new Promise<never>(() => undefined)
  await start([echo('/never', () => never), echo('/fido')], { waitingRequests: 50, closeMs: 100 })
  const socket = await connected(port)
  socket.on('error', () => undefined)
  const ended = closeOf(socket)
  socket.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100))
  await ended
  expect((await get('/fido')).status).toBe(200)
})

test('one connection whose client ends its side after it asked still has all its answers', async () => {
  await start([
    echo('/fido', async () => {
      for (let turn = 0; turn < 20; turn++) await nextTurn()
      return dataResponse({})
    }),
  ])
  const asked = 'GET /fido/a HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3)
  const heard = await speak(port, asked, { end: true })
  expect(heard.match(/HTTP\/1\.1 200/g)).toHaveLength(3)
})

test('one connection is not asked for a body that its head does not deserve', async () => {
  await start([{ ...echo('/fido'), bodyLimit: () => 0 }])
  const heard = await speak(port, 'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n')
  expect(heard.slice(0, 15)).toBe('HTTP/1.1 200 OK')
  expect(seen[0]?.body).toHaveLength(0)
})

test('one connection gets its refusal read before it ends, though its client still sends', async () => {
  await start([echo('/fido')], { lingerMs: 1_000 })
  const body = 'x'.repeat(20_000_000)
  const answer = await ask({ port, method: 'POST', target: '/fido', headers: host, body })
  expect([answer.status, answer.headers.connection]).toEqual([413, 'close'])
})

test('too much of connections: the oldest that asks for nothing gives way, and one that asks does not', async () => {
  await start([echo('/fido')], { connections: 8 })
  const regular = openLine(port)
  const ping = () => regular.ask({ method: 'GET', target: '/fido', headers: host })
  await ping()
  const ended: Promise<void>[] = []
  for (let round = 0; round < 10; round++) {
    const idle = Array.from({ length: 6 }, () => connect({ host: '127.0.0.1', port }))
    for (const socket of idle) socket.on('error', () => undefined)
    ended.push(...idle.map(closeOf))
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    expect((await ping()).status).toBe(200)
  }
  await Promise.all(ended.slice(0, -8))
  regular.close()
})

test('too much of slow bodies: the largest gives way, of the sender whose bodies take most', async () => {
  await start([{ ...echo('/fido'), bodyLimit: () => 2_000, senderOf: ({ query }) => query }], { bodyBytes: 3_500 })
  const begin = async (sender: string, size: number) => {
    const socket = await connected(port)
    socket.on('error', () => undefined)
    const head = `POST /fido?${sender} HTTP/1.1\r\nHost: a\r\nContent-Length: ${size + 1}\r\n\r\n`
    socket.write(head + 'x'.repeat(size))
    await get('/fido')
    return socket
  }
  const first = await begin('a', 700)
  const largest = await begin('b', 1_200)
  const cut = await begin('a', 800)
  const third = await begin('a', 750)
  const isCut = closeOf(cut)
  // Those of `a` take more together than the largest, which is of `b`.
  const stay = [first, largest, third, await begin('b', 100)]
  await isCut
  const heard = stay.map((socket) => once(socket, 'data'))
  for (const socket of stay) socket.write('x')
  expect((await Promise.all(heard)).map(([part]) => String(part).slice(0, 15))).toEqual(
    Array(4).fill('HTTP/1.1 200 OK'),
  )
  for (const socket of stay) socket.destroy()
})

test('too much of time: a body that is completed after its 40801 is not carried out, and the connection is ended', async () => {
  await start([echo('/fido')], { headersTimeoutMs: 100, requestTimeoutMs: 200, lingerMs: 100 })
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.write('POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf')
  const [told] = await once(socket, 'data')
  expect(envelopeIn(String(told)).code).toBe(40801)
  const cut = closeOf(socket)
  socket.write('-done!')
  // Writing goes on until the system says that nobody is there any more.
  const writing = setInterval(() => socket.write('x'), 20)
  await cut
  clearInterval(writing)
  expect(seen).toEqual([])
})

test('too much of events that are not read: the stream is ended', async () => {
  const ended = Promise.withResolvers<number>()
  await start(
    [
      echo('/events', async () =>
        eventStream((stream) => {
          let sent = 0
          const timer = setInterval(() => {
            stream.send({ json: 'x'.repeat(100_000) })
            sent += 100_000
          }, 0)
          return () => {
            clearInterval(timer)
            ended.resolve(sent)
          }
        }),
      ),
    ],
    { streamBytes: 1_000_000 },
  )
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined)
  socket.pause()
  socket.write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await ended.promise).toBeLessThan(20_000_000)
  socket.destroy()
})

test.each([
  ['a tunnel that was refused', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an answer that never comes', 'GET /never HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['half a head', 'GET /fido HTTP/1.1\r\nHo'],
  ['half a body', 'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf'],
  ['a stream that is not read', 'GET /events HTTP/1.1\r\nHost: a\r\n\r\n'],
])('a server that closes does not wait for %s', async (_what, octets) => {
  await start(
    [
      echo('/fido'),
      echo('/never', () => new Promise(() => {})),
      echo('/events', async () =>
        eventStream((stream) => {
          for (let n = 0; n < 30; n++) stream.send({ json: 'x'.repeat(1_000_000) })
          return () => undefined
        }),
      ),
    ],
    { closeMs: 50, streamBytes: 100_000_000, lingerMs: 600_000 },
  )
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(octets)
  await once(socket, 'connect')
  await get('/fido')
  await server.close()
  socket.destroy()
})
