import { beforeEach, describe, expect, test } from 'vitest'
import { profileSettings } from '../../src-main/core/contract/profile.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest, shop } from '../support/service/serve-each-test.ts'
import { authenticationResponse, makeSoftKey, registrationResponse } from '../support/service/soft-key.ts'
import { softPhone } from '../support/service/soft-phone.ts'
import { taken } from '../support/taken.ts'

serveEachTest()

const set = async (part: object) => taken(await running.admin.profile.patch('main', part))
const register = async (user_id: string, by = phone, more: object = {}, storage: 'chip' | 'cloud' = 'chip') =>
  by.register(msgIdOf(await rp.register(user_id, more)), { storage })

describe('[interface.pre-registration] pre-registration', () => {
  const path = '/rp/attestation/options'
  const good = { user_id: 'u1', username: 'Ada' }
  const post = async (body: unknown) => (await rp.post(path, body)).json

  const fields = [
    ['user_id', 128],
    ['username', 128],
    ['display_name', 128],
    ['credential_name', 64],
  ] as const
  test.each(fields)('[users.lengths] %s has 1 to %i characters', async (name, max) => {
    expect((await post({ ...good, [name]: 'x'.repeat(max) })).code).toBe(0)
    expect((await post({ ...good, [name]: '李'.repeat(max) })).code).toBe(0)
    expect((await post({ ...good, [name]: '🦦'.repeat(max) })).code).toBe(0)
    expect((await post({ ...good, [name]: 'x'.repeat(max + 1) })).code).toBe(40002)
  })

  test.each(fields)('[users.characters] %s has no control characters and is a string', async (name) => {
    await set({ empty_optional: 'refuse' })
    for (const bad of ['a\u0000b', 'a\nb', 'a\u007fb', 'a\u0085b', 7, true, null, [], {}]) {
      expect(await post({ ...good, [name]: bad })).toMatchObject({ code: 40002, data: { parameter: name } })
    }
  })

  test.each([
    ['e\u0301', '\u00e9'],
    [' u', 'u'],
  ])('[users.characters] nothing is normalised or trimmed: %j and %j are two users', async (user, other) => {
    await register(user)
    expect((await rp.list(user)).json.data.list[0].user_id).toBe(user)
    expect((await rp.list(other)).json.data.total).toBe(0)
  })

  test('unknown members are not minded', async () => {
    expect((await post({ ...good, attestation: 'x', storage: 'cloud' })).code).toBe(0)
  })

  test.each([{}, { display_name: '', credential_name: null }])(
    '[users.credential-name] [users.empty-optional] without a name, as in %j, a credential gets two plain words and a number',
    async (more) => {
      const { public_key, credential_name } = (await phone.bind(msgIdOf(await rp.register('u1', more)))).json.data
      expect(public_key.user.displayName).toBe('u1')
      expect(credential_name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+ \d\d$/)
    },
  )

  test('[users.limit] two registrations at once cannot pass the limit together', async () => {
    await set({ credentials_per_user: 1 })
    const ids = [msgIdOf(await rp.register('u1')), msgIdOf(await rp.register('u1'))]
    const answers = await Promise.all(ids.map((id) => phone.register(id)))
    expect(answers.map(({ json }) => json.data.status).sort()).toEqual(['fail', 'success'])
    const failed = answers.find(({ json }) => json.data.status === 'fail')
    expect(failed?.json.data.error).toMatch(/^credential_limit: /)
    expect((await rp.list('u1')).json.data.total).toBe(1)
  })
})

