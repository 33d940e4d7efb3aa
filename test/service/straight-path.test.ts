import { afterEach, expect, test } from 'vitest'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { softPhone } from '../support/service/soft-phone.ts'
import { type Running, startService } from '../support/service/start-service.ts'

let running: Running
afterEach(() => running.stop())

test('a user registers by scanning, then signs in by scanning and by push', async () => {
  running = await startService()
  const rp = rpClient(running, await running.makeRp())
  const phone = await softPhone(running)

  const opened = await rp.register('u1', { credential_name: 'My phone' })
  expect(opened.json).toMatchObject({ code: 0, error: '' })
  expect(opened.json.data.url).toMatch(/^http:\/\/localhost:\d+\/fido\/m#r[\w-]{22}$/)
  const id = msgIdOf(opened)
  expect((await rp.registrationResult(id)).json.data).toEqual({ svc_user: '', status: 'init', error: '' })
  expect((await phone.register(id)).json).toEqual({ code: 0, data: { status: 'success', error: '' }, error: '' })
  const done = { svc_user: 'Li Wei (138****5678)', status: 'success', error: '' }
  expect((await rp.registrationResult(id)).json.data).toEqual(done)
  expect((await rp.registrationResult(id)).json.code).toBe(41001)

  const list = await rp.list('u1')
  expect(list.json.data).toMatchObject({ total: 1, list: [{ credential_name: 'My phone', user_id: 'u1' }] })

  const scan = msgIdOf(await rp.authenticate('u1'))
  await phone.bind(scan)
  expect((await rp.authenticationResult(scan)).json.data).toMatchObject({ status: 'bind', user_id: '' })
  expect((await phone.authenticate(scan)).json.data).toEqual({ status: 'success', error: '' })
  expect((await rp.authenticationResult(scan)).json.data).toEqual({ ...done, user_id: 'u1' })

  const inbox = await phone.inbox()
  const push = msgIdOf(await rp.authenticate('u1', 'push'))
  const event = await inbox.next()
  expect(event).toMatchObject({
    event: 'message',
    id: '1',
    data: { msg_id: push, rp: { id: 'shop.example', name: 'Shop' } },
  })
  expect((await phone.authenticate(push)).json.data).toEqual({ status: 'success', error: '' })
  expect((await rp.authenticationResult(push)).json.data).toMatchObject({ status: 'success', user_id: 'u1' })
  inbox.close()
})

test('a message expires when the clock of the workspace passes, with an event', async () => {
  running = await startService()
  const rp = rpClient(running, await running.makeRp())
  const id = msgIdOf(await rp.register('u1'))
  await running.clock.advance(179_999)
  expect((await rp.registrationResult(id)).json.data.status).toBe('init')
  await running.clock.advance(1)
  const moves = running.events('message').map(({ from, to, actor }) => [from, to, actor.kind])
  expect(moves).toEqual([
    [undefined, 'init', 'rp'],
    ['init', 'timeout', 'clock'],
  ])
  expect((await rp.registrationResult(id)).json.data).toEqual({ svc_user: '', status: 'timeout', error: '' })
  expect((await rp.registrationResult(id)).json.data.status).toBe('timeout')
  await running.clock.advance(10 * 60_000)
  expect((await rp.registrationResult(id)).json.code).toBe(40402)
})
