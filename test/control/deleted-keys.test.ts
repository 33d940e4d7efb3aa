import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRpClient, type RpClient } from '../../src-main/sdk/rp.ts'
import { cast, startTestBench, type TestBench } from '../support/bench.ts'

let running: TestBench
let rp: string
let key: string
let server: RpClient
beforeEach(async () => {
  running = await startTestBench()
  rp = (await cast(running.client)).rp
  const made = await running.client.call('keys.create', { params: { rp }, body: {} })
  key = made.key.id
  server = createRpClient({
    baseUrl: running.bench.baseUrl,
    accessKeyId: key,
    secretKey: made.secret,
    now: () => Date.now(),
  })
})
afterEach(async () => {
  server.close()
  await running.close()
})

const code = async (): Promise<number> => {
  const answer = await server.credentials('u-1')
  return answer.ok ? 0 : answer.error.code
}

test('a deleted key signs no more from that moment, and again once it is taken back', async () => {
  const { client } = running
  const params = { rp, key }
  expect(await code()).toBe(0)
  const { keys: before } = await client.call('keys.list', { params: { rp } })
  const { secret } = await client.call('keys.reveal', { params, body: {} })
  await client.call('keys.delete', { params })
  expect(await code()).toBe(40103)
  const back = await client.call('keys.undelete', { params, body: {} })
  expect(before).toContainEqual(back)
  expect(await client.call('keys.reveal', { params, body: {} })).toEqual({ secret })
  expect(await code()).toBe(0)
})

test('a deleted key does not outlive its RP: taking it back is refused with the reason', async () => {
  const { client } = running
  const params = { rp, key }
  await client.call('keys.delete', { params })
  await client.call('rps.delete', { params: { rp } })
  await expect(client.call('keys.undelete', { params, body: {} })).rejects.toMatchObject({
    code: 40902,
    data: { reason: { code: 'rp_is_gone', params: { id: key } } },
  })
})

test('a key that nobody deleted cannot be taken back', async () => {
  const params = { rp, key }
  await expect(running.client.call('keys.undelete', { params, body: {} })).rejects.toMatchObject({ code: 40404 })
})
