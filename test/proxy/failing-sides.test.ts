import { Buffer } from 'node:buffer'
import { request as requestHttp } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { connected } from '../robustness/wire.ts'
import { freePort } from '../support/free-port.ts'
import { startProxy } from '../support/proxy.ts'
import { serveBriefly } from '../support/serve-briefly.ts'

const ENVELOPE = '{"code":0,"data":{"total":0,"list":[]},"error":""}'
const ANSWER = `HTTP/1.1 200 OK\r\nContent-Length: ${ENVELOPE.length}\r\n\r\n${ENVELOPE}`

/** A target that does this with each connection once it was asked something. */
const targetThat = async (does: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => does(socket))
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${await listening(server)}/fido`
}

const listening = async (server: Server, port = 0): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

const ask = async (baseUrl: string, query = 'user_id=1') => {
  const answer = await fetch(`${baseUrl}/rp/credentials?${query}`)
  return { status: answer.status, body: (await answer.json()) as { readonly code: number; readonly data: object } }
}

const drip = (socket: Socket, bytes: string): void => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
  const timer = setInterval(() => socket.write(bytes), 20)
  socket.once('close', () => clearInterval(timer))
}

const pour = (socket: Socket): void => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n')
  const piece = Buffer.alloc(1024 * 1024)
  const more = (): void => {
    while (socket.writable && socket.write(piece));
    socket.once('drain', more)
  }
  more()
}

const say = (text: string) => (socket: Socket) => void socket.end(text)

test.each<readonly [string, (socket: Socket) => void, number, string]>([
  ['cuts before it answers', (socket) => socket.destroy(), 50201, 'target_cut'],
  ['cuts within its head', say('HTTP/1.1 200 OK\r\nConte'), 50201, 'target_cut'],
  ['cuts within its body', say('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"code"'), 50201, 'target_cut'],
  ['cuts within a chunk', say('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{'), 50201, 'target_cut'],
  ['speaks no HTTP', say('SSH-2.0-OpenSSH_9.2\r\n\r\n'), 50201, 'target_no_http'],
  [
    'has two lengths',
    say(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    50201,
    'target_no_http',
  ],
  ['has a control character behind its status', say('HTTP/1.1 200 a\x01b\r\n\r\n'), 50201, 'target_no_http'],
  ['has a status below 100', say('HTTP/1.1 042 OK\r\n\r\n'), 50201, 'target_no_http'],
  ['changes to nothing', say('HTTP/1.1 101 OK\r\nContent-Length: 2\r\n\r\n{}'), 50201, 'target_no_http'],
  ['sends headers without end', say(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(200_000)}\r\n\r\n`), 50201, 'target_no_http'],
  [
    'changes the protocol',
    say('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    50201,
    'target_cut',
  ],
  ['is silent', () => undefined, 50402, 'target_silent'],
  ['takes for ever', (socket) => drip(socket, 'x'), 50402, 'target_silent'],
  ['says more than anybody reads', pour, 50201, 'target_too_much'],
])('of a target that %s the RP is told what happened', async (_, does, code, reason) => {
  const closed = Promise.withResolvers<void>()
  const baseUrl = await targetThat((socket) => {
    socket.once('close', () => closed.resolve())
    does(socket)
  })
  const { bench } = await startProxy({ baseUrl, keyed: false, patienceMs: code === 50402 ? 400 : 20_000 })
  const { status, body } = await ask(bench.baseUrl)
  expect(body).toMatchObject({ code, data: { reason: { code: reason } } })
  expect(status).toBe(Math.floor(code / 100))
  await closed.promise
})

test('a target that is not there is told with what the system says', async () => {
  const { bench, client } = await startProxy({ baseUrl: `http://127.0.0.1:${await freePort()}/fido`, keyed: false })
  const { body } = await ask(bench.baseUrl)
  expect(body).toMatchObject({ code: 50201, data: { reason: { params: { problem: 'ECONNREFUSED' } } } })
  const { events } = await client.call('events.list', { query: { kind: 'exchange' } })
  expect(events).toMatchObject([{ response: { code: 50201 } }])
})

test('what unpacks to more than anybody reads passes as it came, and is not unpacked for the timeline', async () => {
  const packed = gzipSync(Buffer.alloc(200 * 1024 * 1024))
  const origin = await serveBriefly((_, response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed),
  )
  const { bench, client } = await startProxy({ baseUrl: `${origin}/fido`, keyed: false })
  const size = await new Promise<number>((resolve, reject) => {
    let heard = 0
    requestHttp(`${bench.baseUrl}/rp/credentials?user_id=1`, (answer) => {
      answer.on('data', (part: Buffer) => {
        heard += part.length
      })
      answer.on('end', () => resolve(heard))
    })
      .on('error', reject)
      .end()
  })
  expect(size).toBe(packed.length)
  const { events } = await client.call('events.list', { query: { kind: 'exchange' } })
  expect(events).toMatchObject([{ response: { body: '' } }])
})

test('a target that closes each connection behind its answer is asked on a new one', async () => {
  const baseUrl = await targetThat((socket) => void socket.end(ANSWER))
  const { bench } = await startProxy({ baseUrl, keyed: false })
  for (let n = 0; n < 20; n++) expect((await ask(bench.baseUrl)).body.code).toBe(0)
})

test('what a target says behind the end of its answer is no answer', async () => {
  const baseUrl = await targetThat(
    (socket) => void socket.write(`${ANSWER}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno`),
  )
  const { bench } = await startProxy({ baseUrl, keyed: false })
  for (let n = 0; n < 20; n++) {
    const { status, body } = await ask(bench.baseUrl)
    expect([0, 50201]).toContain(body.code)
    expect(status === 200 ? body.data : { total: 0 }).toMatchObject({ total: 0 })
  }
})

test('an RP that is gone before the answer takes nothing with it', async () => {
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  let answered = 0
  const origin = await serveBriefly(async (_, response) => {
    asked.resolve()
    await go.promise
    answered += 1
    response.end(ENVELOPE)
  })
  const { bench } = await startProxy({ baseUrl: `${origin}/fido`, keyed: false })
  const socket = await connected(bench.port)
  socket.write('GET /fido/rp/credentials?user_id=1 HTTP/1.1\r\nHost: fido.example.test\r\n\r\n')
  await asked.promise
  socket.destroy()
  go.resolve()
  expect((await ask(bench.baseUrl)).body.code).toBe(0)
  expect(answered).toBe(2)
})

test('a stream of events passes as it comes, and ends with either side', async () => {
  const left = Promise.withResolvers<void>()
  const opened: ((text: string) => void)[] = []
  const ends: (() => void)[] = []
  const origin = await serveBriefly((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.flushHeaders()
    opened.push((text) => void response.write(text))
    ends.push(() => void response.end())
    if (opened.length === 2) request.once('close', () => left.resolve())
  })
  const { bench } = await startProxy({ appUrl: `${origin}/app`, keyed: false })
  const open = async () => {
    const gone = new AbortController()
    const answer = await fetch(`${bench.appUrl}/inbox`, { signal: gone.signal })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    return { gone, read: async () => await reader?.read() }
  }
  const first = await open()
  opened[0]?.('data: ü\n\n')
  expect((await first.read())?.value).toBe('data: ü\n\n')
  ends[0]?.()
  expect((await first.read())?.done).toBe(true)
  const second = await open()
  second.gone.abort()
  await left.promise
})
