import { beforeEach, expect, it } from 'vitest'
import type { PhoneState } from '../../../src-main/phones/phone/phone-state.ts'
import { bench, breaking, phoneBenchEachTest, refusedAs, saying, shows } from '../../support/phone-bench.ts'

phoneBenchEachTest()
let phone: PhoneState
beforeEach(async () => {
  phone = await bench.make({ storage: 'chip' })
  await bench.register(phone, 'chip')
})

it('a push says who asks, and binds nothing', async () => {
  const message = await bench.pushTo(phone)
  expect(bench.stateOf(phone.id).notifications).toEqual([
    {
      msg_id: message.id,
      url: message.url,
      rp: { id: 'shop.example', name: 'Shop' },
      expires_at: message.expires_at,
      arrived_at: bench.clock.now(),
    },
  ])
  expect(message.state).toBe('init')
  expect(bench.facts.at(-1)).toMatchObject({ change: 'pushed', text: 'Shop' })
})

it('a push that is opened asks', async () => {
  const message = await bench.pushTo(phone)
  expect(await bench.phones.open({ ...bench.ref(phone), msg_id: message.id })).toMatchObject(
    shows({
      notifications: [],
      screen: { kind: 'request', prompt: { came_by: 'push', credentials: [{ storage: 'chip' }] } },
    }),
  )
  expect(message.state).toBe('bind')
})

it('a push that is dismissed is gone, and the service is not told', async () => {
  const message = await bench.pushTo(phone)
  expect(await bench.phones.dismiss({ ...bench.ref(phone), msg_id: message.id })).toMatchObject(
    shows({ notifications: [] }),
  )
  expect(message.state).toBe('init')
  for (const command of ['open', 'dismiss'] as const) {
    expect(await bench.phones[command]({ ...bench.ref(phone), msg_id: message.id })).toMatchObject(
      refusedAs('no_such_notification'),
    )
  }
})

it('a push goes with its expiry when it is not opened', async () => {
  await bench.pushTo(phone)
  await bench.clock.advance(179_999)
  expect(bench.stateOf(phone.id).notifications).toHaveLength(1)
  await bench.clock.advance(1)
  expect(bench.stateOf(phone.id).notifications).toEqual([])
})

it('a push is opened by a phone that approves by itself, and stays on one that ignores', async () => {
  await bench.phones.patch(bench.ref(phone), { behaviour: { answer: 'approve' } })
  const message = await bench.service.authentication('push')
  await bench.until(phone, ({ screen }) => screen.kind === 'success' && screen.prompt.msg_id === message.id)
  expect(message.state).toBe('success')
  await bench.phones.patch(bench.ref(phone), { behaviour: { answer: 'ignore' } })
  expect((await bench.pushTo(phone)).state).toBe('init')
})

it('a push can be scanned instead, and is then no notification any more', async () => {
  const message = await bench.pushTo(phone)
  await bench.scan(phone, message)
  expect(bench.stateOf(phone.id)).toMatchObject({ notifications: [], prompts: [{ came_by: 'scan' }] })
})

it('a push stays when it cannot be opened for want of a network', async () => {
  const message = await bench.pushTo(phone)
  bench.service.hinder(/bind$/, breaking)
  expect(await bench.phones.open({ ...bench.ref(phone), msg_id: message.id })).toMatchObject(refusedAs('unreachable'))
  expect(bench.stateOf(phone.id).notifications).toHaveLength(1)
  expect(await bench.phones.open({ ...bench.ref(phone), msg_id: message.id })).toMatchObject({ ok: true })
})

it('the inbox comes back after the connection broke, behind the last push it got', async () => {
  await bench.pushTo(phone)
  bench.service.cutInboxes()
  await bench.until(phone, ({ inbox }) => inbox === 'connecting')
  const missed = await bench.service.authentication('push')
  const state = await bench.until(phone, ({ notifications }) => notifications.length === 2)
  expect(state.notifications[0]?.msg_id).toBe(missed.id)
  expect(bench.facts.filter(({ change }) => change === 'pushed')).toHaveLength(2)
})

it('the inbox waits longer after each failure, and starts from the shortest after a success', async () => {
  const pauses = bench.wallPauses()
  bench.service.hinder(/inbox$/, saying(503, ''), 4)
  bench.service.cutInboxes()
  await bench.until(phone, ({ inbox }) => inbox === 'connecting')
  await bench.until(phone, ({ inbox }) => inbox === 'open')
  expect(pauses()).toEqual([250, 500, 1000, 2000, 4000])
  bench.service.cutInboxes()
  await bench.until(phone, ({ inbox }) => inbox === 'connecting')
  await bench.until(phone, ({ inbox }) => inbox === 'open')
  expect(pauses().at(-1)).toBe(250)
})

it.each([401, 200])('the inbox closes when the service no longer knows the phone, said with %i', async (status) => {
  bench.service.hinder(/inbox$/, saying(status, '{"code":40110,"data":{},"error":"No."}'))
  bench.service.cutInboxes()
  const state = await bench.until(phone, ({ signed_in }) => !signed_in)
  expect(state).toMatchObject({ inbox: 'closed', screen: { kind: 'problem', word: 'signed_out' } })
})

it('the inbox does not mind pushes that make no sense', async () => {
  const strange = { msg_id: 'x', url: 'https://a.example/m', expires_at: 9_999_999_999 }
  for (const inbox of bench.service.inboxes) {
    inbox.write('event: message\ndata: not json\n\n')
    inbox.write('event: message\ndata: {"msg_id":5}\n\n')
    inbox.write('event: message\ndata: {"msg_id":"x","url":"https://a.example","expires_at":9999999999}\n\n')
    inbox.write('event: other\ndata: {}\n\n')
    inbox.write(`id: \u001f\nevent: message\ndata: ${JSON.stringify(strange)}\n\n`)
  }
  const message = await bench.pushTo(phone)
  expect(bench.stateOf(phone.id).notifications.map(({ msg_id }) => msg_id)).toEqual([message.id])
  bench.service.cutInboxes()
  await bench.until(phone, ({ inbox }) => inbox === 'connecting')
  await bench.until(phone, ({ inbox }) => inbox === 'open')
})
