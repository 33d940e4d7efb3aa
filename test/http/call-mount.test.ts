import { expect, test } from 'vitest'
import { startTestBench } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'

const shared = benchOfFile()

const json = { 'content-type': 'application/json' }

test.each([
  ['a call', 'GET', '/rps', {}, undefined],
  ['a call with a body', 'PATCH', '/profile', json, '{"second_opinion":"off"}'],
  ['a body that is no JSON', 'PATCH', '/profile', json, '{'],
  ['a body that the contract refuses', 'PATCH', '/profile', json, '{"second_opinion":7}'],
  ['another token', 'GET', '/rps', { authorization: 'Bearer other' }, undefined],
  ['a route that is none', 'GET', '/nothing', {}, undefined],
  ['a workspace that is none', 'GET', '/../../../w/gone/control/v1/rps', {}, undefined],
] as const)('%s is answered as over a socket', async (_, method, path, more, body) => {
  const { bench } = shared
  const url = new URL(bench.controlUrl + path).href
  const headers = { authorization: `Bearer ${bench.token}`, ...more }
  const overSocket = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  const direct = await bench.callControl({ url, method, headers, body, gone: new AbortController().signal })
  expect({ status: direct.status, body: direct.body }).toEqual({
    status: overSocket.status,
    body: await overSocket.text(),
  })
})

test('calls that are under way when the bench closes find their store open', async () => {
  const { bench: ending, log } = await startTestBench()
  const url = `${new URL(ending.controlUrl).origin}/control/v1/workspaces`
  const headers = { ...json, authorization: `Bearer ${ending.token}` }
  const gone = AbortSignal.abort()
  const calls = Array.from({ length: 20 }, () => ending.callControl({ url, method: 'POST', headers, body: '{}', gone }))
  await ending.close()
  await Promise.all(calls)
  expect(log.filter((line) => JSON.stringify(line).includes('"bug"'))).toEqual([])
})
