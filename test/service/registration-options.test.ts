import { describe, expect, test } from 'vitest'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest, shop } from '../support/service/serve-each-test.ts'
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

  test('[interface.message-address] [interface.envelope] answers url and expires_at in the envelope, nothing else', async () => {
    const answer = await post(good)
    expect(Object.keys(answer).sort()).toEqual(['code', 'data', 'error'])
    expect(Object.keys(answer.data).sort()).toEqual(['expires_at', 'url'])
    expect(answer).toMatchObject({ code: 0, data: { expires_at: running.clock.now() / 1000 + 180 }, error: '' })
  })

  test('[addresses.url] [interface.msg-id] the address is base_url, /m, #, r, and 128 bits in base64url', async () => {
    const { url } = (await post(good)).data
    expect(url.slice(0, url.indexOf('#'))).toBe(`http://localhost:${running.port}/fido/m`)
    expect(url.slice(url.indexOf('#'))).toMatch(/^#r[A-Za-z0-9_-]{22}$/)
    const ids = await Promise.all(Array.from({ length: 20 }, async () => msgIdOf(await rp.post(path, good))))
    expect(new Set(ids).size).toBe(20)
  })

  test.each(['user_id', 'username'])('[errors.missing] without %s: 40003, named', async (name) => {
    const answer = await post({ ...good, [name]: undefined })
    const reason = { code: 'field_missing', params: { field: name } }
    expect(answer).toMatchObject({ code: 40003, data: { parameter: name, reason } })
  })

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
    await set({ empty_optional: 'refuse' })
    expect((await post({ ...good, [name]: '' })).code).toBe(40002)
  })

  test('[users.empty-optional] null and an empty string count as absent, or are 40002 under empty_optional: refuse', async () => {
    const empties = [null, ''].flatMap((empty) => [{ display_name: empty }, { credential_name: empty }])
    for (const empty of empties) expect((await post({ ...good, ...empty })).code).toBe(0)
    for (const name of ['user_id', 'username']) expect((await post({ ...good, [name]: '' })).code).toBe(40002)
    await set({ empty_optional: 'refuse' })
    for (const empty of empties) {
      const [parameter] = Object.keys(empty)
      expect(await post({ ...good, ...empty })).toMatchObject({ code: 40002, data: { parameter } })
    }
  })

  test.each(fields)('[users.lengths] the longest %s is a profile setting', async (name) => {
    await set({ [`${name}_max`]: 300 })
    expect((await post({ ...good, [name]: 'x'.repeat(300) })).code).toBe(0)
    await set({ [`${name}_max`]: 2 })
    expect((await post({ ...good, user_id: 'u', username: 'a', [name]: 'xxx' })).code).toBe(40002)
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

  test('[users.display-name] display_name defaults to username', async () => {
    const bound = async (more: object) =>
      (await phone.bind(msgIdOf(await rp.post(path, { ...good, ...more })))).json.data
    expect((await bound({})).user).toEqual({ username: 'Ada', display_name: 'Ada' })
    expect((await bound({ display_name: 'Countess' })).public_key.user).toMatchObject({
      name: 'Ada',
      displayName: 'Countess',
    })
  })

  test.each([{}, { display_name: '', credential_name: null }])(
    '[users.credential-name] [users.empty-optional] without a name, as in %j, a credential gets two plain words and a number',
    async (more) => {
      const { public_key, credential_name } = (await phone.bind(msgIdOf(await rp.register('u1', more)))).json.data
      expect(public_key.user.displayName).toBe('u1')
      expect(credential_name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+ \d\d$/)
    },
  )

  test('[users.limit] at 20 credentials: 40901', async () => {
    await set({ credentials_per_user: 2 })
    await register('u1')
    await register('u1')
    expect(await post(good)).toMatchObject({ code: 40901 })
    expect((await post({ ...good, user_id: 'u2' })).code).toBe(0)
    expect((await import('../../src-main/contract/profile.ts')).defaultProfile.credentials_per_user).toBe(20)
  })

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
        (alg) => ({
          type: 'public-key',
          alg,
        }),
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

  test('[users.handle] the handle is the same for the same user and reveals neither user nor key', async () => {
    const [first, again, other] = [await optionsOf('u1'), await optionsOf('u1'), await optionsOf('u2')]
    expect(first.user.id).toBe(again.user.id)
    expect(first.user.id).not.toBe(other.user.id)
    expect(Buffer.from(first.user.id, 'base64url').toString()).not.toContain('u1')
    expect(first.challenge).not.toBe(again.challenge)
    const elsewhere = rpClient(running, await running.makeRp('main', 'Other'))
    const foreign = (await phone.bind(msgIdOf(await elsewhere.register('u1')))).json.data.public_key
    expect(foreign.user.id).not.toBe(first.user.id)
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
