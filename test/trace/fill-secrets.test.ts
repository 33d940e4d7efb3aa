import { expect, test } from 'vitest'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { MASK } from '../../src-main/protocol/secret.ts'
import { fillSecrets } from '../../src-main/trace/fill-secrets.ts'

const exchange = (request: string, response: string): BenchEvent =>
  ({
    kind: 'exchange',
    device_id: 'd-1',
    request: { headers: [['Authorization', MASK]], body: request },
    response: { headers: [], body: response },
  }) as unknown as BenchEvent

const secretsOf = () => ({ device_id: 'd-1', device_token: 'token', proof: 'proof' })

test('a body that only looks masked stays as it was sent', () => {
  const sent = `{"proof": ${MASK}`
  expect(fillSecrets(exchange(sent, MASK), secretsOf)).toMatchObject({
    request: { headers: [['Authorization', 'Bearer token']], body: sent },
    response: { body: MASK },
  })
})

test('masked members have their values again, wherever they stand', () => {
  const body = JSON.stringify({ proof: MASK, data: [{ device_token: MASK, name: MASK }] })
  expect(fillSecrets(exchange(body, ''), secretsOf)).toMatchObject({
    request: { body: JSON.stringify({ proof: 'proof', data: [{ device_token: 'token', name: MASK }] }) },
  })
})

test('a phone of which nothing is known stays masked', () => {
  const event = exchange(`{"proof":"${MASK}"}`, MASK)
  expect(fillSecrets(event, () => undefined)).toBe(event)
})
