import { expect, it } from 'vitest'
import type { PhoneState } from '../../../src-main/phones/phone/phone-state.ts'
import { bench, phoneBenchEachTest, refusedAs, shows } from '../../support/phone-bench.ts'

phoneBenchEachTest()

const scanWith = async (behaviour: PhoneState['behaviour']) => {
  const phone = await bench.make({ behaviour })
  const message = await bench.service.registration()
  const scanned = await bench.scan(phone, message)
  return { phone, message, scanned, prompt: bench.stateOf(phone.id).prompts[0]?.id ?? '' }
}

it('a phone told to approve into a storage of its own puts it there', async () => {
  const { phone } = await scanWith({ answer: 'approve', storage: 'chip' })
  expect(bench.stateOf(phone.id)).toMatchObject({ storage: 'cloud', credentials: [{ storage: 'chip' }] })
})

it('a phone told to reject says so with its reason', async () => {
  const { message, phone } = await scanWith({ answer: 'reject', reason: 'not_me' })
  expect(message.error).toBe('not_me')
  expect(bench.stateOf(phone.id).screen).toMatchObject({ kind: 'refused', word: 'not_me' })
})

it('a phone told to ignore leaves the request to its expiry', async () => {
  const { message, phone } = await scanWith({ answer: 'ignore' })
  await bench.clock.advance(180_000)
  expect(message.state).toBe('timeout')
  expect(bench.stateOf(phone.id)).toMatchObject({ prompts: [], screen: { kind: 'problem', word: 'expired' } })
})

it('a phone told to approve later does so when the workspace’s clock gets there, and not before', async () => {
  const { message, phone } = await scanWith({ answer: 'approve', delay_ms: 5000 })
  const at = bench.clock.now() + 5000
  expect(bench.stateOf(phone.id).prompts).toMatchObject([{ answers_at: at }])
  await bench.clock.advance(4999)
  expect(message.state).toBe('bind')
  await bench.clock.advance(1)
  await bench.phones.idle('main')
  expect(message.state).toBe('success')
})

it('a phone told to approve after the expiry finds the request gone', async () => {
  const { message, phone } = await scanWith({ answer: 'approve', delay_ms: 200_000 })
  await bench.clock.advance(250_000)
  await bench.phones.idle('main')
  expect(message.state).toBe('timeout')
  expect(bench.stateOf(phone.id).screen).toMatchObject({ kind: 'problem', word: 'expired' })
  expect(bench.service.calls.filter(({ target }) => target.endsWith('/attestation'))).toEqual([])
})

it('a phone told to fail the fingerprint does so as often as it was told, and then succeeds', async () => {
  const { message, phone } = await scanWith({ answer: 'approve', fingerprint_failures: 3 })
  expect(message.state).toBe('success')
  const notes = bench.facts.filter(({ word }) => word === 'fingerprint_failed')
  expect(notes.map(({ phone: state }) => state?.prompts)).toMatchObject([
    [{ fingerprint_failures: 1 }],
    [{ fingerprint_failures: 2 }],
    [{ fingerprint_failures: 3 }],
  ])
  expect(bench.stateOf(phone.id).screen.kind).toBe('success')
})

it('a person whose finger is not recognised tries again', async () => {
  const { message, phone, prompt } = await scanWith({ answer: 'ask', fingerprint_failures: 1 })
  const ref = { ...bench.ref(phone), prompt }
  expect(await bench.phones.approve(ref)).toMatchObject(
    shows({ screen: { kind: 'request', note: 'fingerprint_failed' } }),
  )
  expect(message.state).toBe('bind')
  await bench.phones.failFingerprint(ref)
  expect(bench.stateOf(phone.id).prompts).toMatchObject([{ fingerprint_failures: 2 }])
  expect(await bench.phones.approve(ref)).toMatchObject(shows({ screen: { kind: 'success' } }))
})

it('a person approves with a delay of their own', async () => {
  const { message, phone, prompt } = await scanWith({ answer: 'ask' })
  await bench.phones.approve({ ...bench.ref(phone), prompt }, { storage: 'chip', delay_ms: 1000 })
  expect(message.state).toBe('bind')
  await bench.clock.advance(1000)
  await bench.phones.idle('main')
  expect(message.state).toBe('success')
  expect(bench.stateOf(phone.id).credentials).toMatchObject([{ storage: 'chip' }])
})

it('a person cannot answer what was not asked', async () => {
  const { phone, prompt } = await scanWith({ answer: 'approve' })
  const nobody = refusedAs('no_such_prompt')
  expect(await bench.phones.approve({ ...bench.ref(phone), prompt })).toMatchObject(nobody)
  expect(await bench.phones.reject({ ...bench.ref(phone), prompt: 'prm_no' })).toMatchObject(nobody)
  expect(await bench.phones.failFingerprint({ ...bench.ref(phone), prompt: 'prm_no' })).toMatchObject(nobody)
})

it('a person cannot answer twice at once', async () => {
  const { message, phone, prompt } = await scanWith({ answer: 'ask' })
  const ref = { ...bench.ref(phone), prompt }
  const [first, second] = await Promise.all([bench.phones.approve(ref), bench.phones.reject(ref)])
  expect(first).toMatchObject(shows({ screen: { kind: 'success' } }))
  expect(second).toMatchObject(refusedAs('busy'))
  expect(message.state).toBe('success')
})

it('a person can be asked several things and answer them in any order', async () => {
  const phone = await bench.make({ storage: 'chip' })
  const { registration } = bench.service
  const messages = [await registration(), await registration(), await registration()]
  for (const { url } of messages) await bench.scan(phone, { url })
  const prompts = bench.stateOf(phone.id).prompts.map(({ id }) => id)
  expect(new Set(prompts).size).toBe(3)
  await bench.phones.approve({ ...bench.ref(phone), prompt: prompts[1] ?? '' })
  await bench.phones.reject({ ...bench.ref(phone), prompt: prompts[0] ?? '' })
  await bench.phones.approve({ ...bench.ref(phone), prompt: prompts[2] ?? '' })
  expect(messages.map(({ state }) => state)).toEqual(['fail', 'success', 'success'])
})

it('a person goes home and comes back by scanning once more, without a second binding', async () => {
  const { phone, message } = await scanWith({ answer: 'ask' })
  expect(await bench.phones.goHome(bench.ref(phone))).toMatchObject(shows({ screen: { kind: 'home' } }))
  expect(await bench.scan(phone, message)).toMatchObject(shows({ screen: { kind: 'request' }, prompts: [{}] }))
  expect(bench.service.calls.filter(({ target }) => target.endsWith('/bind'))).toHaveLength(1)
})
