import { expect, test } from 'vitest'
import { crashRounds } from '../robustness/crash-rounds.ts'
import { disagreements, type Exported, emptyLedger, type MessageFacts } from '../robustness/ledger.ts'

// Killed, not without power: what the system has written counts as kept. test/phones/phone/storage.test.ts cuts that off too.
test('handset serve, killed under load and started again has everything it acknowledged, and nothing that cannot be', async () => {
  const { problems, acknowledged } = await crashRounds({ rounds: 4, seed: 7 })
  expect(problems).toEqual([])
  expect(acknowledged.results).toBeGreaterThan(10)
  expect(acknowledged.credentials).toBeGreaterThan(10)
})

const row = {
  ...{ id: 'm', rp: 'rp', kind: 'authentication', state: 'success', device: 'd', answer_hash: 'h', error: '' },
  ...{ delivered_at: 1, credential_id: null as string | null },
}
const facts: MessageFacts = {
  kind: 'authentication',
  bindAsked: true,
  boundTo: 'd',
  asked: new Set(['success']),
  told: 'success',
  readAsked: true,
  read: true,
}
const found = (
  change: Partial<typeof row> | null,
  told: Partial<MessageFacts> = {},
  more: object = {},
  phones: Exported['phones']['phones'] = [],
) => {
  const ledger = emptyLedger()
  ledger.messages.set('m', { ...facts, ...told })
  ledger.devices.set('d', { token: 't', presence: 'there' })
  const messages = change === null ? [] : [{ ...row, ...change }]
  const devices = [{ id: 'd', account: 'a' }]
  const tables = { rps: [{ id: 'rp' }], accounts: [{ id: 'a' }], devices, messages, ...more }
  return disagreements({ service: { tables }, phones: { phones } }, [], ledger)
}

test('the ledger agrees with what it was told', () => expect(found({})).toEqual([]))

test.each<[string, Partial<typeof row> | null, Partial<MessageFacts>]>([
  ['a message that is gone', null, {}],
  ['a verdict that is gone', { state: 'bind', answer_hash: null as never, delivered_at: null as never }, {}],
  ['a verdict that changed', { state: 'fail', error: 'x: y' }, { told: 'success' }],
  ['a delivery that is gone', { delivered_at: null as never }, {}],
  ['an unrequested delivery', {}, { read: false, readAsked: false }],
  ['a message bound to another device', { device: 'e' }, {}],
  ['an end that was not sent', {}, { asked: new Set() }],
  ['a push that is gone', {}, { pushedTo: 'd' }],
  ['an answer in a state that has none', { state: 'bind' }, { asked: new Set() }],
  ['a registration without its credential', { kind: 'registration' }, {}],
  ['a message of no RP', { rp: 'other' }, {}],
])('the ledger sees %s', (_what, change, told) => expect(found(change, told)).not.toEqual([]))

test.each([
  ['chip', 'c', []],
  ['chip', 'other', ['credential c of a virtual phone has no key in its chip']],
  ['cloud', 'c', ['credential c of a virtual phone has no key in its cloud']],
])('the ledger sees whether a phone’s credential in its %s has a key: %s', (storage, key, problems) => {
  const credentials = [{ id: 'c', device: 'd', storage }]
  const phone = { json: '{"device":{"id":"d"}}', chip: [{ id: key }] }
  expect(found({ credential_id: 'c' }, {}, { credentials }, [phone])).toEqual(problems)
})

test('the ledger sees a credential that no message made', () => {
  expect(found({}, {}, { credentials: [{ id: 'c' }] })).toEqual(['credential c: no message made it'])
})
