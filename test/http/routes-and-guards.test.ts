import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type EventStream, encodeEvent, eventStream } from '../../src-main/http/event-stream.ts'
import { findHeader, readTraceContext } from '../../src-main/http/message.ts'
import { createHostCheck, guardPage } from '../../src-main/http/page-guard.ts'
import { createRouteTable } from '../../src-main/http/route-table.ts'
import { createStaticMount, pageHeaders } from '../../src-main/http/static-files.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

test.each<[string, boolean]>([
  ['localhost:7420', true],
  ['127.0.0.1:7420', true],
  ['[::1]:7420', true],
  ['shop.localhost:7420', true],
  ['localhost', false],
  ['localhost:7421', false],
  ['localhost.example:7420', false],
  ['192.168.1.2:7420', false],
  ['evil.example:7420', false],
  ['', false],
  ['localhost:7420 ', false],
  ['localhost:7420,evil.example', false],
  ['user@localhost:7420', false],
  ['a b.localhost:7420', false],
  ['evil.com/.localhost:7420', false],
  ['evil.com?.localhost:7420', false],
  ['.localhost:7420', false],
  ['a..localhost:7420', false],
  ['localhost:99999', false],
])('which Host is ours: %j: %s', (host, ours) => expect(createHostCheck({ port: 7420 })(host)).toBe(ours))

