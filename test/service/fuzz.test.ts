import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  string,
  uint8Array,
} from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../src-main/contract/errors.ts'
import { ask, speak } from '../support/service/raw-http.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { makeSoftKey, registrationResponse } from '../support/service/soft-key.ts'
import { type SoftPhone, softPhone } from '../support/service/soft-phone.ts'
import { type Running, startService } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'

/** Bounded and repeatable: the same inputs in every run. */
const seed = 20260501

let running: Running
let rp: ReturnType<typeof rpClient>
let phone: SoftPhone
beforeAll(async () => {
  running = await startService()
  rp = rpClient(running, await running.makeRp())
  phone = await softPhone(running)
})
afterAll(() => running.stop())

const codes = new Set<number>([0, ...Object.values(errors).map(({ code }) => code)])
const bugs = () => running.log.filter(({ event }) => event === 'bug')

const isEnvelope = (json: unknown): boolean => {
  if (typeof json !== 'object' || json === null) return false
  const { code, data, error } = json as Record<string, unknown>
  return (
    codes.has(Number(code)) && code !== errors.internal.code && typeof data === 'object' && typeof error === 'string'
  )
}

const anyText = string({ unit: 'binary', maxLength: 200 })
const anyValue = oneof(jsonValue({ maxDepth: 3 }), anyText)

describe('nothing that is sent makes the service fail', () => {
  test('bodies of any members and values to the RP interface', async () => {
    const member = constantFrom(
      'user_id',
      'username',
      'credential_name',
      'display_name',
      'method',
      'credential_ids',
      '__proto__',
      'constructor',
    )
    const path = constantFrom(
      ['POST', '/rp/attestation/options'],
      ['POST', '/rp/assertion/options'],
      ['DELETE', '/rp/credentials'],
    )
    await assert(
      asyncProperty(path, dictionary(member, anyValue), async ([method = '', target = ''], body) => {
        expect(isEnvelope((await rp.call({ method, target, body })).json)).toBe(true)
      }),
      { seed, numRuns: 300 },
    )
    expect(bugs()).toEqual([])
  })

  test('bodies of any bytes, rightly signed', async () => {
    await assert(
      asyncProperty(uint8Array({ minLength: 1, maxLength: 300 }), async (rawBody) => {
        const answer = await rp.call({ method: 'POST', target: '/rp/attestation/options', rawBody })
        expect(answer.json.code).toBe(40001)
      }),
      { seed, numRuns: 150 },
    )
  })

  test('queries of any octets', async () => {
    const octet = constantFrom(...'abc=&%+;?/~._-0F', '%41', '%', '%e4', 'user_id=', 'msg_id=', 'id=')
    const target = constantFrom('/rp/credentials', '/rp/attestation/result', '/rp/assertion/result')
    await assert(
      asyncProperty(target, array(octet, { maxLength: 12 }), async (path, parts) => {
        const query = parts.join('').replaceAll('#', '')
        const answer = await rp.call({ method: 'GET', target: `${path}?${query}`, sign: { query: '' } })
        expect(isEnvelope(answer.json)).toBe(true)
      }),
      { seed, numRuns: 300 },
    )
    expect(bugs()).toEqual([])
  })

  test('Authorization and date of any text', async () => {
    const piece = constantFrom(
      'SVC-HMAC-SHA256',
      ' ',
      ',',
      '/',
      ';',
      'host',
      'x-svc-date',
      'ak_1',
      'fido-server/',
      '0'.repeat(64),
      'é',
      '\t',
    )
    await assert(
      asyncProperty(array(piece, { maxLength: 10 }), async (parts) => {
        const authorization = parts.join('').trim()
        const answer = await rp.call({ method: 'GET', target: '/rp/credentials?user_id=u', send: { authorization } })
        expect([40101, 40102, 40103, 40104, 40107, 40108]).toContain(answer.json.code)
      }),
      { seed, numRuns: 300 },
    )
  })

  test('any value as the response of a phone is judged', async () => {
    await assert(
      asyncProperty(jsonValue({ maxDepth: 4 }), async (response) => {
        const id = msgIdOf(await rp.register('u1'))
        await phone.bind(id)
        expect((await phone.attest(id, { response })).json.data.status).toBe('fail')
      }),
      { seed, numRuns: 100 },
    )
    expect(bugs()).toEqual([])
  })

  test('a good response with any one octet changed is judged, and refused where it matters', async () => {
    taken(await running.admin.profile.patch('main', { credentials_per_user: 1000, second_opinion: 'off' }))
    const member = constantFrom('clientDataJSON', 'attestationObject', 'authenticatorData')
    await assert(
      asyncProperty(member, integer({ min: 0, max: 10_000 }), integer({ min: 1, max: 255 }), async (name, at, flip) => {
        const id = msgIdOf(await rp.register('u1'))
        const good = registrationResponse(makeSoftKey(), (await phone.bind(id)).json.data.public_key)
        const bytes = Buffer.from(good.response[name as 'clientDataJSON'], 'base64url')
        const place = at % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ flip
        const response = { ...good, response: { ...good.response, [name]: bytes.toString('base64url') } }
        const { data } = (await phone.attest(id, { response })).json
        expect(['success', 'fail']).toContain(data.status)
        if (data.status === 'fail') expect(data.error).toMatch(/^[a-z][a-z0-9_]*: ./)
      }),
      { seed, numRuns: 150 },
    )
    expect(bugs()).toEqual([])
  })

  test('bodies of any members to the app interface', async () => {
    const path = constantFrom(
      '/devices',
      '/messages/x/bind',
      '/messages/x/attestation',
      '/messages/x/reject',
      '/vault/AAAA',
    )
    const member = constantFrom('account', 'device_name', 'response', 'storage', 'reason', 'sealed', '__proto__')
    await assert(
      asyncProperty(
        path,
        dictionary(member, oneof(anyValue, dictionary(constantFrom('name', 'phone', 'proof'), anyValue))),
        async (target, body) => {
          const method = target.startsWith('/vault') ? 'PUT' : 'POST'
          expect(isEnvelope((await phone.call(method, target, body)).json)).toBe(true)
        },
      ),
      { seed, numRuns: 200 },
    )
    expect(bugs()).toEqual([])
  })

  test('octets that are no HTTP', async () => {
    const line = constantFrom(
      'GET ',
      'POST ',
      '/fido/rp/credentials',
      ' HTTP/1.1',
      '\r\n',
      '\n',
      'Host: a',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
      '\0',
      ':',
      '\xff',
    )
    await assert(
      asyncProperty(array(line, { minLength: 1, maxLength: 12 }), async (parts) => {
        const heard = await speak(running.port, `${parts.join('')}\r\n\r\n`, { idleMs: 30, end: true })
        expect(heard === '' || heard.startsWith('HTTP/1.1 ')).toBe(true)
      }),
      { seed, numRuns: 100 },
    )
    const alive = await ask({ port: running.port, method: 'GET', target: '/fido/m', headers: [['Host', 'localhost']] })
    expect(alive.status).toBe(200)
    expect(bugs()).toEqual([])
  })
})