describe('[users.options] the options', () => {
  const optionsOf = async (user_id = 'u1') =>
    (await phone.bind(msgIdOf(await rp.register(user_id)))).json.data.public_key

  test('[app.options-json] are PublicKeyCredentialCreationOptionsJSON', async () => {
    const options = await optionsOf()
    expect(options).toEqual({
      rp: { id: 'shop.example', name: 'Shop' },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: 'u1', displayName: 'u1' },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-7, -8, -35, -36, -47, -53, -257, -258, -259, -37, -38, -39, -48, -49, -50, -65535].map(
        (alg) => ({ type: 'public-key', alg }),
      ),
      timeout: 180_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
      attestation: 'direct',
    })
  })

  test('follow the profile from the next request on', async () => {
    await set({
      attestation_conveyance: 'none',
      user_verification: 'required',
      resident_key: 'required',
      algorithms: ['EdDSA'],
    })
    expect(await optionsOf()).toMatchObject({
      pubKeyCredParams: [{ type: 'public-key', alg: -8 }],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    })
  })

  test('[users.options] have the hints, formats and extensions of the profile, in its order', async () => {
    const formats = ['tpm', 'packed']
    await set({
      hints: ['hybrid', 'client-device'],
      attestation_formats: formats,
      extensions: profileSettings.extensions.rule.values,
    })
    const prf = { eval: { first: expect.stringMatching(/^[\w-]{43}$/) } }
    const created = await optionsOf('u1')
    expect(created).toMatchObject({ hints: ['hybrid', 'client-device'], attestationFormats: formats })
    expect(created.extensions).toEqual({
      credProps: true,
      credentialProtectionPolicy: 'userVerificationOptionalWithCredentialIDList',
      ...{ minPinLength: true, prf, largeBlob: { support: 'preferred' } },
    })
    await register('u1')
    const asked = (await phone.bind(msgIdOf(await rp.authenticate('u1')))).json.data.public_key
    expect(asked).toMatchObject({ hints: ['hybrid', 'client-device'] })
    expect(asked.extensions).toEqual({ prf: created.extensions.prf, largeBlob: { read: true } })
    expect((await optionsOf('u2')).extensions.prf).not.toEqual(created.extensions.prf)
    await set({ extensions: ['credProps'] })
    const { public_key } = (await phone.bind(msgIdOf(await rp.authenticate('u1')))).json.data
    expect(public_key).not.toHaveProperty('extensions')
  })

  test('[users.options] an algorithm that was not asked for is refused', async () => {
    await set({ algorithms: ['RS256'] })
    expect((await register('u1')).json.data.error).toMatch(/^algorithm_not_requested: /)
  })

  test('[users.exclude] exclude the existing credentials of the user, as they are when the phone asks', async () => {
    await register('u1')
    const before = msgIdOf(await rp.register('u1'))
    await register('u1')
    await register('u2')
    const { excludeCredentials } = (await phone.bind(before)).json.data.public_key
    const ids = phone.keys.slice(0, 2).map(({ id }) => id.toString('base64url'))
    expect(excludeCredentials).toEqual(
      ids.map((id) => ({ type: 'public-key', id, transports: ['internal', 'hybrid'] })),
    )
  })

  test('[users.handle] the handle of a user at another RP is another one', async () => {
    const elsewhere = rpClient(running, await running.makeRp('main', 'Other'))
    const foreign = (await phone.bind(msgIdOf(await elsewhere.register('u1')))).json.data.public_key
    expect(foreign.user.id).not.toBe((await optionsOf('u1')).user.id)
  })

  test('[users.handle] its key travels with the RP on export', async () => {
    const first = await optionsOf('u1')
    const exported = taken(await running.admin.workspaces.export('main'))
    taken(await running.admin.workspaces.open('two'))
    taken(await running.admin.workspaces.import('two', JSON.parse(JSON.stringify(exported))))
    const there = { ...shop, workspace: 'two' }
    const otherPhone = await softPhone(running, { workspace: 'two', account: { name: 'B', phone: '4911122' } })
    const id = msgIdOf(await rpClient(running, there).register('u1'))
    expect((await otherPhone.bind(id)).json.data.public_key.user.id).toBe(first.user.id)
  })

  test('[interface.storage-choice] chip or cloud is the choice of the app', async () => {
    await register('u1', phone, {}, 'cloud')
    await register('u2')
    const stored = taken(await running.admin.credentials.list('main')).map(({ user_id, storage }) => [user_id, storage])
    expect(stored).toEqual([
      ['u1', 'cloud'],
      ['u2', 'chip'],
    ])
  })
})

test('[users.list] [interface.list] [errors.missing] [errors.invalid] the list needs user_id', async () => {
  expect((await rp.get('/rp/credentials')).json).toMatchObject({ code: 40003, data: { parameter: 'user_id' } })
  expect((await rp.get('/rp/credentials?user_id=')).json.code).toBe(40002)
  expect((await rp.get('/rp/credentials?user_id=a&user_id=b')).json.code).toBe(40004)
})

describe('[users.delete] [interface.delete] deleting', () => {
  beforeEach(async () => {
    await register('u1')
    await register('u1')
  })

  test('[users.delete-user-id] takes an empty user_id for none, in body and query, unless empty ones are refused', async () => {
    const codeOf = async (query: string, body: object) => {
      const call = { method: 'DELETE', target: `/rp/credentials${query}`, body: { ...body, credential_ids: [] } }
      return (await rp.call(call)).json.code
    }
    for (const user_id of [null, '']) {
      expect([await codeOf('?user_id=u1', { user_id }), await codeOf('', { user_id })]).toEqual([0, 40003])
    }
    expect(await codeOf('?user_id=', { user_id: 'u1' })).toBe(0)
    await set({ empty_optional: 'refuse' })
    expect([await codeOf('', { user_id: null }), await codeOf('?user_id=', { user_id: 'u1' })]).toEqual([40002, 40002])
  })

  test('a deleted credential may be registered again', async () => {
    const id = msgIdOf(await rp.register('u1'))
    const { public_key } = (await phone.bind(id)).json.data
    const key = makeSoftKey()
    const response = registrationResponse(key, public_key)
    await phone.attest(id, { response })
    await rp.delete('u1', [response.id])
    const again = msgIdOf(await rp.register('u1'))
    const options = (await phone.bind(again)).json.data.public_key
    expect((await phone.attest(again, { response: registrationResponse(key, options) })).json.data.status).toBe(
      'success',
    )
  })

  test('the same credential twice is refused', async () => {
    const key = phone.keys[0]
    if (key === undefined) throw new Error('no key')
    const id = msgIdOf(await rp.register('u2'))
    const { public_key } = (await phone.bind(id)).json.data
    const { error } = (await phone.attest(id, { response: registrationResponse(key, public_key) })).json.data
    expect(error).toMatch(/^credential_already_registered: /)
  })
})

describe('push', () => {
  const pushes = () => running.events('push').map(({ device_id, stage }) => `${device_id} ${stage}`)

  test('a device with several credentials gets one push', async () => {
    await register('u1')
    await register('u1', phone, {}, 'cloud')
    await rp.authenticate('u1', 'push')
    expect(pushes()).toHaveLength(1)
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
    expect(pushes()).toEqual([`${phone.device_id} queued`])
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
    expect(pushes()).toEqual([`${second.device_id} queued`])
  })
})

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

  test.each(['required', 'discouraged'])('[users.options] user_verification: %s counts at sign-in', async (wanted) => {
    await set({ user_verification: wanted })
    const { public_key } = (await phone.bind(msgIdOf(await rp.authenticate('u1')))).json.data
    expect(public_key.userVerification).toBe(wanted)
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
})
