import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBench, type TestBench } from '../support/bench.ts'
import type { SigningVector } from './signing-vectors.ts'

const file = join(import.meta.dirname, '../../docs/interface/signing/vectors.json')
const vectors: readonly SigningVector[] = JSON.parse(readFileSync(file, 'utf8')).vectors

let bench: TestBench
let port: string
beforeAll(async () => {
  const keys = new Map(vectors.map(({ access_key_id, secret_key }) => [access_key_id, secret_key]))
  const rp = { name: 'Shop', rp_id: 'localhost', keys: [...keys].map(([id, secret]) => ({ id, secret })) }
  bench = await startTestBench({ seedData: { rps: [rp], phones: [] }, allowHosts: ['localhost:7420'] })
  port = new URL(bench.bench.controlUrl).port
  const short_form_identifiers = [...new Set(vectors.map((each) => each.scope_identifier))].filter(
    (each) => each !== '',
  )
  await bench.client.call('profile.patch', { body: { skew_clock: 'bench', short_form_identifiers } })
})
afterAll(() => bench.close())

/** The code with which the service answers what a vector signed, sent as it stands. */
const send = async (vector: SigningVector, authorization: string): Promise<number> => {
  const { x_svc_date, url, method, headers, body } = vector
  const now = x_svc_date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  await bench.client.call('clock.put', { body: { now: Date.parse(now), frozen: true } })
  const { host, origin } = new URL(url)
  const octets = (value: string): string => Buffer.from(value).toString('latin1')
  const pairs = [['Host', host], ['X-Svc-Date', x_svc_date], ['Authorization', authorization], ...headers]
  const length =
    body === '' ? [] : ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))]
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path: url.slice(origin.length),
      headers: [...pairs.flatMap(([name = '', value = '']) => [name, octets(value)]), ...length],
      setHost: false,
    })
    sent.on('error', reject)
    sent.on('response', (response) => resolve(text(response)))
    sent.end(body)
  })
  return JSON.parse(answer).code
}

test('there are at least forty vectors, no two of them of one request', () => {
  const requests = vectors.map(({ name: _, ...vector }) => JSON.stringify(vector))
  expect(new Set(requests).size).toBe(vectors.length)
  expect(vectors.length).toBeGreaterThanOrEqual(40)
})

test.each(vectors)('the service takes the signature of $name in both forms, and no other', async (vector) => {
  const refused = (code: number): boolean => Math.floor(code / 100) === 401
  expect(refused(await send(vector, vector.authorization)), 'general').toBe(false)
  expect(refused(await send(vector, vector.authorization_short)), 'short').toBe(false)
  const other = (text: string): string => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  expect(await send(vector, other(vector.authorization))).toBe(40104)
  expect(await send(vector, other(vector.authorization_short))).toBe(40104)
})
