import { afterEach, expect, test } from 'vitest'
import { createRandom } from '../../src-main/harness/random.ts'
import { createServer, type HttpServer, type ServerOptions } from '../../src-main/http/server.ts'
import { StoreUnavailable } from '../../src-main/protocol/store-unavailable.ts'
import { ask } from '../support/service/raw-http.ts'
import { taken } from '../support/taken.ts'

let server: HttpServer
afterEach(() => server.close())

const away = async (): Promise<never> => {
  throw new StoreUnavailable('connect ECONNREFUSED db.internal:5432', false)
}

const cases: readonly (readonly [string, Pick<ServerOptions, 'mounts' | 'workspaceExists'>])[] = [
  ['at the first check', { mounts: [{ prefix: '/fido', bodyLimit: () => 0, answer: away }], workspaceExists: away }],
  ['on its way', { mounts: [{ prefix: '/fido', bodyLimit: () => 0, answer: away }], workspaceExists: () => true }],
]

test.each(cases)('a request that finds no database %s is not told where it is', async (_, options) => {
  server = createServer({ ...options, random: createRandom({ seed: 1 }), log: () => undefined })
  const { port } = taken(await server.listen({ port: 0, hosts: ['127.0.0.1'] }))
  const answer = await ask({ port, method: 'GET', target: '/fido/a', headers: [['Host', 'localhost']] })
  expect([answer.status, answer.json.code, answer.headers['retry-after']]).toEqual([503, 50302, '1'])
  expect(answer.json.data.reason).toEqual({ code: 'try_again_in', params: { seconds: 1 } })
  expect(answer.text).not.toMatch(/db\.internal|:5432/)
})
