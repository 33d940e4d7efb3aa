import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPage } from '../../src-main/control/page.ts'
import { startTestBench } from '../support/bench.ts'

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
  const folder = await mkdtemp(join(tmpdir(), 'handset-page-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  const { answer } = createPage(folder, () => {})
  const ask = async (accept: string) => {
    const { status, headers } = await answer({ ...request, path: '/cnsole/profile', headers: [['Accept', accept]] })
    return [status, headers.find(([name]) => name === 'Content-Type')?.[1]]
  }
  expect(await ask('text/html,application/xhtml+xml,*/*;q=0.8')).toEqual([404, 'text/html; charset=utf-8'])
  expect(await ask('*/*')).toEqual([404, 'application/json; charset=utf-8'])
  await rm(folder, { recursive: true })
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
