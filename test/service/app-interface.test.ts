import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ask } from '../support/service/raw-http.ts'
import { msgIdOf } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest } from '../support/service/serve-each-test.ts'
import { type SoftPhone, softPhone } from '../support/service/soft-phone.ts'
import { ORIGIN } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'

serveEachTest()

type Headers = readonly (readonly [string, string])[]

const raw = (method: string, path: string, headers: Headers = [], body = '') => {
  const named = headers.some(([name]) => name === 'Host')
  const host: Headers = named ? [] : [['Host', `localhost:${running.port}`]]
  return ask({ port: running.port, method, target: `/app${path}`, headers: [...host, ...headers], body })
}
const json = ['Content-Type', 'application/json'] as const
const signIn = async (body: object) => (await raw('POST', '/devices', [json], JSON.stringify(body))).json
const account = { name: 'Ada', phone: '+44 1234-567890' }

test('[app.sign-in] signing in answers a device id and a token, and makes the account on first use', async () => {
  const { data } = await signIn({ account, device_name: 'One' })
  expect(data).toEqual({
    device_id: expect.stringMatching(/^dev_/),
    device_token: expect.stringMatching(/^[\w-]{43}$/),
  })
  const accounts = taken(await running.admin.accounts.list('main'))
  expect(accounts.map(({ name, phone: number }) => [name, number])).toEqual([
    ['Li Wei', '13800005678'],
    ['Ada', '+441234567890'],
  ])
})

test('[app.sign-in] signing in: the same number is the same account, however it is written, and keeps its first name', async () => {
  await signIn({ account, device_name: 'One' })
  await signIn({ account: { name: 'Countess', phone: '+441234567890' }, device_name: 'Two' })
  expect(taken(await running.admin.accounts.list('main'))).toHaveLength(2)
  const devices = taken(await running.admin.devices.list('main'))
  expect(devices.map(({ name }) => name)).toEqual(['Phone', 'One', 'Two'])
  expect(devices[1]?.account).toBe(devices[2]?.account)
})

test('[app.sign-in] signing in: twenty phones of a new account at once make one account', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => signIn({ account, device_name: `P${i}` })))
  expect(taken(await running.admin.accounts.list('main'))).toHaveLength(2)
  expect(taken(await running.admin.devices.list('main'))).toHaveLength(21)
})

test.each<[string, object, number]>([
  ['without an account', { device_name: 'x' }, 40003],
  ['with an account that is no object', { account: 'Ada', device_name: 'x' }, 40002],
  ['without a name', { account: { phone: '123456' }, device_name: 'x' }, 40003],
  ['without a number', { account: { name: 'A' }, device_name: 'x' }, 40003],
  ['with a number that is none', { account: { name: 'A', phone: 'call me' }, device_name: 'x' }, 40002],
  ['without a device name', { account }, 40003],
  ['with a proof that is no text', { account: { ...account, proof: 7 }, device_name: 'x' }, 40002],
])('[app.sign-in] signing in: %s is refused', async (_what, body, code) => expect((await signIn(body)).code).toBe(code))

test('[app.sign-in] signing in: short numbers are masked as a whole or nearly', async () => {
  const svcUser = async (number: string) => {
    const other = await softPhone(running, { account: { name: 'X', phone: number } })
    const id = msgIdOf(await rp.register('u1'))
    await other.bind(id)
    return (await rp.registrationResult(id)).json.data.svc_user
  }
  expect(await svcUser('1234567890')).toBe('X (123****7890)')
  expect(await svcUser('123456')).toBe('X (****56)')
  expect(await svcUser('1234')).toBe('X (****)')
})

test.each([
  ['POST', '/messages/AAAAAAAAAAAAAAAAAAAAAA/bind'],
  ['POST', '/messages/AAAAAAAAAAAAAAAAAAAAAA/attestation'],
  ['POST', '/messages/AAAAAAAAAAAAAAAAAAAAAA/assertion'],
  ['POST', '/messages/AAAAAAAAAAAAAAAAAAAAAA/reject'],
  ['GET', '/inbox'],
  ['GET', '/vault'],
  ['PUT', '/vault/AAAA'],
  ['GET', '/vault/AAAA'],
  ['DELETE', '/vault/AAAA'],
  ['DELETE', '/devices/self'],
])('[app.bearer] [errors.device] %s %s without a device token, or a wrong one, is 40110', async (method, path) => {
  expect((await raw(method, path)).json.code).toBe(40110)
  expect((await raw(method, path, [['Authorization', 'Bearer nonsense']])).json.code).toBe(40110)
  expect((await raw(method, path, [['Authorization', `Basic ${phone.token}`]])).json.code).toBe(40110)
})

