import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBench } from '../support/bench.ts'

let bench: Awaited<ReturnType<typeof startTestBench>>
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

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
})

test('no other answer is a page', async () => {
  expect((await get('/phones.html')).status).toBe(404)
})