test('which Host is ours: a name it was given counts with its port, and as it was given', () => {
  const isOurs = createHostCheck({ port: 7420, names: ['Bench.example:8443', 'desk.local'] })
  expect(['bench.example:8443', 'desk.local', 'desk.local:7420', 'bench.example', 'desk.local:1'].map(isOurs)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

test('which Host is ours: a server that listens everywhere takes any literal address, never a foreign name', () => {
  const isOurs = createHostCheck({ port: 7420, anyAddress: true })
  expect(['192.168.1.2:7420', '[fe80::1]:7420', 'evil.example:7420', '192.168.1.2:1'].map(isOurs)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('which Host is ours: on port 80 the port may be left out', () => {
  expect(createHostCheck({ port: 80 })('localhost')).toBe(true)
})

const rules = {
  isOurHost: (host: string) => host === 'us',
  isAllowedOrigin: (origin: string) => origin === 'https://friend.example',
}
const guard = (...headers: [string, string][]) => guardPage({ headers }, rules)
const friend: [string, string] = ['Origin', 'https://friend.example']
const foe: [string, string] = ['Origin', 'https://foe.example']

test('the guard lets programs pass: they send no Origin', async () => {
  expect(await guard(['Host', 'us'])).toEqual({ ok: true, value: [] })
})

test.each<[string, string, [string, string][]]>([
  ['a foreign Host before it looks at the Origin', 'foreign_host', [['Host', 'them'], friend]],
  ['a foreign Origin', 'foreign_origin', [['Host', 'us'], foe]],
  ['two Origins, even where the first is allowed', 'foreign_origin', [['Host', 'us'], friend, foe]],
])('the guard refuses %s', async (_, name, headers) => {
  expect(await guard(...headers)).toMatchObject({ ok: false, error: { name } })
})

test.each([
  ['handset:7420', true],
  ['evil.example', true],
  ['', false],
  ['a b', false],
  ['-x; rm', false],
  ['handset:7420"', false],
])('the guard says of the Host %j how it could be allowed: %s', async (name, says) => {
  const refused = await guard(['Host', name])
  expect(refused).toMatchObject({ ok: false, error: { reason: { code: says ? 'host_could_be_allowed' : 'got' } } })
})

test('the guard gives an allowed origin the headers that name it alone', async () => {
  const cors = await guard(['Host', 'us'], ['Origin', 'https://friend.example'])
  expect(cors.ok && cors.value).toContainEqual(['Access-Control-Allow-Origin', 'https://friend.example'])
  expect(cors.ok && cors.value).toContainEqual(['Vary', 'Origin'])
})

const table = createRouteTable([
  { method: 'GET', pattern: '/things', handler: 'list' },
  { method: 'POST', pattern: '/things', handler: 'make' },
  { method: 'GET', pattern: '/things/self', handler: 'self' },
  { method: 'GET', pattern: '/things/{id}', handler: 'get' },
  { method: 'PUT', pattern: '/things/{id}/parts/{part}', handler: 'put' },
])

const found = (method: string, path: string) => {
  const match = table.match(method, path)
  return match.ok ? [match.value.route.handler, match.value.params] : [match.error.name, match.error.headers ?? {}]
}

test('a route table finds by method and path, literal before parameter', () => {
  expect(found('GET', '/things')).toEqual(['list', {}])
  expect(found('POST', '/things')).toEqual(['make', {}])
  expect(found('GET', '/things/self')).toEqual(['self', {}])
  expect(found('GET', '/things/7')).toEqual(['get', { id: '7' }])
  expect(found('PUT', '/things/7/parts/x')).toEqual(['put', { id: '7', part: 'x' }])
})

test('a route table decodes a parameter after the path was split', () => {
  expect(found('GET', '/things/a%2Fb%20%C3%BC')).toEqual(['get', { id: 'a/b ü' }])
})

test.each(['/things/', '/thing', '/things/a/b', '/things/%zz', '/things/%ff', '//things', '/thin%67s', '', '/'])(
  'a route table: %s is no route',
  (path) => {
    expect(found('GET', path)).toEqual(['no_route', {}])
  },
)

test('a route table HEAD goes where GET goes', () => expect(found('HEAD', '/things/7')).toEqual(['get', { id: '7' }]))

test('a route table: another method is refused with those that are allowed', () => {
  expect(found('DELETE', '/things')).toEqual(['method_not_allowed', { Allow: 'GET, HEAD, POST' }])
  expect(found('get', '/things')).toEqual(['method_not_allowed', { Allow: 'GET, HEAD, POST' }])
})

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const idOf = (value: string) => readTraceContext([['Traceparent', value]])?.traceId

test('the trace id is read from a header of version 00, and of a later version with more in it', () => {
  expect(idOf(`00-${TRACE}-${PARENT}-01`)).toBe(TRACE)
  expect(idOf(`01-${TRACE}-${PARENT}-00`)).toBe(TRACE)
  expect(idOf(`01-${TRACE}-${PARENT}-01-more`)).toBe(TRACE)
  expect(readTraceContext([])).toBe(undefined)
})

test.for([
  `00-${TRACE}-${PARENT}-01-more`,
  `ff-${TRACE}-${PARENT}-01`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}`,
  `00-${TRACE}-${PARENT}-1`,
  `${TRACE}`,
  '',
  `00-${TRACE}\n-${PARENT}-01`,
])('%j is none', (value) => {
  expect(idOf(value)).toBe(undefined)
})

const folder = folderOfFile()
beforeAll(() => {
  mkdirSync(join(folder, 'site', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'site', 'index.html'), '<p>page</p>')
  writeFileSync(join(folder, 'site', '.hidden'), 'hidden')
  writeFileSync(join(folder, 'site', 'assets', 'app-1a2b.js'), 'code')
})

const get = (path: string, method = 'GET', mount = createStaticMount(join(folder, 'site'))) =>
  mount.answer({
    id: 'req_1',
    arrived: 0,
    workspace: 'main',
    method,
    target: path,
    path,
    query: '',
    headers: [],
    body: new Uint8Array(0),
    gone: new AbortController().signal,
  })
const bodyOf = async (path: string) => Buffer.from((await get(path)).body).toString()

test('static files: the folder’s index answers at its root', async () => {
  expect(await bodyOf('/')).toBe('<p>page</p>')
  expect(findHeader((await get('/')).headers, 'content-type')).toBe('text/html; charset=utf-8')
})

test('static files: all answers share the bytes of a file, until it changes', async () => {
  const mount = createStaticMount(join(folder, 'site'))
  const ask = async () => (await get('/changing.txt', 'GET', mount)).body
  const file = join(folder, 'site', 'changing.txt')
  writeFileSync(file, 'before')
  const [one, other] = await Promise.all([ask(), ask()])
  expect(one).toBe(other)
  expect(await ask()).toBe(one)
  writeFileSync(file, 'and after')
  expect(Buffer.from(await ask()).toString()).toBe('and after')
})

test('static files: those with a hash in their name are kept, the others are asked for again', async () => {
  expect(findHeader((await get('/assets/app-1a2b.js')).headers, 'cache-control')).toContain('immutable')
  expect(findHeader((await get('/')).headers, 'cache-control')).toBe('no-cache')
})

test('static files: a file comes with the headers of a page', async () => {
  expect((await get('/')).headers).toEqual(expect.arrayContaining([...pageHeaders]))
})

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/.hidden',
  '/assets',
  '/assets/',
  '//etc/passwd',
  '/a\0b',
  '/assets/../../secret.txt',
  '/nothing',
])('static files: %j is not there', async (path) => expect((await get(path)).status).toBe(404))

test('static files: only GET and HEAD are answered', async () => {
  const answer = await get('/', 'POST')
  expect([answer.status, findHeader(answer.headers, 'allow')]).toEqual([405, 'GET, HEAD'])
})

const opened = (options?: Parameters<typeof eventStream>[1]) => {
  const written: string[] = []
  let stream: EventStream | undefined
  let stopped = 0
  const reader = { slow: false, drained: [] as (() => void)[] }
  const response = eventStream((given) => {
    stream = given
    return () => {
      stopped += 1
    }
  }, options)
  const stop = response.stream?.({
    write: (chunk) => {
      written.push(String(chunk))
      return !reader.slow
    },
    onceDrained: (listener) => reader.drained.push(listener),
    end: () => written.push('end'),
  })
  const drain = (): void => {
    reader.slow = false
    for (const listener of reader.drained.splice(0)) listener()
  }
  return { response, written, stream, stop, stopped: () => stopped, reader, drain }
}

const send = (stream: EventStream | undefined, ...texts: readonly string[]) =>
  texts.map((text) => stream?.send({ json: text }))

describe('a stream of server-sent events', () => {
  beforeEach(() => void vi.useFakeTimers())

  test('is not cached, and says at once that it is open', () => {
    const { response, written } = opened()
    expect(response.headers).toContainEqual(['Content-Type', 'text/event-stream; charset=utf-8'])
    expect(response.headers).toContainEqual(['Cache-Control', 'no-store'])
    expect(written).toEqual([': open\n\n'])
  })

  test('[app.inbox-alive] has a comment every 15 s, until it is closed', () => {
    const { written, stop, stopped } = opened()
    vi.advanceTimersByTime(14_999)
    expect(written).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(written).toEqual([': open\n\n', ': alive\n\n'])
    vi.advanceTimersByTime(30_000)
    expect(written).toHaveLength(4)
    stop?.()
    vi.advanceTimersByTime(60_000)
    expect([written.length, stopped()]).toEqual([4, 1])
  })

  test('writes event, id and data, one line each', () => {
    const { stream, written } = opened()
    stream?.send({ event: 'message', id: '7', json: JSON.stringify({ text: 'two\nlines' }) })
    expect(written.at(-1)).toBe('event: message\nid: 7\ndata: {"text":"two\\nlines"}\n\n')
    expect(encodeEvent({ json: '1' })).toBe('data: 1\n\n')
  })

  test('writes one event at once, and together what follows it within the time that is given', () => {
    const { stream, written } = opened({ togetherMs: 20 })
    written.length = 0
    send(stream, '1', '2', '3')
    expect(written).toEqual(['data: 1\n\n'])
    vi.advanceTimersByTime(20)
    send(stream, '4')
    vi.advanceTimersByTime(20)
    vi.advanceTimersByTime(20)
    send(stream, '5')
    expect(written.slice(1)).toEqual(['data: 2\n\ndata: 3\n\n', 'data: 4\n\n', 'data: 5\n\n'])
  })

  test('writes much before its time, so that a reader who is too slow is noticed', () => {
    const { stream, written, reader } = opened({ togetherMs: 20 })
    reader.slow = true
    const heavy = 'x'.repeat(70_000)
    expect(send(stream, '1', heavy)).toEqual([false, false])
    expect(written.at(-1)).toBe(`data: ${heavy}\n\n`)
  })

  test('is behind until the reader has read what was written together, and not longer', () => {
    const { stream, reader, drain } = opened({ togetherMs: 20 })
    send(stream, '1', '2')
    reader.slow = true
    vi.advanceTimersByTime(20)
    expect(send(stream, '3')).toEqual([false])
    drain()
    expect(send(stream, '4')).toEqual([true])
  })

  test('writes what waits before it ends', () => {
    const { stream, written } = opened({ togetherMs: 20 })
    send(stream, '1', '2')
    stream?.end()
    expect(written.slice(-2)).toEqual(['data: 2\n\n', 'end'])
  })
})
