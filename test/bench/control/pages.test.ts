import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createPage } from '../../../src-main/bench/control/page.ts'
import { codeOf, startTestBench } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const bench = benchOfFile()

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(bench.bench.controlUrl + path, { headers: { authorization: `Bearer ${bench.bench.token}`, ...headers } })

test.each([
  ['/report.html?title=Night', {}],
  ['/report?title=Night', { accept: 'text/html' }],
  ['/report?title=Night', { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }],
])('a report that is asked for as a page is the page: %s %o', async (path, headers) => {
  const response = await get(path, headers)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none';/)
  expect(await response.text()).toMatch(/^<!doctype html>[\s\S]*<h1>Night<\/h1>/)
})

test.each([[{}], [{ accept: '*/*' }], [{ accept: 'application/json, text/html' }]])(
  'a script gets the envelope: %o',
  async (headers) => {
    const response = await get('/report', headers)
    expect(await response.json()).toMatchObject({ code: 0, data: { html: expect.stringMatching(/^<!doctype html>/) } })
  },
)

test.each([
  ['/agent-report.md?title=Night', {}],
  ['/agent-report?title=Night', { accept: 'text/markdown' }],
])('a report for programs comes as Markdown: %s %o', async (path, headers) => {
  const response = await get(path, headers)
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await response.text()).toMatch(/^# Night\n/)
})

test('a report of what is not there is refused, and no ending fits another document', async () => {
  const codeOf = async (path: string) => (await (await get(path)).json()).code
  expect(await codeOf('/agent-report?msg_id=nothing')).toBe(40404)
  expect(await codeOf('/agent-report?seq=999999')).toBe(40404)
  expect((await get('/agent-report.html')).status).toBe(404)
  expect((await get('/report.md')).status).toBe(404)
  expect((await get('/phones.html')).status).toBe(404)
})

const request = {
  ...{ id: 'req_1', arrived: 0, workspace: 'main', method: 'GET', target: '/', query: '' },
  body: new Uint8Array(),
  gone: new AbortController().signal,
}

test('a request for nothing that exists has its line in the log, with the address that was asked for', async () => {
  const { bench, log, close } = await startTestBench()
  const answer = await fetch(`http://localhost:${bench.port}/fdio/rp/attestation/result?msg_id=secret`)
  await fetch(`http://localhost:${bench.port}/${'x'.repeat(5_000)}`, { method: 'POST' })
  await close()
  expect(answer.status).toBe(404)
  const line = {
    level: 'info',
    event: 'page request',
    took_us: expect.any(Number),
    request: expect.stringMatching(/^req_/),
    workspace: 'main',
  }
  expect(log.filter(({ event }) => event === 'page request')).toEqual([
    { ...line, method: 'GET', path: '/fdio/rp/attestation/result', status: 404 },
    { ...line, method: 'POST', path: `/${'x'.repeat(199)}`, status: 405 },
  ])
})

test('only a reader of the page is told that it has not been built', async () => {
  const { bench, close } = await startTestBench()
  const ask = async (method: string) => (await fetch(`http://localhost:${bench.port}/w/any`, { method })).status
  expect([await ask('GET'), await ask('POST')]).toEqual([503, 405])
  await close()
})

test('a browser at a mistyped address gets the page, which says so; a program gets the envelope', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  const { answer } = createPage(folder, () => {})
  const ask = async (accept: string) => {
    const { status, headers } = await answer({ ...request, path: '/cnsole/profile', headers: [['Accept', accept]] })
    return [status, headers.find(([name]) => name === 'Content-Type')?.[1]]
  }
  expect(await ask('text/html,application/xhtml+xml,*/*;q=0.8')).toEqual([404, 'text/html; charset=utf-8'])
  expect(await ask('*/*')).toEqual([404, 'application/json; charset=utf-8'])
})

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

test('offered bytes are at their address and no other, as bytes alone, until they are withdrawn', async () => {
  const { bench, close } = await startTestBench()
  const { path, withdraw } = bench.offer(new Uint8Array([0, 127, 255]))
  const ask = (asked: string, method = 'GET') => fetch(`http://localhost:${bench.port}${asked}`, { method })
  const answer = await ask(path)
  expect(await answer.bytes()).toEqual(new Uint8Array([0, 127, 255]))
  expect(answer.headers.get('content-type')).toBe('application/octet-stream')
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  const statuses = async () => [
    (await ask(path)).status,
    (await ask(path, 'POST')).status,
    (await ask('/offered/')).status,
  ]
  expect(await statuses()).toEqual([200, 404, 404])
  withdraw()
  expect(await statuses()).toEqual([404, 404, 404])
  await close()
})
