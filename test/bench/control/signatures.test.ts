import { beforeAll, expect, it } from 'vitest'
import { en } from '../../../src-main/core/messages/en/en.ts'
import { signatureText } from '../../../src-main/core/messages/signature-text.ts'
import { createRpClient, type RpRefusal } from '../../../src-main/sdk/rp-client.ts'
import { signRequest } from '../../../src-main/sdk/sign-request.ts'
import { ALICE } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { taken } from '../../support/taken.ts'

const bench = benchOfFile({ seed: 3 })
let key: { readonly id: string; readonly secret: string }
beforeAll(() => {
  key = { id: bench.bench.rp?.accessKeyId ?? '', secret: bench.bench.rp?.secretKey ?? '' }
})

const callWith = async (secretKey: string, form: 'general' | 'short' = 'general'): Promise<RpRefusal | undefined> => {
  const { baseUrl } = bench.bench
  const client = createRpClient({ baseUrl, accessKeyId: key.id, secretKey, form, now: () => Date.now() })
  const answer = await client.register({ ...ALICE, display_name: 'Zoë \\ /' })
  client.close()
  return answer.ok ? undefined : answer.error
}

const lastExchange = async (): Promise<string> => {
  const { events } = await bench.client.call('events.list', { query: { kind: 'exchange', limit: 1, latest: true } })
  return String(events[0]?.seq)
}

it.each(['general', 'short'] as const)('a refused request of the %s form is explained as recorded', async (form) => {
  expect((await callWith(`${key.secret}\n`, form))?.code).toBe(40104)
  const seq = await lastExchange()
  const explained = await bench.client.call('events.signature', { params: { seq } })
  expect(explained).toMatchObject({
    outcome: 'explained',
    access_key_id: key.id,
    mistakes: [{ id: 'secret-with-space' }],
  })
  expect(explained).not.toHaveProperty('difference')
  expect(JSON.stringify(explained)).not.toContain(key.secret)
})

it('a body that was written with escapes is hashed as it was sent', async () => {
  const body = '{"user_id":"u-2","username":"Zo\\u00eb"}'
  const { headers, target, origin } = await signedOver(`${body} `)
  await fetch(origin + target, { method: 'POST', headers, body })
  const explained = await bench.client.call('events.signature', { params: { seq: await lastExchange() } })
  expect(explained).toMatchObject({ outcome: 'unexplained' })
  const again = await signedOver(`${body}\n`)
  await fetch(origin + target, { method: 'POST', headers: again.headers, body })
  expect(await bench.client.call('events.signature', { params: { seq: await lastExchange() } })).toMatchObject({
    mistakes: [{ id: 'body-newline' }],
    difference: { in: 'body', line: 2, signed: '' },
  })
})

it('a body that was changed on its way is said first where the same client has just signed well, else the secret', async () => {
  const { client } = bench
  const explain = async () => client.call('events.signature', { params: { seq: await lastExchange() } })
  const rp = (await client.call('rps.list')).rps[0]?.id ?? ''
  const own = { id: 'own-key', secret: 'a secret that is long enough' }
  await client.call('keys.create', { params: { rp }, body: own })
  type Sent = { readonly agent: string; readonly signed: string; readonly body?: string }
  const send = async ({ agent, signed, body = signed }: Sent) => {
    const { headers, target, origin } = await signedOver(signed, own)
    const of: [string, string][] = [
      ['User-Agent', agent],
      ['Content-Type', 'application/json'],
    ]
    return (await fetch(origin + target, { method: 'POST', headers: [...headers, ...of], body })).status
  }
  const [signed, body] = ['{"user_id":"u-3","username":"Bo"}', '{"user_id":"u-4","username":"Bo"}']
  // Another client has signed well, this one never.
  expect(await send({ agent: 'one', signed })).toBe(200)
  expect(await send({ agent: 'two', signed, body })).toBe(401)
  expect(await explain()).not.toHaveProperty('signed_well')
  expect(await send({ agent: 'two', signed })).toBe(200)
  const good = Number(await lastExchange())
  expect(await send({ agent: 'two', signed, body })).toBe(401)
  const explained = await explain()
  expect(explained).toMatchObject({ outcome: 'unexplained', signed_well: good })
  expect(signatureText(en, explained)).toMatch(RegExp(`\\b${good}\\b`))
  // Without a body nothing in it can differ.
  const read = new URL(`${bench.bench.baseUrl}/rp/credentials?user_id=u-3`)
  const wrong = { accessKeyId: own.id, secretKey: 'quite another secret than this' }
  const request = { method: 'GET', host: read.host, target: read.pathname + read.search, body: Buffer.from('') }
  const { headers } = taken(signRequest(request, wrong, Date.now()))
  const bare = headers.filter(([name]) => name !== 'Host').map(([...pair]) => pair)
  await fetch(read, { headers: [...bare, ['User-Agent', 'two']] })
  const other = await explain()
  expect(other).not.toHaveProperty('signed_well')
  expect(other).not.toHaveProperty('difference')
  expect(signatureText(en, other)).toContain(own.id)
  // A secret that the key had once proves nothing for the one that it has.
  await client.call('keys.delete', { params: { rp, key: own.id } })
  await client.call('keys.create', { params: { rp }, body: { ...own, secret: 'quite another secret than before' } })
  expect(await send({ agent: 'two', signed, body })).toBe(401)
  expect(await explain()).not.toHaveProperty('signed_well')
})

it('a request that was not refused for its signature has nothing to explain', async () => {
  expect(await callWith(key.secret)).toBeUndefined()
  const seq = await lastExchange()
  await expect(bench.client.call('events.signature', { params: { seq } })).rejects.toMatchObject({ code: 40902 })
  await expect(bench.client.call('events.signature', { params: { seq: '999999' } })).rejects.toMatchObject({
    code: 40404,
  })
})

/** The headers of a call that sends another body than it signs. */
const signedOver = async (signed: string, { id, secret } = key) => {
  const { origin, host, pathname } = new URL(`${bench.bench.baseUrl}/rp/attestation/options`)
  const request = { method: 'POST', host, target: pathname, body: Buffer.from(signed) }
  const { headers } = taken(signRequest(request, { accessKeyId: id, secretKey: secret }, Date.now()))
  return { origin, target: pathname, headers: headers.filter(([name]) => name !== 'Host').map(([...pair]) => pair) }
}
