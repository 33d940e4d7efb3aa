import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headerOf } from '../../src-main/http/message.ts'
import { staticFiles } from '../../src-main/http/static-files.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handset-static-'))
  mkdirSync(join(folder, 'site', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'site', 'index.html'), '<p>page</p>')
  writeFileSync(join(folder, 'site', '.hidden'), 'hidden')
  writeFileSync(join(folder, 'site', 'assets', 'app-1a2b.js'), 'code')
})
afterAll(() => rmSync(folder, { recursive: true }))

const get = (path: string, method = 'GET', mount = staticFiles(join(folder, 'site'))) =>
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

describe('static files', () => {
  test('the folder’s index answers at its root', async () => {
    expect(await bodyOf('/')).toBe('<p>page</p>')
    expect(headerOf((await get('/')).headers, 'content-type')).toBe('text/html; charset=utf-8')
  })

  test('all answers share the bytes of a file, until it changes', async () => {
    const mount = staticFiles(join(folder, 'site'))
    const ask = async () => (await get('/changing.txt', 'GET', mount)).body
    const file = join(folder, 'site', 'changing.txt')
    writeFileSync(file, 'before')
    const [one, other] = await Promise.all([ask(), ask()])
    expect(one).toBe(other)
    expect(await ask()).toBe(one)
    writeFileSync(file, 'and after')
    expect(Buffer.from(await ask()).toString()).toBe('and after')
  })

  test('files with a hash in their name are kept, the others are asked for again', async () => {
    expect(headerOf((await get('/assets/app-1a2b.js')).headers, 'cache-control')).toContain('immutable')
    expect(headerOf((await get('/')).headers, 'cache-control')).toBe('no-cache')
  })

  test('scripts come from our own files only, and nothing may frame the page', async () => {
    const policy = headerOf((await get('/')).headers, 'content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain("'unsafe-inline'")
    expect(policy).not.toContain("'unsafe-eval'")
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
  ])('%j is not there', async (path) => expect((await get(path)).status).toBe(404))

  test('only GET and HEAD are answered', async () => {
    const answer = await get('/', 'POST')
    expect([answer.status, headerOf(answer.headers, 'allow')]).toEqual([405, 'GET, HEAD'])
  })
})
