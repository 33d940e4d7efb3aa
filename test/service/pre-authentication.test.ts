import { beforeEach, describe, expect, test } from 'vitest'
import { msgIdOf } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest } from '../support/service/serve-each-test.ts'
import { authenticationResponse } from '../support/service/soft-key.ts'
import { softPhone } from '../support/service/soft-phone.ts'
import { taken } from '../support/taken.ts'

serveEachTest()

const set = async (part: object) => taken(await running.admin.profile.patch('main', part))
const register = async (user_id: string, by = phone, more: object = {}, storage: 'chip' | 'cloud' = 'chip') =>
  by.register(msgIdOf(await rp.register(user_id, more)), { storage })

describe('[interface.pre-authentication] pre-authentication', () => {
  const path = '/rp/assertion/options'
  const good = { user_id: 'u1', username: 'Ada', method: 'qrcode' }
  const post = async (body: unknown) => (await rp.post(path, body)).json

  beforeEach(async () => {
    await register('u1')
  })

  test('[users.lengths] the longest user_id and username are profile settings here as well', async () => {
    await set({ user_id_max: 2, username_max: 3 })
    expect((await post(good)).code).toBe(0)
    expect(await post({ ...good, username: 'Adas' })).toMatchObject({ code: 40002, data: { parameter: 'username' } })
    expect(await post({ ...good, user_id: 'u12' })).toMatchObject({ code: 40002, data: { parameter: 'user_id' } })
    expect((await rp.list('u12')).json).toMatchObject({ code: 40002, data: { parameter: 'user_id' } })
  })

  test.each(['required', 'discouraged'])(
    '[users.options] user_verification: %s counts for sign-ins',
    async (wanted) => {
      await set({ user_verification: wanted })
      const { public_key } = (await phone.bind(msgIdOf(await rp.authenticate('u1')))).json.data
      expect(public_key.userVerification).toBe(wanted)
    },
  )

  test('[addresses.url] the mark of an authentication is a', async () => {
    expect((await post(good)).data.url).toMatch(/#a[\w-]{22}$/)
  })

  test.each(['user_id', 'username', 'method'])('[errors.missing] without %s: 40003, named', async (name) => {
    expect(await post({ ...good, [name]: undefined })).toMatchObject({ code: 40003, data: { parameter: name } })
  })

  test.each(['sms', 'QRCODE', '', 7])('[errors.invalid] method %s: 40002, named', async (method) => {
    expect(await post({ ...good, method })).toMatchObject({ code: 40002, data: { parameter: 'method' } })
  })

  test('[app.options-json] the options are PublicKeyCredentialRequestOptionsJSON', async () => {
    const { data } = (await phone.bind(msgIdOf(await rp.authenticate('u1')))).json
    expect(data).toMatchObject({ kind: 'authentication', credential_name: '' })
    expect(data.public_key).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 180_000,
      rpId: 'shop.example',
      allowCredentials: [
        { type: 'public-key', id: phone.keys[0]?.id.toString('base64url'), transports: ['internal', 'hybrid'] },
      ],
      userVerification: 'preferred',
    })
  })

  test('[users.display-name] a differing username is only displayed', async () => {
    const id = msgIdOf(await rp.post(path, { ...good, username: 'Somebody' }))
    expect((await phone.bind(id)).json.data.user).toEqual({ username: 'Somebody', display_name: 'Somebody' })
    await phone.authenticate(id)
    expect((await rp.authenticationResult(id)).json.data).toMatchObject({ status: 'success', user_id: 'u1' })
  })

  test('[interface.authentication-result] [interface.user-id-field] user_id has a value only on success', async () => {
    const id = msgIdOf(await rp.authenticate('u1'))
    expect((await rp.authenticationResult(id)).json.data).toEqual({
      svc_user: '',
      status: 'init',
      user_id: '',
      error: '',
    })
    await phone.bind(id)
    await phone.reject(id)
    expect((await rp.authenticationResult(id)).json.data).toMatchObject({ status: 'fail', user_id: '' })
    const next = msgIdOf(await rp.post(path, { ...good, username: 'Somebody' }))
    expect((await phone.authenticate(next)).json).toEqual({
      code: 0,
      data: { status: 'success', error: '' },
      error: '',
    })
    expect((await rp.authenticationResult(next)).json.data).toEqual({
      svc_user: 'Li Wei (138****5678)',
      status: 'success',
      user_id: 'u1',
      error: '',
    })
  })

  test('[users.unknown] a user without credentials: 40403', async () => {
    expect((await post({ ...good, user_id: 'nobody' })).code).toBe(40403)
  })

  test('[users.unknown] under unknown_user: accept, a message that looks like any other and ends in fail', async () => {
    await set({ unknown_user: 'accept' })
    const ask = async () => {
      const id = msgIdOf(await rp.authenticate('nobody'))
      return { id, options: (await phone.bind(id)).json.data.public_key }
    }
    const [first, again] = [await ask(), await ask()]
    expect(first.options.allowCredentials).toHaveLength(1)
    expect(first.options.allowCredentials).toEqual(again.options.allowCredentials)
    const key = phone.keys[0]
    if (key === undefined) throw new Error('no key')
    const response = authenticationResponse(key, first.options)
    expect((await phone.assert(first.id, { response })).json.data.error).toMatch(/^credential_not_allowed: /)
    await phone.reject(again.id, { reason: 'no_matching_credential' })
    expect((await rp.authenticationResult(again.id)).json.data.status).toBe('fail')
  })

  test('[users.counter] a counter that does not grow fails the attempt', async () => {
    const key = phone.keys[0]
    if (key === undefined) throw new Error('no key')
    const attempt = async (counter: number) => {
      key.counter = counter
      return (await phone.authenticate(msgIdOf(await rp.authenticate('u1')), key)).json.data
    }
    expect((await attempt(5)).status).toBe('success')
    expect((await attempt(5)).error).toMatch(/^counter_regression: /)
    expect((await attempt(4)).status).toBe('fail')
    expect((await attempt(6)).status).toBe('success')
    await set({ counter_regression: 'accept' })
    expect((await attempt(3)).status).toBe('success')
  })

  test('[users.counter] counters that stay 0 are fine', async () => {
    for (const _ of [1, 2]) {
      expect((await phone.authenticate(msgIdOf(await rp.authenticate('u1')))).json.data.status).toBe('success')
    }
  })

  test('another user’s credential is refused', async () => {
    const other = await softPhone(running, { account: { name: 'Ada', phone: '+4412345678' } })
    await register('u2', other)
    const id = msgIdOf(await rp.authenticate('u1'))
    expect((await other.authenticate(id)).json.data.error).toMatch(/^credential_not_allowed: /)
  })

  test('a credential deleted after binding does not sign in any more', async () => {
    const id = msgIdOf(await rp.authenticate('u1'))
    const { public_key } = (await phone.bind(id)).json.data
    const key = phone.keys[0]
    if (key === undefined) throw new Error('no key')
    await rp.delete('u1', [key.id.toString('base64url')])
    const { error } = (await phone.assert(id, { response: authenticationResponse(key, public_key) })).json.data
    expect(error).toMatch(/^credential_unknown: /)
  })
})