test('[app.bearer] [app.sign-out] the device token is dead after signing out, and after the console signed the device out', async () => {
  const inbox = await phone.inbox()
  expect((await phone.call('DELETE', '/devices/self')).json).toEqual({ code: 0, data: { deleted: true }, error: '' })
  await inbox.ended
  expect((await phone.call('GET', '/vault')).json.code).toBe(40110)
  expect(taken(await running.admin.devices.list('main'))).toEqual([])
  const other = await softPhone(running)
  taken(await running.admin.devices.signOut('main', other.device_id))
  expect((await other.call('GET', '/vault')).json.code).toBe(40110)
})

test('[app.bearer] the device token is nowhere in events or log, nor is the proof', async () => {
  const proof = 'a-proof-that-nobody-may-see'
  const { data } = await signIn({ account: { ...account, proof }, device_name: 'One' })
  await raw('GET', '/vault', [['Authorization', `Bearer ${data.device_token}`]])
  const everything = JSON.stringify([running.recorder.read('main', {}).events, running.log])
  expect(everything).not.toContain(data.device_token)
  expect(everything).not.toContain(proof)
})

test('[app.proof] the account proof is kept as a hash only, which proves nothing, as that of a token opens nothing', async () => {
  await signIn({ account: { ...account, proof: 'a-long-proof-of-the-account' }, device_name: 'One' })
  const exported = JSON.stringify(taken(await running.admin.workspaces.export('main')))
  expect(exported).not.toContain('a-long-proof-of-the-account')
  expect(exported).not.toContain(phone.token)
  const hashOf = (name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(exported)?.[1] ?? ''
  const stolen = { account: { ...account, proof: hashOf('proof_hash') }, device_name: 'A thief’s' }
  expect((await signIn(stolen)).code).toBe(40110)
  const bearer = ['Authorization', `Bearer ${hashOf('token_hash')}`] as const
  expect([hashOf('proof_hash').length, hashOf('token_hash').length]).toEqual([43, 43])
  expect((await raw('GET', '/vault', [bearer])).json.code).toBe(40110)
})

test('[app.proof] [app.open-account] the account proof: an account made without one stays open and has no vault', async () => {
  expect(
    (await signIn({ account: { name: 'Li Wei', phone: '13800005678', proof: 'late' }, device_name: 'x' })).code,
  ).toBe(0)
  expect((await signIn({ account: { name: 'Li Wei', phone: '13800005678' }, device_name: 'y' })).code).toBe(0)
  expect((await phone.call('GET', '/vault')).json.code).toBe(40404)
  const put = await phone.call('PUT', '/vault/AAAA', { sealed: 'AAAA' }, [['If-None-Match', '*']])
  expect(put.json.code).toBe(40404)
})

test('[app.bind] [app.attestation] [app.assertion] binding: answers say status and error', async () => {
  const success = { code: 0, data: { status: 'success', error: '' }, error: '' }
  expect((await phone.register(msgIdOf(await rp.register('u1')))).json).toEqual(success)
  expect((await phone.authenticate(msgIdOf(await rp.authenticate('u1')))).json).toEqual(success)
  const id = msgIdOf(await rp.authenticate('u1'))
  await phone.bind(id)
  expect((await phone.assert(id, {})).json.code).toBe(40003)
  const { data } = (await phone.assert(id, { response: null })).json
  expect(data).toEqual({ status: 'fail', error: expect.stringMatching(/^[a-z_]+: /) })
})

describe('[app.inbox] the inbox', () => {
  beforeEach(async () => {
    await phone.register(msgIdOf(await rp.register('u1')))
  })
  const push = async () => msgIdOf(await rp.authenticate('u1', 'push'))

  test('brings what was missed first, in order', async () => {
    const missed = [await push(), await push()]
    const inbox = await phone.inbox()
    const later = await push()
    const got = [await inbox.next(), await inbox.next(), await inbox.next()].map(({ data }) => data.msg_id)
    expect(got).toEqual([...missed, later])
    inbox.close()
  })

  test.each(['0', '99', 'nonsense', '-1'])('[app.inbox-resume] an id it never gave (%s) is no position', async (id) => {
    const first = await push()
    const inbox = await phone.inbox(id)
    expect((await inbox.next()).data).toMatchObject({ msg_id: first })
    inbox.close()
  })

  test('tells of every push exactly once that it was sent', async () => {
    await push()
    const first = await phone.inbox()
    await first.next()
    first.close()
    await first.ended
    const again = await phone.inbox()
    await again.next()
    again.close()
    await expect.poll(() => running.events('push').map(({ stage }) => stage)).toEqual(['queued', 'sent'])
  })

  test('two open inboxes of one device both get it', async () => {
    const [one, two] = [await phone.inbox(), await phone.inbox()]
    const id = await push()
    expect([(await one.next()).data.msg_id, (await two.next()).data.msg_id]).toEqual([id, id])
    one.close()
    two.close()
  })

  test('is known to the console while it is open', async () => {
    const connected = async () => taken(await running.admin.devices.list('main'))[0]?.connected
    expect(await connected()).toBe(false)
    const inbox = await phone.inbox()
    expect(await connected()).toBe(true)
    inbox.close()
    await expect.poll(connected).toBe(false)
    expect(running.events('device').map(({ change }) => change)).toEqual(['signed_in', 'connected', 'disconnected'])
  })
})

/** Between processes, signals need the database's notifications; a bin and a store's function belong to one process. */
const WAY = process.env.HANDSET_TEST_PROCESSES
const isOneProcess = WAY === undefined

const registered = async (user: string) => {
  await phone.register(msgIdOf(await rp.register(user)))
  return String((await rp.list(user)).json.data.list.at(-1).credential_id)
}
const idsOf = (signal: Record<string, unknown> | undefined) =>
  ((signal?.users ?? []) as { allAcceptedCredentialIds: string[] }[]).flatMap(
    ({ allAcceptedCredentialIds: ids }) => ids,
  )

test('[app.signals] the signals of the inbox begin with all that is accepted of the account', async () => {
  const [one, two] = [await registered('u1'), await registered('u2')]
  const inbox = await phone.inbox()
  await expect.poll(() => inbox.signals).toHaveLength(1)
  expect(inbox.signals[0]).toMatchObject({ signal: 'allAcceptedCredentials', complete: true })
  expect(idsOf(inbox.signals[0])).toEqual([one, two])
  inbox.close()
})

test.runIf(isOneProcess)('[app.signals] the signals of the inbox name what is deleted and restored', async () => {
  const one = await registered('u1')
  const inbox = await phone.inbox()
  await expect.poll(() => inbox.signals).toHaveLength(1)
  await rp.delete('u1', [one])
  await expect.poll(() => inbox.signals.at(-1)).toMatchObject({ signal: 'unknownCredential', credentialId: one })
  taken(await running.admin.credentials.undelete('main', one))
  await expect.poll(() => inbox.signals.at(-1)).toMatchObject({ complete: false })
  expect(idsOf(inbox.signals.at(-1))).toEqual([one])
  expect(inbox.waiting).toEqual([])
  inbox.close()
})

test.runIf(isOneProcess || WAY === 'with notifications')('[app.signals] signals reach the account alone', async () => {
  const one = await registered('u1')
  const stranger = await softPhone(running, { account: { name: 'Mallory', phone: '13900000000' } })
  const inboxes = [await phone.inbox(), await stranger.inbox()]
  await rp.delete('u1', [one])
  await expect.poll(() => inboxes[0]?.signals.at(-1)).toMatchObject({ credentialId: one })
  await expect.poll(() => inboxes[1]?.signals).toMatchObject([{ complete: true, users: [] }])
  for (const inbox of inboxes) inbox.close()
})

test.runIf(isOneProcess)('[app.signals] signals are kept while an inbox reads what was missed', async () => {
  const one = await registered('u1')
  const read = running.store.pushes.open
  const opening = vi.spyOn(running.store.pushes, 'open').mockImplementation(async (...what) => {
    await rp.delete('u1', [one])
    return read(...what)
  })
  const inbox = await phone.inbox()
  await expect.poll(() => inbox.signals.at(-1)).toMatchObject({ signal: 'unknownCredential', credentialId: one })
  opening.mockRestore()
  inbox.close()
})

describe('[app.vault] the vault', () => {
  const id = Buffer.from('credential').toString('base64url')
  let owner: SoftPhone
  const absent: Headers = [['If-None-Match', '*']]
  const put = (sealed: unknown, headers: Headers, at = id) => owner.call('PUT', `/vault/${at}`, { sealed }, headers)
  beforeEach(async () => {
    owner = await softPhone(running, { account: { ...account, proof: 'p1' } })
  })

  test('[app.vault-conditions] a change wants the ETag of what it replaces, or any', async () => {
    const stored = await put('AAAA', absent)
    const { etag } = stored.json.data
    expect([stored.headers.etag, (await owner.call('GET', `/vault/${id}`)).headers.etag]).toEqual([etag, etag])
    expect((await put('BBBB', [['If-Match', '"other"']])).json.code).toBe(41201)
    expect((await put('BBBB', [['If-Match', etag]])).json.data.etag).not.toBe(etag)
    expect((await put('CCCC', [['If-Match', '*']])).json.code).toBe(0)
    expect((await put('CCCC', [['If-Match', '*']], 'BBBB')).json.code).toBe(41201)
    expect((await owner.call('DELETE', `/vault/${id}`, undefined, [['If-Match', etag]])).json.code).toBe(41201)
  })

  test.each([
    [{ 'If-Match': '"a"', 'If-None-Match': '*' }, 40004],
    [{ 'If-Match': 'abc' }, 40002],
    [{ 'If-None-Match': '"a"' }, 40002],
  ])('[app.vault-conditions] the condition %o is refused with %i', async (headers, code) => {
    expect((await put('AAAA', Object.entries(headers))).json.code).toBe(code)
  })

  test('[app.vault-conditions] of two changes at once one is too late', async () => {
    const { etag } = (await put('AAAA', absent)).json.data
    const answers = await Promise.all([put('BBBB', [['If-Match', etag]]), put('CCCC', [['If-Match', etag]])])
    expect(answers.map(({ json: { code } }) => code).sort()).toEqual([0, 41201])
  })

  test('[app.vault-ids] an id is base64url', async () => {
    expect((await put('AAAA', absent, 'a*b')).json.code).toBe(40002)
  })

  test.each(['a*b', '', 7])('what is sealed cannot be %j', async (sealed) => {
    expect((await put(sealed, absent)).json.code).toBe(40002)
  })

  test('of another account is not there', async () => {
    await put('AAAA', absent)
    const stranger = await softPhone(running, { account: { name: 'S', phone: '99887766', proof: 'x' } })
    expect((await stranger.call('GET', `/vault/${id}`)).json.code).toBe(40404)
    expect((await stranger.call('GET', '/vault')).json.data).toEqual({ total: 0, list: [] })
  })
})

const signInFrom = (headers: Headers) =>
  raw('POST', '/devices', [json, ...headers], JSON.stringify({ account, device_name: 'x' }))

test.each(['evil.example', 'localhost', ''])(
  '[app.host] from a web page: a Host that is not ours (%s) is 40302',
  async (host) => expect((await signInFrom([['Host', host]])).json.code).toBe(40302),
)

test.each(['https://evil.example', 'null', 'http://localhost:1', `${ORIGIN}.evil.example`, `${ORIGIN}/`])(
  '[app.origin] from a web page: the origin %s is 40303, without CORS headers',
  async (origin) => {
    const answer = await signInFrom([['Origin', origin]])
    expect([answer.json.code, answer.headers['access-control-allow-origin']]).toEqual([40303, undefined])
  },
)

test('[app.origin] from a web page: an origin of an RP, and our own, may call and read', async () => {
  for (const origin of [ORIGIN, `http://localhost:${running.port}`]) {
    const answer = await signInFrom([['Origin', origin]])
    expect([answer.json.code, answer.headers['access-control-allow-origin']]).toEqual([0, origin])
    expect(answer.headers.vary).toBe('Origin')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  }
})

test('[app.origin] from a web page: errors can be read as well', async () => {
  const answer = await raw('GET', '/vault', [['Origin', ORIGIN]])
  expect([answer.json.code, answer.headers['access-control-allow-origin']]).toEqual([40110, ORIGIN])
})

test('[app.origin] from a web page: a preflight is answered for allowed origins only', async () => {
  const ask = (origin: string) =>
    raw('OPTIONS', '/vault/AAAA', [
      ['Origin', origin],
      ['Access-Control-Request-Method', 'PUT'],
    ])
  const good = await ask(ORIGIN)
  expect([good.status, good.headers['access-control-allow-origin']]).toEqual([204, ORIGIN])
  expect(good.headers['access-control-allow-methods']).toContain('PUT')
  expect(good.headers['access-control-allow-headers']).toContain('If-None-Match')
  const bad = await ask('https://evil.example')
  expect([bad.status, bad.headers['access-control-allow-origin']]).toEqual([403, undefined])
})

test('[app.origin] from a web page: an origin of an RP in another workspace is foreign here', async () => {
  taken(await running.admin.workspaces.open('two'))
  taken(await running.admin.rps.create('two', { name: 'B', rp_id: 'b.example', origins: ['https://b.example'] }))
  expect((await signInFrom([['Origin', 'https://b.example']])).json.code).toBe(40303)
})
