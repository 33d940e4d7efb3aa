import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import type { LogLine } from '../../src-main/core/protocol/log.ts'
import { StoreUnavailable } from '../../src-main/core/protocol/store-unavailable.ts'
import type { RawResponse } from '../../src-main/http/message.ts'
import { createServer, type ServerOptions } from '../../src-main/http/server.ts'
import { ask } from '../support/service/raw-http.ts'
import { taken } from '../support/taken.ts'

const start = async (answer: () => Promise<RawResponse>, more: Partial<ServerOptions> = {}) => {
  const log: LogLine[] = []
  const mounts = [{ prefix: '/', bodyLimit: () => 0, answer }]
  const shared = { mounts, workspaceExists: () => true, random: createRandom({ seed: 1 }) }
  const server = createServer({ ...shared, ...more, log: (line) => void log.push(line) })
  onTestFinished(() => server.close())
  return { log, ...taken(await server.listen({ port: 0, hosts: ['127.0.0.1'] })) }
}

const good: RawResponse = { status: 200, headers: [], body: 'here' }

test.each<readonly [string, Partial<RawResponse>, number]>([
  ['a value of several lines', { headers: [['ETag', '"a\r\nSet-Cookie: b=中"']] }, 200],
  ['a name of several lines', { headers: [['ETag\r\nSet-Cookie', 'b']] }, 500],
  ['an empty name', { headers: [['', 'b']] }, 500],
  ['a trailer without chunks', { headers: [['Trailer', 'ETag']] }, 500],
  ['the status 42', { status: 42 }, 500],
  ['the status 1001', { status: 1001 }, 500],
  ['no status', { status: Number.NaN }, 500],
  ['a reason phrase that no line holds', { passed: { reason: 'a\x01b' } }, 500],
])('[import.rules] an answer with %s ends nothing and smuggles nothing in', async (_, part, status) => {
  const { log, port } = await start(async () => ({ ...good, ...part }))
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null])
  expect(answer.headers.get('etag')).toBe(status === 200 ? '"a??Set-Cookie: b=?"' : null)
  expect(log.map(({ event }) => event)).toEqual(status === 200 ? [] : ['bug'])
})

const away = async (): Promise<never> => {
  throw new StoreUnavailable('connect ECONNREFUSED db.internal:5432', false)
}

test.each<readonly [string, Partial<ServerOptions>]>([
  ['at the first check', { workspaceExists: away }],
  ['on its way', {}],
])('a request that finds no database %s is not told where it is', async (_, options) => {
  const { port } = await start(away, options)
  const answer = await ask({ port, method: 'GET', target: '/fido/a', headers: [['Host', 'localhost']] })
  expect([answer.status, answer.json.code, answer.headers['retry-after']]).toEqual([503, 50302, '1'])
  expect(answer.json.data.reason).toEqual({ code: 'try_again_in', params: { seconds: 1 } })
  expect(answer.text).not.toMatch(/db\.internal|:5432/)
})
