import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createRandom } from '../../src-main/harness/random.ts'
import { dataResponse } from '../../src-main/http/envelope-response.ts'
import { eventStream } from '../../src-main/http/event-stream.ts'
import type { LogLine } from '../../src-main/http/log.ts'
import type { Mount, RawRequest } from '../../src-main/http/message.ts'
import { createServer, type HttpServer, type ServerLimits } from '../../src-main/http/server.ts'
import { ask, envelopeIn, speak } from '../support/service/raw-http.ts'

let server: HttpServer
let port = 0
let log: LogLine[] = []
const seen: RawRequest[] = []
afterEach(() => server.close())

const echo = (prefix: string, answer?: Mount['answer']): Mount => ({
  prefix,
  bodyLimit: 64,
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
    limits,
  })
  const listening = await server.listen({ port: 0, hosts: ['127.0.0.1'] })
  if (!listening.ok) throw new Error(listening.error)
  port = listening.value.port
}

const host = [['Host', 'localhost']] as const
const get = (target: string) => ask({ port, method: 'GET', target, headers: host })

describe('mounts and workspaces', () => {
  test('the longest prefix that fits answers, and a prefix ends at a slash', async () => {
    await start([echo('/'), echo('/fido'), echo('/fido/more')])
    expect((await get('/fido/more/x')).json.data).toMatchObject({ prefix: '/fido/more', path: '/x' })
    expect((await get('/fido')).json.data).toMatchObject({ prefix: '/fido', path: '' })
    expect((await get('/fidox')).json.data).toMatchObject({ prefix: '/', path: '/fidox' })
  })

  test('an open workspace has the same paths behind /w/<id>, and the target stays as it was sent', async () => {
    await start()
    expect((await get('/w/two/fido/a?b=c')).json.data).toEqual({
      prefix: '/fido',
      path: '/a',
      query: 'b=c',
      workspace: 'two',
    })
    expect(seen[0]?.target).toBe('/w/two/fido/a?b=c')
  })

  test('a workspace that is not open is like any address that does not exist', async () => {
    await start()
    expect((await get('/w/three/fido/a')).json.code).toBe(40401)
    expect((await get('/w/three/fido/a')).text).toBe((await get('/nowhere')).text)
  })

  test('the absolute form of a target is heard as proxies write it', async () => {
    await start()
    expect((await get('http://elsewhere.example/fido/a?b=c')).json.data).toMatchObject({ path: '/a', query: 'b=c' })
  })

  test('headers reach the mount in order, repeated ones too, one character for each octet', async () => {
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

  test('request ids repeat under a seed', async () => {
    await start()
    await get('/fido')
    const first = seen[0]?.id
    await server.close()
    await start()
    await get('/fido')
    expect(seen[0]?.id).toBe(first)
    expect(first).toMatch(/^req_[0-9a-z]{16}$/)
  })
})

describe('[errors.parser] what the HTTP parser itself refuses answers in the envelope', () => {
  const cases: readonly [string, string, number][] = [
    ['a line that is no request', 'NONSENSE\r\n\r\n', 40005],
    ['a method nobody knows', 'FROB / HTTP/1.1\r\nHost: a\r\n\r\n', 40005],
    ['HTTP of another version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 40005],
    ['a header with a space in its name', 'GET /fido HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n', 40005],
    ['a header line without a colon', 'GET /fido HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n', 40005],
    [
      'two Content-Length headers',
      'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      40005,
    ],
    [
      'Content-Length beside chunks',
      'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      40005,
    ],
    ['a Content-Length that is no number', 'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 40005],
    [
      'a chunk size that is no number',
      'POST /fido HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      40005,
    ],
    ['a NUL in a header', 'GET /fido HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n', 40005],
    ['no Host', 'GET /fido HTTP/1.1\r\n\r\n', 40005],
    ['two Hosts', 'GET /fido HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 40005],
    ['a target of asterisk form', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 40005],
    ['an expectation nobody can meet', 'GET /fido HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 40005],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 40401],
    ['headers beyond the limit', `GET /fido HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 43101],
    ['a target beyond the limit', `GET /fido?${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 41401],
    ['a target beyond all limits', `GET /fido?${'x'.repeat(60_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 41401],
  ]
  test.each(cases)('%s', async (_what, octets, code) => {
    await start()
    expect(envelopeIn(await speak(port, octets, { idleMs: 300 })).code).toBe(code)
    expect((await get('/fido')).status).toBe(200)
  })

  test('what no mount ever sees has its line in the log, with an id and without what was sent', async () => {
    await start()
    await speak(port, 'secret nonsense\r\n\r\n', { idleMs: 300 })
    await get('/secret')
    await get('/w/three/fido')
    const line = { level: 'info', event: 'request refused', request: expect.stringMatching(/^req_[0-9a-z]{16}$/) }
    expect(log).toEqual([
      { ...line, method: undefined, status: 400, code: 40005 },
      { ...line, method: 'GET', status: 404, code: 40401 },
      { ...line, method: 'GET', status: 404, code: 40401 },
    ])
    expect(new Set(log.map(({ request }) => request)).size).toBe(3)
  })

  test('rubbish after a request waits until that request has its answer', async () => {
    await start()
    const heard = await speak(port, 'GET /fido/a HTTP/1.1\r\nHost: a\r\n\r\n\x16\x03\x01rubbish\r\n\r\n', {
      idleMs: 300,
    })
    const second = heard.lastIndexOf('HTTP/1.1 ')
    expect(heard.slice(0, 15)).toBe('HTTP/1.1 200 OK')
    expect(envelopeIn(heard.slice(second)).code).toBe(40005)
  })

  test('a tunnel asked for after a request waits until that request has its answer', async () => {
    await start()
    const heard = await speak(port, 'GET /fido/a HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', {
      idleMs: 300,
    })
    expect(heard.slice(0, 15)).toBe('HTTP/1.1 200 OK')
    expect(envelopeIn(heard.slice(heard.lastIndexOf('HTTP/1.1 '))).code).toBe(40401)
  })

  test('an expectation that cannot be met is answered once, whatever follows', async () => {
    await start()
    const head = 'POST /fido HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: wonders\r\n\r\n'
    const heard = await speak(port, `${head}zz\r\n`, { idleMs: 300 })
    expect(heard.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(envelopeIn(heard).code).toBe(40005)
  })

  test('much rubbish on one connection is one line of the log', async () => {
    let answer = (): void => undefined
    const waiting = new Promise<void>((resolve) => {
      answer = resolve
    })
    await start([
      echo('/fido', async () => {
        await waiting
        return dataResponse({})
      }),
    ])
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
    answer()
    await closed
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(log.map(({ event }) => event)).toEqual(['request refused'])
  })

  test('a client that breaks off in the middle takes nothing with it', async () => {
    await start()
    await speak(port, 'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhalf', { end: true })
    expect(seen).toHaveLength(0)
    expect((await get('/fido')).status).toBe(200)
    expect(log.map(({ event, code }) => [event, code])).toEqual([['request refused', 40005]])
  })
})

describe('limits', () => {
  test('a body at the limit is read, one byte more is 41301', async () => {
    await start()
    const post = (size: number) => ask({ port, method: 'POST', target: '/fido', headers: host, body: 'x'.repeat(size) })
    expect((await post(64)).status).toBe(200)
    expect((await post(65)).json.code).toBe(41301)
  })

  test('a chunked body is measured as it comes', async () => {
    await start()
    const chunk = `20\r\n${'x'.repeat(32)}\r\n`
    const raw = `POST /fido HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`
    expect(envelopeIn(await speak(port, raw, { idleMs: 300 })).code).toBe(41301)
  })

  test('after a body nobody wants, the connection ends', async () => {
    await start()
    const raw = `POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(100)}`
    const heard = await speak(port, raw)
    expect(heard).toMatch(/^HTTP\/1\.1 413 /)
    expect(heard.toLowerCase()).toContain('connection: close')
  })

  test('a mount words its own refusals', async () => {
    const refuse: Mount['refuse'] = (_request, refusal) => ({ status: 200, headers: [], body: refusal.name })
    await start([{ ...echo('/fido'), refuse }])
    const answer = await ask({ port, method: 'POST', target: '/fido', headers: host, body: 'x'.repeat(65) })
    expect([answer.status, answer.text]).toEqual([200, 'body_too_large'])
  })

  test('slow headers and slow bodies are 40801', async () => {
    await start([echo('/fido')], { headersTimeoutMs: 150, requestTimeoutMs: 300 })
    const [headers, body] = await Promise.all([
      speak(port, 'GET /fido HTTP/1.1\r\nHost: a\r\nX-'),
      speak(port, 'POST /fido HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf'),
    ])
    expect(envelopeIn(headers)).toMatchObject({ status: 408, code: 40801 })
    expect(envelopeIn(body)).toMatchObject({ status: 408, code: 40801 })
  })

  test('a connection that says nothing is closed', async () => {
    await start([echo('/fido')], { headersTimeoutMs: 150, requestTimeoutMs: 300 })
    const heard = await speak(port, '', { idleMs: 5_000 })
    expect(heard === '' || envelopeIn(heard).code === 40801).toBe(true)
  })
})

describe('a bug', () => {
  test('[errors.internal] answers 50001 with an id that finds the log line, and nothing else of it', async () => {
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
    expect(answer.json.error).toContain(String(line?.request))
  })
})

describe('listening', () => {
  test('several addresses share one free port', async () => {
    await start()
    await server.close()
    const two = await server.listen({ port: 0, hosts: ['127.0.0.1', '127.0.0.2'] })
    expect(two).toMatchObject({ ok: true, value: { hosts: ['127.0.0.1', '127.0.0.2'] } })
    if (!two.ok) return
    port = two.value.port
    expect((await get('/fido')).status).toBe(200)
  })

  test('a port in use is a sentence that names it', async () => {
    await start()
    const other = createServer({ mounts: [], workspaceExists: () => true, random: createRandom(), log: () => {} })
    const taken = await other.listen({ port, hosts: ['127.0.0.1'] })
    expect(taken).toEqual({
      ok: false,
      error: `Cannot listen on 127.0.0.1:${port}: another program uses it; --port takes another, 0 a free one.`,
    })
  })
})

describe('closing', () => {
  test('lets a request finish, tells keep-alive clients, and ends event streams', async () => {
    let release: () => void = () => {}
    const arrived = Promise.withResolvers<void>()
    const streaming = Promise.withResolvers<void>()
    let stopped = 0
    await start([
      echo('/slow', async () => {
        arrived.resolve()
        await new Promise<void>((resolve) => {
          release = resolve
        })
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
    release()
    const answer = await slow
    expect([answer.json.data, answer.headers.connection]).toEqual(['done', 'close'])
    await closed
    expect(await events).toContain('200 OK')
    expect(stopped).toBe(1)
  })

  test('what does not finish is cut off within the limit', async () => {
    const arrived = Promise.withResolvers<void>()
    await start(
      [
        echo('/never', () => {
          arrived.resolve()
          return new Promise(() => {})
        }),
      ],
      { closeMs: 100 },
    )
    const cut = get('/never').catch(() => 'cut')
    await arrived.promise
    const connection = connect({ host: '127.0.0.1', port })
    connection.on('error', () => {})
    await server.close()
    expect(await cut).toBe('cut')
    connection.destroy()
  })
})
