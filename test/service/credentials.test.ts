import { beforeEach, describe, expect, test } from 'vitest'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest } from '../support/service/serve-each-test.ts'
import { makeSoftKey, registrationResponse } from '../support/service/soft-key.ts'
import { taken } from '../support/taken.ts'

serveEachTest()

const set = async (part: object) => taken(await running.admin.profile.patch('main', part))
const register = async (user_id: string, by = phone, more: object = {}, storage: 'chip' | 'cloud' = 'chip') =>
  by.register(msgIdOf(await rp.register(user_id, more)), { storage })

describe('[users.list] [interface.list] the list', () => {
  test('[interface.credential] [clock.governs] is oldest first, each with exactly its five fields', async () => {
    await register('u1', phone, { credential_name: 'first' })
    await running.clock.advance(1000)
    await register('u1', phone, { credential_name: 'second' })
    const { data } = (await rp.list('u1')).json
    expect(data.total).toBe(2)
    expect(data.list[0]).toEqual({
      credential_id: phone.keys[0]?.id.toString('base64url'),
      credential_name: 'first',
      user_id: 'u1',
      created_at: '2026-05-01T12:00:00.000Z',
      updated_at: '2026-05-01T12:00:00.000Z',
    })
    expect(data.list[1].created_at).toBe('2026-05-01T12:00:01.000Z')
  })

  test('updated_at is the time of the latest use', async () => {
    await register('u1')
    await running.clock.advance(60_000)
    await phone.authenticate(msgIdOf(await rp.authenticate('u1')))
    const [credential] = (await rp.list('u1')).json.data.list
    expect([credential.created_at, credential.updated_at]).toEqual([
      '2026-05-01T12:00:00.000Z',
      '2026-05-01T12:01:00.000Z',
    ])
  })

  test('of an unknown user is empty', async () => {
    expect((await rp.list('nobody')).json.data).toEqual({ total: 0, list: [] })
  })

  test('needs user_id', async () => {
    expect((await rp.get('/rp/credentials')).json).toMatchObject({ code: 40003, data: { parameter: 'user_id' } })
    expect((await rp.get('/rp/credentials?user_id=')).json.code).toBe(40002)
    expect((await rp.get('/rp/credentials?user_id=a&user_id=b')).json.code).toBe(40004)
  })

  test('[rps.foreign] shows nothing of another RP', async () => {
    await register('u1')
    const other = rpClient(running, await running.makeRp('main', 'Other'))
    expect((await other.list('u1')).json.data.total).toBe(0)
    expect((await other.authenticate('u1')).json.code).toBe(40403)
  })
})

describe('[users.delete] [interface.delete] deleting', () => {
  const ids = () => phone.keys.map(({ id }) => id.toString('base64url'))
  beforeEach(async () => {
    await register('u1')
    await register('u1')
  })

  test('counts what was deleted, and neither unknown nor repeated ids, which are no error', async () => {
    const [first] = ids()
    expect((await rp.delete('u1', [first, first, 'unknown', ''])).json).toMatchObject({ code: 0, data: { total: 1 } })
    expect((await rp.delete('u1', ids())).json.data).toEqual({ total: 1 })
    expect((await rp.list('u1')).json.data.total).toBe(0)
    expect(running.events('credential').filter(({ change }) => change === 'deleted')).toHaveLength(2)
  })

  test('[rps.foreign] does not touch what belongs to another user or another RP', async () => {
    expect((await rp.delete('u2', ids())).json.data.total).toBe(0)
    const other = rpClient(running, await running.makeRp('main', 'Other'))
    expect((await other.delete('u1', ids())).json.data.total).toBe(0)
    expect((await rp.list('u1')).json.data.total).toBe(2)
  })

  test('of an empty array is 0, of more than 100 is 40002', async () => {
    expect((await rp.delete('u1', [])).json.data.total).toBe(0)
    expect((await rp.delete('u1', Array.from({ length: 100 }, String))).json.code).toBe(0)
    expect((await rp.delete('u1', Array.from({ length: 101 }, String))).json.code).toBe(40002)
  })

  test.each([
    ['a string', 'x', 'credential_ids'],
    ['an object', {}, 'credential_ids'],
    ['null', null, 'credential_ids'],
    ['numbers', ['x', 1], 'credential_ids[1]'],
  ])('[errors.invalid] credential_ids that are %s: 40002, named', async (_what, value, parameter) => {
    expect((await rp.delete('u1', value)).json).toMatchObject({ code: 40002, data: { parameter } })
  })

  test('[users.delete-user-id] takes user_id from the body, else from the query, and both must agree', async () => {
    const del = async (query: string, body: object) =>
      (await rp.call({ method: 'DELETE', target: `/rp/credentials${query}`, body })).json
    const credential_ids: string[] = []
    expect((await del('', { credential_ids })).code).toBe(40003)
    expect((await del('?user_id=u1', { credential_ids: ids().slice(0, 1) })).data).toEqual({ total: 1 })
    expect((await del('?user_id=u1', { user_id: 'u1', credential_ids })).code).toBe(0)
    expect((await del('?user_id=u2', { user_id: 'u1', credential_ids })).code).toBe(40004)
    for (const user_id of [null, '']) {
      expect((await del('?user_id=u1', { user_id, credential_ids })).code).toBe(0)
      expect((await del('', { user_id, credential_ids })).code).toBe(40003)
    }
    expect((await del('?user_id=', { user_id: 'u1', credential_ids })).code).toBe(0)
    await set({ empty_optional: 'refuse' })
    expect((await del('', { user_id: null, credential_ids })).code).toBe(40002)
    expect((await del('?user_id=', { user_id: 'u1', credential_ids })).code).toBe(40002)
    expect((await del('?user_id=u2', { user_id: 'u1', credential_ids })).code).toBe(40004)
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
