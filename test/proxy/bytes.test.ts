import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { connected } from '../robustness/wire.ts'
import { startProxy } from '../support/proxy.ts'
import { listenBriefly } from '../support/serve-briefly.ts'

type Heard = { readonly first: string; readonly headers: readonly string[]; readonly body: string }

/** What is about one connection, and how a body is framed on it. */
const FRAMING = /^(connection|keep-alive|transfer-encoding|content-length): /i

/** A whole HTTP message, as far as it is not about its connection; bodies as latin1. */
const heardIn = (bytes: Buffer, bodiless = false): (Heard & { readonly size: number }) | undefined => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...headers] = bytes.toString('latin1', 0, end).split('\r\n')
  const rest = bytes.subarray(end + 4)
  const size = Number(headers.find((line) => /^content-length:/i.test(line))?.split(':')[1] ?? 0)
  const isChunked = headers.some((line) => /^transfer-encoding: *chunked/i.test(line))
  const body = bodiless
    ? Buffer.of()
    : isChunked
      ? unchunked(rest)
      : rest.length < size
        ? undefined
        : rest.subarray(0, size)
  if (body === undefined) return undefined
  return {
    first,
    headers: headers.filter((line) => !FRAMING.test(line)),
    body: body.toString('latin1'),
    size: end + 4 + (bodiless ? 0 : isChunked ? rest.length : size),
  }
}

const unchunked = (bytes: Buffer): Buffer | undefined => {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (bytes.length < line + 2 + size + 2) return undefined
    if (size === 0) return Buffer.concat(pieces)
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}

/** A target that keeps what it heard, octet by octet, and answers each path with octets of its own. */
const startRawTarget = async (answers: ReadonlyMap<string, Buffer>) => {
  const heard: Heard[] = []
  const server = createServer((socket: Socket) => {
    let bytes: Buffer = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, part])
      const message = heardIn(bytes)
      if (message === undefined) return
      bytes = bytes.subarray(message.size)
      const { size: _, ...kept } = message
      heard.push(kept)
      socket.write(answers.get(message.first.split(' ')[1]?.split('?')[0] ?? '') ?? Buffer.of())
    })
  })
  return { port: await listenBriefly(server), heard }
}

const say = async (port: number, request: Buffer): Promise<Heard> => {
  const socket = await connected(port)
  const bodiless = request.toString('latin1', 0, 5) === 'HEAD '
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, part])
      const status = bytes.toString('latin1', 9, 12)
      const message = heardIn(bytes, bodiless || status === '204' || status === '304')
      if (message === undefined) return
      socket.destroy()
      const { size: _, ...answer } = message
      resolve(answer)
    })
    socket.on('close', () => reject(new Error(`it was cut after ${bytes.length} bytes`)))
    socket.write(request)
  })
}

const SIGNED = [
  'Host: fido.example.test',
  'X-Svc-Date: 20300101T120000Z',
  `Authorization: SVC-HMAC-SHA256 some-key/fido-server/,host;x-svc-date,${'0a'.repeat(32)}`,
]

