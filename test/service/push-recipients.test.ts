import { describe, expect, test } from 'vitest'
import { msgIdOf } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest } from '../support/service/serve-each-test.ts'
import { softPhone } from '../support/service/soft-phone.ts'

serveEachTest()

const register = async (user_id: string, by = phone, more: object = {}, storage: 'chip' | 'cloud' = 'chip') =>
  by.register(msgIdOf(await rp.register(user_id, more)), { storage })

describe('push', () => {
  const ada = { name: 'Ada', phone: '+441234567890' }
  const pushes = () => running.events('push').map(({ device_id, stage }) => [device_id, stage])

  test('[users.push-chip] a device-bound credential’s push goes to its device only', async () => {
    const other = await softPhone(running)
    await register('u1')
    await rp.authenticate('u1', 'push')
    expect(pushes()).toEqual([[phone.device_id, 'queued']])
    expect(other.device_id).not.toBe(phone.device_id)
  })

  test('[users.push-cloud] a cloud credential’s push goes to all devices of its account', async () => {
    const second = await softPhone(running)
    await softPhone(running, { account: ada })
    await register('u1', phone, {}, 'cloud')
    await rp.authenticate('u1', 'push')
    expect(pushes()).toEqual([
      [phone.device_id, 'queued'],
      [second.device_id, 'queued'],
    ])
  })

  test('a device with several credentials gets one push', async () => {
    await register('u1')
    await register('u1', phone, {}, 'cloud')
    await rp.authenticate('u1', 'push')
    expect(pushes()).toHaveLength(1)
  })

  test('[users.push-later] a device that is off gets it when it is back', async () => {
    await register('u1')
    const id = msgIdOf(await rp.authenticate('u1', 'push'))
    await running.clock.advance(100_000)
    const inbox = await phone.inbox()
    expect((await inbox.next()).data).toMatchObject({ msg_id: id })
    inbox.close()
    await expect.poll(pushes).toEqual([
      [phone.device_id, 'queued'],
      [phone.device_id, 'sent'],
    ])
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['after the expiry', () => running.clock.advance(180_000)],
    ['when it was answered meanwhile', (id) => phone.authenticate(id)],
  ])('[users.push-later] but not %s', async (_, meanwhile) => {
    await register('u1')
    await meanwhile(msgIdOf(await rp.authenticate('u1', 'push')))
    const inbox = await phone.inbox()
    const later = msgIdOf(await rp.authenticate('u1', 'push'))
    expect(await inbox.next()).toMatchObject({ id: '2', data: { msg_id: later } })
    inbox.close()
  })

  test('[interface.method-push] [interface.method-qrcode] push pushes and answers a message address, qrcode sends no push', async () => {
    await register('u1')
    await rp.authenticate('u1', 'qrcode')
    expect(pushes()).toEqual([])
    const { data } = (await rp.authenticate('u1', 'push')).json
    expect(data).toEqual({
      url: expect.stringMatching(/\/fido\/m#a[\w-]{22}$/),
      expires_at: running.clock.now() / 1000 + 180,
    })
    expect(pushes()).toEqual([[phone.device_id, 'queued']])
  })

  test('[users.push-scan] the url of a push can be scanned by another phone of the account', async () => {
    const second = await softPhone(running)
    await register('u1', phone, {}, 'cloud')
    const id = msgIdOf(await rp.authenticate('u1', 'push'))
    expect((await second.authenticate(id, phone.keys[0])).json.data.status).toBe('success')
  })

  test('a credential used from another device of the account has moved there', async () => {
    const second = await softPhone(running)
    await register('u1')
    await second.authenticate(msgIdOf(await rp.authenticate('u1')), phone.keys[0])
    await rp.authenticate('u1', 'push')
    expect(pushes()).toEqual([[second.device_id, 'queued']])
  })
})
