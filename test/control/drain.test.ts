import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { codeOf, startTestBench } from '../support/bench.ts'

test('[serve.drain] a bench that drains is not ready, answers as before, and ends what waits in order', async () => {
  const { bench, client } = await startTestBench()
  const origin = new URL(bench.baseUrl).origin
  const status = async (path: string) => {
    const response = await fetch(origin + path)
    await response.text()
    return { status: response.status, connection: response.headers.get('connection') }
  }
  expect(await status('/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' })
  const waiting = codeOf(client.call('events.wait', { body: { match: { kind: 'delivery' }, timeout_ms: 60_000 } }))
  const stream = client.events({ retry: async () => false })
  const ended = stream.next()
  // Long enough for what is asked below, also where others use the processor.
  const closed = bench.close({ drainMs: 1500 })
  // A client that stays on its connection would keep the process from ending.
  expect(await status('/readyz')).toEqual({ status: 503, connection: 'close' })
  expect(await status('/healthz')).toMatchObject({ status: 200 })
  expect((await client.call('overview')).workspace).toBe('main')
  await closed
  expect(await waiting).toBe(40905)
  expect((await ended).done).toBe(true)
  await expect(fetch(`${origin}/readyz`)).rejects.toThrow()
})

test('a balancer that asks in HTTP/1.0, without a Host, is answered; nothing else is without one', async () => {
  const { bench, close } = await startTestBench()
  const ask = async (request: string): Promise<string> => {
    const socket = connect(bench.port, '127.0.0.1')
    socket.end(request)
    return (await text(socket)).split('\r\n')[0] ?? ''
  }
  expect(await ask('GET /readyz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  expect(await ask('OPTIONS /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  expect(await ask('GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await ask('GET /control/v1/info HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  await close()
})