const bytesOf = (first: string, headers: readonly string[], body: Buffer | string = ''): Buffer =>
  Buffer.concat([Buffer.from(`${[first, ...headers].join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])

const json = (value: unknown): string => JSON.stringify(value)
const OPTIONS = json({ user_id: 'ü-1 / 2', username: '李伟', display_name: 'é' })
const ENVELOPE = json({ code: 0, data: { svc_user: '', status: 'init', error: '' }, error: '' })
const ZIPPED = gzipSync(ENVELOPE)

type Traffic = readonly [name: string, request: Buffer, answer: Buffer]

const sized = (text: string | Buffer): string => `Content-Length: ${Buffer.byteLength(text)}`
const post = (path: string, more: readonly string[], body: string | Buffer): Buffer =>
  bytesOf(`POST ${path} HTTP/1.1`, [...SIGNED, 'Content-Type: application/json', ...more], body)
const poll = (path: string, more: readonly string[] = []): Buffer =>
  bytesOf(`GET ${path} HTTP/1.1`, [...SIGNED, ...more])
const answer = (body: string | Buffer = ENVELOPE, headers: readonly string[] = [], first = 'HTTP/1.1 200 OK'): Buffer =>
  bytesOf(first, ['Date: Tue, 01 Jan 2030 12:00:00 GMT', ...headers, sized(body)], body)

const traffic: readonly Traffic[] = [
  ['a registration that begins', post('/fido/rp/attestation/options', [sized(OPTIONS)], OPTIONS), answer()],
  ['a poll', poll('/fido/rp/attestation/result?msg_id=abc'), answer()],
  ['a query that is written unusually', poll('/fido/rp/credentials?b=%7e&a=%2f+x&&a=&user_id=%E2%82%AC%zz'), answer()],
  ['a question mark with nothing behind it', poll('/fido/rp/credentials?'), answer()],
  ['a path with dots and escapes', poll('/fido/rp/../rp/%63redentials'), answer()],
  [
    'a body in chunks',
    post('/fido/rp/assertion/options', ['Transfer-Encoding: chunked'], `3\r\n{"u\r\n4\r\n":1}\r\n0\r\n\r\n`),
    answer(),
  ],
  ['a body that is no JSON', post('/fido/rp/assertion/options', [sized(ZIPPED)], ZIPPED), answer()],
  ['no body where one belongs', post('/fido/rp/assertion/options', ['Content-Length: 0'], ''), answer()],
  [
    'a DELETE with a body',
    bytesOf('DELETE /fido/rp/credentials HTTP/1.1', [...SIGNED, sized(OPTIONS)], OPTIONS),
    answer(),
  ],
  [
    'headers in any case, twice, empty, with octets that are no ASCII',
    poll('/fido/rp/credentials?user_id=1', [
      'x-ODD-Case: 1',
      'X-Twice: a',
      'X-Twice: b',
      'X-Empty: ',
      'X-Latin: caf\xe9',
    ]),
    answer(ENVELOPE, ['x-ODD-Case: 1', 'Set-Cookie: a=1', 'set-cookie: b=2', 'X-Latin: caf\xe9', 'X-Empty: ']),
  ],
  [
    'HEAD',
    bytesOf('HEAD /fido/rp/credentials?user_id=1 HTTP/1.1', SIGNED),
    bytesOf('HTTP/1.1 200 OK', ['Content-Length: 512']),
  ],
  ['an answer without a Date', poll('/fido/rp/a'), bytesOf('HTTP/1.1 200 OK', [sized(ENVELOPE)], ENVELOPE)],
  [
    'an answer with words of its own behind the status',
    poll('/fido/rp/b'),
    answer('', [], 'HTTP/1.1 418 Short And Stout'),
  ],
  ['an answer with nothing behind the status', poll('/fido/rp/c'), answer(ENVELOPE, [], 'HTTP/1.1 200 ')],
  ['204', poll('/fido/rp/d'), bytesOf('HTTP/1.1 204 No Content', ['X-Why: nothing'])],
  ['304', poll('/fido/rp/e'), bytesOf('HTTP/1.1 304 Not Modified', ['ETag: "1"'])],
  ['a redirect', poll('/fido/rp/f'), answer('', ['Location: https://elsewhere.example/'], 'HTTP/1.1 302 Found')],
  [
    'an answer in chunks',
    poll('/fido/rp/g'),
    bytesOf('HTTP/1.1 200 OK', ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
  ],
  [
    'an answer that is packed',
    poll('/fido/rp/h', ['Accept-Encoding: gzip']),
    answer(ZIPPED, ['Content-Encoding: gzip']),
  ],
  ['an answer that says it is packed and is not', poll('/fido/rp/i'), answer(ENVELOPE, ['Content-Encoding: br'])],
  ['a page', bytesOf('GET /fido/m HTTP/1.1', SIGNED), answer('<!doctype html>\xff', ['Content-Type: text/html'])],
  ['500 from a balancer', poll('/fido/rp/j'), answer('<h1>Oops</h1>', [], 'HTTP/1.1 500 Internal Server Error')],
]

test.each(traffic)('%s passes to the octet, both ways', async (_, request, given) => {
  const path = request.toString('latin1').split(' ')[1]?.split('?')[0] ?? ''
  const target = await startRawTarget(new Map([[path, given]]))
  const { bench } = await startProxy({ baseUrl: `http://127.0.0.1:${target.port}/fido`, keyed: false })
  const direct = await say(target.port, request)
  const passed = await say(bench.port, request)
  expect(passed).toEqual(direct)
  expect(target.heard).toHaveLength(2)
  expect(target.heard[1]).toEqual(target.heard[0])
})

test('what is about the connection is not passed on, also where Connection names it', async () => {
  const path = '/fido/rp/credentials'
  const given = answer(ENVELOPE, ['Connection: keep-alive, X-Mine', 'X-Mine: 1', 'Proxy-Connection: keep-alive'])
  const target = await startRawTarget(new Map([[path, given]]))
  const { bench } = await startProxy({ baseUrl: `http://127.0.0.1:${target.port}/fido`, keyed: false })
  const passed = await say(bench.port, poll(path, ['Connection: X-Hop, host', 'X-Hop: 1', 'TE: trailers']))
  expect(passed.headers).toEqual(['Date: Tue, 01 Jan 2030 12:00:00 GMT'])
  expect(target.heard[0]?.headers).toEqual(SIGNED)
})

const LEADS_OUT = [
  ...['/../admin', '/%2e%2e/admin', '/rp/..%2F..%2Fadmin', '/rp//../../admin', '/rp/%252e%252e/../admin', '/..\\admin'],
  ...['/..;/admin', '//evil.example/x', '/%2f/evil.example/x'],
]
test.each(LEADS_OUT)('the path %s never leaves the address of the target, on either side', async (path) => {
  const target = await startRawTarget(new Map())
  const origin = `http://127.0.0.1:${target.port}`
  const { bench } = await startProxy({ baseUrl: `${origin}/fido`, appUrl: `${origin}/app`, keyed: false })
  for (const side of ['/fido', '/app']) {
    const { first, body } = await say(bench.port, bytesOf(`GET ${side}${path} HTTP/1.1`, ['Host: fido.example.test']))
    expect([first, JSON.parse(body).data.reason.code]).toEqual(['HTTP/1.1 404 Not Found', 'outside_target'])
  }
  expect(target.heard).toEqual([])
})

test.each([
  ['Host of another', ['Host: evil.example'], 40302],
  ['Origin of another', ['Host: localhost:PORT', 'Origin: https://evil.example'], 40303],
  ['second Origin', ['Host: localhost:PORT', 'Origin: http://localhost:PORT', 'Origin: https://evil.example'], 40303],
])('a foreign page reaches the target on neither side: %s', async (_, headers, code) => {
  const target = await startRawTarget(new Map())
  const origin = `http://127.0.0.1:${target.port}`
  const { bench } = await startProxy({ baseUrl: `${origin}/fido`, appUrl: `${origin}/app`, keyed: false })
  const sent = headers.map((header) => header.replace('PORT', String(bench.port)))
  for (const path of ['/fido/m', '/app/inbox']) {
    expect(JSON.parse((await say(bench.port, bytesOf(`GET ${path} HTTP/1.1`, sent))).body)).toMatchObject({ code })
  }
  expect(target.heard).toEqual([])
})

test('what is not signed gets the host of the target', async () => {
  const target = await startRawTarget(new Map([['/fido/m', answer()]]))
  const { bench } = await startProxy({ baseUrl: `http://127.0.0.1:${target.port}/fido`, keyed: false })
  await say(bench.port, bytesOf('GET /fido/m HTTP/1.1', ['Host: fido.example.test']))
  expect(target.heard[0]?.headers).toEqual([`Host: 127.0.0.1:${target.port}`])
})
