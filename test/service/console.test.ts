import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { normalConditions } from '../../src-main/core/contract/conditions.ts'
import { defaultProfile } from '../../src-main/core/contract/profile.ts'
import { ask } from '../support/service/raw-http.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest, shop } from '../support/service/serve-each-test.ts'
import { softPhone } from '../support/service/soft-phone.ts'
import { type Running, startService } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'

serveEachTest()

const refused = async (outcome: Promise<{ ok: boolean; error?: unknown }>): Promise<string> => {
  const result = await outcome
  return result.ok ? 'accepted' : (result.error as { name: string }).name
}
const settings = (subject: string) =>
  running.events('setting').flatMap((event) => (event.subject === subject ? [[event.change, event.id]] : []))

describe('[workspaces.isolation] workspaces', () => {
  beforeEach(async () => {
    taken(await running.admin.workspaces.open('two'))
  })

  test('[workspaces.main] main has the plain addresses, others the same behind /w/<id>', async () => {
    const other = rpClient(running, await running.makeRp('two'))
    expect((await other.register('u1')).json.data.url).toContain(`http://localhost:${running.port}/w/two/fido/m#r`)
    const there = await softPhone(running, { workspace: 'two' })
    expect((await there.bind(msgIdOf(await other.register('u1')))).json.code).toBe(0)
  })

  test('the same key, account and device names may stand in both', async () => {
    const twin = taken(
      await running.admin.rps.create('two', {
        id: shop.rp.id,
        name: 'Twin',
        rp_id: 'shop.example',
        origins: ['https://shop.example'],
      }),
    )
    const key = taken(
      await running.admin.accessKeys.create('two', twin.id, { id: shop.key.id, secret: 'another secret' }),
    )
    const other = rpClient(running, { rp: twin, key, workspace: 'two' })
    const there = await softPhone(running, { workspace: 'two' })
    expect((await other.list('u1')).json.code).toBe(0)
    expect((await rp.list('u1')).json.code).toBe(0)
    // One RP ID in both, and still what happened in one is not there in the other.
    const id = msgIdOf(await rp.register('u1'))
    expect((await other.registrationResult(id)).json.code).toBe(40402)
    expect((await there.bind(id)).json.code).toBe(40402)
    expect(await refused(running.admin.messages.get('two', id))).toBe('not_found')
    await phone.register(id)
    expect((await other.list('u1')).json.data.total).toBe(0)
    expect((await other.delete('u1', [phone.keys[0]?.id.toString('base64url')])).json.data.total).toBe(0)
    expect((await rp.list('u1')).json.data.total).toBe(1)
  })

  test('each has its own clock, profile and conditions', async () => {
    const other = rpClient(running, await running.makeRp('two'))
    const id = msgIdOf(await rp.register('u1'))
    await running.clockOf('two').advance(1_000_000)
    expect((await rp.registrationResult(id)).json.data.status).toBe('init')
    taken(await running.admin.profile.patch('two', { message_ttl_s: 10 }))
    taken(await running.admin.conditions.patch('two', { rp: { fail_next: 1 } }))
    expect((await rp.register('u1')).json.data.expires_at).toBe(running.clock.now() / 1000 + 180)
    expect((await other.register('u1')).json.code).toBe(50301)
    expect((await other.register('u1')).json.data.expires_at).toBe(running.clockOf('two').now() / 1000 + 10)
  })

  test('[workspaces.close] closing removes all of it, and it can be opened again, empty', async () => {
    const made = await running.makeRp('two')
    const there = await softPhone(running, { workspace: 'two' })
    const inbox = await there.inbox()
    taken(await running.admin.snapshots.create('two', { name: 's' }))
    taken(await running.admin.workspaces.close('two'))
    await inbox.ended
    expect((await rpClient(running, made).list('u1')).json.code).toBe(40401)
    expect(await refused(running.admin.rps.list('two'))).toBe('not_found')
    taken(await running.admin.workspaces.open('two'))
    expect(taken(await running.admin.rps.list('two'))).toEqual([])
    expect(taken(await running.admin.snapshots.list('two'))).toEqual([])
    expect((await rpClient(running, made).list('u1')).json.code).toBe(40103)
  })

  test('[workspaces.close] what was under way when it closed is in none that has its name afterwards', async () => {
    const own = await startService({ wall: { now: Date.now() } })
    onTestFinished(() => own.stop())
    taken(await own.admin.workspaces.open('two'))
    taken(await own.admin.conditions.patch('two', { app: { latency_ms: 60_000 } }))
    // The request waits for the conditions until the test says so.
    const held = Promise.withResolvers<() => void>()
    Object.assign(own.wall, {
      at: (_time: number, alarm: () => void) => {
        held.resolve(alarm)
        return () => undefined
      },
    })
    const late = ask({
      port: own.port,
      method: 'POST',
      target: '/w/two/app/devices',
      headers: [
        ['Host', `localhost:${own.port}`],
        ['Content-Type', 'application/json'],
      ],
      body: JSON.stringify({ account: { name: 'Ghost', phone: '13800000000' }, device_name: 'Late' }),
    })
    const goOn = await held.promise
    taken(await own.admin.workspaces.close('two'))
    taken(await own.admin.workspaces.open('two'))
    goOn()
    expect((await late).json.code).toBe(40401)
    expect(taken(await own.admin.accounts.list('two'))).toEqual([])
    expect(own.events('exchange', 'two')).toEqual([])
  })

  test('[workspaces.main] main cannot be closed, a name cannot be opened twice', async () => {
    expect(await refused(running.admin.workspaces.close('main'))).toBe('wrong_state')
    expect(await refused(running.admin.workspaces.open('two'))).toBe('already_exists')
    expect((await running.admin.workspaces.list()).map(({ id }) => id)).toEqual(['main', 'two'])
  })
})

test('resetting removes what happened and keeps what was set', async () => {
  await phone.register(msgIdOf(await rp.register('u1')))
  taken(await running.admin.profile.patch('main', { message_ttl_s: 10 }))
  taken(await running.admin.workspaces.reset('main'))
  expect(taken(await running.admin.accounts.list('main'))).toEqual([])
  expect(taken(await running.admin.messages.list('main'))).toEqual([])
  expect((await rp.list('u1')).json).toMatchObject({ code: 0, data: { total: 0 } })
  expect(taken(await running.admin.profile.get('main')).message_ttl_s).toBe(10)
  expect((await phone.call('GET', '/vault')).json.code).toBe(40110)
})

test('resetting with settings removes those as well', async () => {
  taken(await running.admin.profile.patch('main', { message_ttl_s: 10 }))
  taken(await running.admin.conditions.patch('main', { rp: { latency_ms: 1 } }))
  taken(await running.admin.workspaces.reset('main', { settings: true }))
  expect(taken(await running.admin.profile.get('main'))).toEqual(defaultProfile)
  expect(taken(await running.admin.conditions.get('main'))).toEqual(normalConditions)
  expect((await rp.list('u1')).json.code).toBe(40103)
})

test('RPs and access keys can be made, read, changed and deleted, each with its event', async () => {
  const { admin } = running
  const made = taken(await admin.rps.create('main', { name: 'B', rp_id: 'b.example', origins: ['https://b.example'] }))
  expect(taken(await admin.rps.get('main', made.id))).toEqual(made)
  expect(Object.keys(made).sort()).toEqual(['created_at', 'id', 'name', 'origins', 'rp_id'])
  const changed = taken(
    await admin.rps.patch('main', made.id, { name: 'C', origins: ['https://c.example', 'http://localhost:3000'] }),
  )
  expect(changed).toEqual({ ...made, name: 'C', origins: ['https://c.example', 'http://localhost:3000'] })
  taken(await admin.rps.delete('main', made.id))
  expect(await refused(admin.rps.get('main', made.id))).toBe('not_found')
  expect(settings('rp').slice(1)).toEqual(['created', 'changed', 'deleted'].map((change) => [change, made.id]))
})

test('[rps.keys] keys can be given, listed, revealed and deleted; a list shows no secret', async () => {
  const { accessKeys } = running.admin
  const made = taken(await accessKeys.create('main', shop.rp.id, { id: 'my-key', secret: 'my secret' }))
  expect(made).toMatchObject({ id: 'my-key', secret: 'my secret', state: 'active', rp: shop.rp.id })
  expect(await refused(accessKeys.create('main', shop.rp.id, { id: 'my-key' }))).toBe('already_exists')
  expect(JSON.stringify(taken(await accessKeys.list('main', shop.rp.id)))).not.toContain('secret')
  expect(taken(await accessKeys.reveal('main', 'my-key')).secret).toBe('my secret')
  taken(await accessKeys.delete('main', 'my-key'))
  expect(await refused(accessKeys.reveal('main', 'my-key'))).toBe('not_found')
  expect(JSON.stringify(running.events('setting'))).not.toContain('my secret')
})

test('RPs and access keys: a key knows when it was last used, by the clock of the workspace', async () => {
  const listed = async () => taken(await running.admin.accessKeys.list('main', shop.rp.id))[0]?.last_used_at
  expect(await listed()).toBeUndefined()
  await rpClient(running, { ...shop, key: { ...shop.key, secret: 'wrong' } }).list('u1')
  expect(await listed()).toBeUndefined()
  await rp.list('u1')
  expect(await listed()).toBe(running.clock.now())
})

const set = async (part: object) => taken(await running.admin.conditions.patch('main', part))

test('[errors.fault] the conditions: the next n calls fail with 50301, and nothing happens', async () => {
  await set({ rp: { fail_next: 2 } })
  const codes = [await rp.register('u1'), await rp.list('u1'), await rp.list('u1')].map(({ json }) => json.code)
  expect(codes).toEqual([50301, 50301, 0])
  expect(taken(await running.admin.messages.list('main'))).toEqual([])
  expect(taken(await running.admin.conditions.get('main')).rp.fail_next).toBe(0)
})

test('the conditions: only the named operations are struck', async () => {
  await set({ rp: { fail_next: 1, only: ['attestation.result'] } })
  const id = msgIdOf(await rp.register('u1'))
  expect((await rp.list('u1')).json.code).toBe(0)
  expect((await rp.registrationResult(id)).json.code).toBe(50301)
  expect((await rp.registrationResult(id)).json.code).toBe(0)
})

test('the conditions: a lost answer was carried out', async () => {
  await set({ rp: { lose_next: 1 } })
  await expect(rp.register('u1')).rejects.toThrow()
  expect(taken(await running.admin.messages.list('main'))).toHaveLength(1)
  const last = running.events('exchange').at(-1)
  expect(last).toMatchObject({ conditions: { lost: true }, response: { code: 0 } })
})

test('the conditions: an event says all that they did to its call', async () => {
  await set({ rp: { latency_ms: 1, fail_next: 1, fail_code: 42901 } })
  await rp.list('u1')
  expect(running.events('exchange').at(-1)).toMatchObject({ conditions: { latency_ms: 1, failed: 42901 } })
})

test('the conditions: the app interface has its own', async () => {
  await set({ app: { fail_next: 1 } })
  expect((await rp.list('u1')).json.code).toBe(0)
  expect((await phone.call('GET', '/vault')).json.code).toBe(50301)
  expect((await phone.call('GET', '/vault')).json.code).toBe(40404)
})

test('the conditions: latency holds an answer back by the clock of real time', async () => {
  await set({ rp: { latency_ms: 60 } })
  const before = performance.now()
  await rp.list('u1')
  expect(performance.now() - before).toBeGreaterThan(55)
})

test('the conditions: chance is drawn from the seed: two runs fail alike', async () => {
  const run = async (service: Running) => {
    const client = rpClient(service, await service.makeRp())
    taken(await service.admin.conditions.patch('main', { rp: { fail_percent: 50 } }))
    const codes: number[] = []
    for (let i = 0; i < 30; i++) codes.push((await client.list('u1')).json.code)
    return codes
  }
  const [first, second] = [await startService({ seed: 7 }), await startService({ seed: 7 })]
  const codes = await run(first)
  expect(codes).toEqual(await run(second))
  expect(new Set(codes)).toEqual(new Set([0, 50301]))
  await Promise.all([first.stop(), second.stop()])
})

test('the conditions: one that is put in the place of another leaves nothing of it', async () => {
  await set({ rp: { fail_next: 3 }, app: { latency_ms: 5 } })
  const replaced = taken(await running.admin.conditions.replace('main', { rp: { lose_next: 1 } }))
  expect(replaced).toEqual({ ...normalConditions, rp: { ...normalConditions.rp, lose_next: 1 } })
})

test('snapshots restore everything but themselves, messages with their timers too', async () => {
  const id = msgIdOf(await rp.register('u1'))
  await phone.bind(id)
  const snapshot = taken(await running.admin.snapshots.create('main', { name: 'bound', extra: { phones: [1] } }))
  await phone.reject(id)
  taken(await running.admin.profile.patch('main', { message_ttl_s: 10 }))
  const restored = taken(await running.admin.snapshots.restore('main', snapshot.id))
  expect(restored).toEqual({ snapshot, extra: { phones: [1] } })
  expect((await rp.registrationResult(id)).json.data.status).toBe('bind')
  expect(taken(await running.admin.profile.get('main')).message_ttl_s).toBe(180)
  expect((await phone.register(id)).json.data.status).toBe('success')
  expect((await rp.registrationResult(id)).json.data.status).toBe('success')
  taken(await running.admin.snapshots.restore('main', snapshot.id))
  await running.clock.advance(180_000)
  expect(running.events('message').at(-1)).toMatchObject({ msg_id: id, to: 'timeout' })
  expect(taken(await running.admin.snapshots.list('main'))).toEqual([snapshot])
  taken(await running.admin.snapshots.delete('main', snapshot.id))
  expect(await refused(running.admin.snapshots.restore('main', snapshot.id))).toBe('not_found')
})

test('snapshots and imports keep what a newer version stored, until it is reset', async () => {
  const { profile, workspaces, snapshots } = running.admin
  const exported = JSON.parse(JSON.stringify(taken(await workspaces.export('main'))))
  const newer = { name: 'profile', value: JSON.stringify({ message_ttl_s: 60, tomorrow: 1 }) }
  exported.tables.settings = [newer]
  const stored = () => running.store.settings.get('main', 'profile')
  taken(await workspaces.import('main', exported))
  taken(await profile.patch('main', { user_id_max: 9 }))
  const { id } = taken(await snapshots.create('main', { name: 's' }))
  taken(await profile.reset('main'))
  expect(await stored()).not.toHaveProperty('tomorrow')
  taken(await snapshots.restore('main', id))
  expect(await stored()).toMatchObject({ message_ttl_s: 60, user_id_max: 9, tomorrow: 1 })
})

test('snapshots restore the random streams: what comes next is what came next', async () => {
  const snapshot = taken(await running.admin.snapshots.create('main', { name: 's' }))
  const first = msgIdOf(await rp.register('u1'))
  taken(await running.admin.snapshots.restore('main', snapshot.id))
  expect(msgIdOf(await rp.register('u1'))).toBe(first)
})

test('snapshots end open inboxes, whose phones then come back', async () => {
  const snapshot = taken(await running.admin.snapshots.create('main', { name: 's' }))
  const inbox = await phone.inbox()
  taken(await running.admin.snapshots.restore('main', snapshot.id))
  await inbox.ended
  expect((await phone.inbox()).status).toBe(200)
})

const registered = async (user: string, by = phone): Promise<string> => {
  const id = msgIdOf(await rp.register(user))
  await by.register(id)
  return taken(await running.admin.messages.get('main', id)).credential_id ?? ''
}
const signsIn = async (user: string): Promise<number> => (await rp.authenticate(user, 'qrcode')).json.code

test('a deletion taken back gives a credential back as it was, whether the console or the RP deleted it', async () => {
  const { credentials } = running.admin
  const id = await registered('u1')
  const before = taken(await credentials.get('main', id))
  taken(await credentials.delete('main', id))
  expect(await signsIn('u1')).toBe(40403)
  expect(taken(await credentials.undelete('main', id))).toEqual(before)
  await rp.delete('u1', [id])
  expect(await signsIn('u1')).toBe(40403)
  expect(taken(await credentials.undelete('main', id))).toEqual(before)
  expect(await signsIn('u1')).toBe(0)
  const changes = running.events('credential').map(({ change }) => change)
  expect(changes).toEqual(['registered', 'deleted', 'restored', 'deleted', 'restored'])
})

test('a deletion taken back is refused for what was not deleted, and for what was taken back already', async () => {
  const { credentials, roots, snapshots } = running.admin
  const id = await registered('u1')
  expect(await refused(credentials.undelete('main', id))).toBe('not_found')
  taken(await credentials.delete('main', id))
  taken(await credentials.undelete('main', id))
  expect(await refused(credentials.undelete('main', id))).toBe('not_found')
  expect(await refused(roots.undelete('main', id))).toBe('not_found')
  expect(await refused(snapshots.undelete('main', id))).toBe('not_found')
})

test('a deletion taken back is refused when the RP is gone, and after a reset', async () => {
  const { credentials, rps, workspaces } = running.admin
  const id = await registered('u1')
  taken(await credentials.delete('main', id))
  taken(await workspaces.reset('main'))
  expect(await refused(credentials.undelete('main', id))).toBe('not_found')
  const other = await registered('u1', await softPhone(running))
  taken(await credentials.delete('main', other))
  taken(await rps.delete('main', shop.rp.id))
  expect(await refused(credentials.undelete('main', other))).toBe('wrong_state')
})

test('[rps.keys] a deletion taken back gives an access key back as it was: its id, its secret, its state', async () => {
  const { accessKeys } = running.admin
  const { id } = shop.key
  const code = async () => (await rp.list('u1')).json.code
  expect(await code()).toBe(0)
  const before = taken(await accessKeys.reveal('main', id))
  taken(await accessKeys.delete('main', id))
  expect(await code()).toBe(40103)
  expect(taken(await accessKeys.list('main', shop.rp.id))).toEqual([])
  const { secret: _, ...info } = before
  expect(taken(await accessKeys.undelete('main', shop.rp.id, id))).toEqual(info)
  expect(taken(await accessKeys.reveal('main', id))).toEqual(before)
  expect(await code()).toBe(0)
  const changes = settings('access_key').slice(-2)
  expect(changes).toEqual([
    ['deleted', id],
    ['restored', id],
  ])
  expect(JSON.stringify(running.events('setting'))).not.toContain(before.secret)
})

test('a deletion taken back is refused for an access key of another RP, and leaves it to be taken back under its own', async () => {
  const { accessKeys } = running.admin
  const other = await running.makeRp('main', 'Other')
  taken(await accessKeys.delete('main', shop.key.id))
  expect(await refused(accessKeys.undelete('main', other.rp.id, shop.key.id))).toBe('not_found')
  taken(await accessKeys.undelete('main', shop.rp.id, shop.key.id))
  expect(await refused(accessKeys.undelete('main', shop.rp.id, shop.key.id))).toBe('not_found')
})

test('a deletion taken back is refused for an access key whose RP is gone, and for one whose id was given again', async () => {
  const { accessKeys, rps } = running.admin
  taken(await accessKeys.delete('main', shop.key.id))
  const again = taken(await accessKeys.create('main', shop.rp.id, { id: shop.key.id }))
  expect(await refused(accessKeys.undelete('main', shop.rp.id, shop.key.id))).toBe('wrong_state')
  expect(taken(await accessKeys.reveal('main', shop.key.id))).toEqual(again)
  taken(await accessKeys.delete('main', shop.key.id))
  taken(await rps.delete('main', shop.rp.id))
  expect(await refused(accessKeys.undelete('main', shop.rp.id, shop.key.id))).toBe('wrong_state')
  expect((await rp.list('u1')).json.code).toBe(40103)
})

test('a deletion taken back goes back twenty deletions, no further', async () => {
  const { snapshots } = running.admin
  const ids: string[] = []
  for (let n = 0; n < 21; n++) ids.push(taken(await snapshots.create('main', { name: `${n}` })).id)
  for (const id of ids) taken(await snapshots.delete('main', id))
  expect(await refused(snapshots.undelete('main', ids[0] ?? ''))).toBe('not_found')
  taken(await snapshots.undelete('main', ids[1] ?? ''))
})

const pem = () => readFileSync(new URL('../vectors/service/root.pem', import.meta.url), 'utf8')

test('roots can be added as PEM or DER, listed and deleted', async () => {
  const { roots } = running.admin
  const added = taken(await roots.add('main', { name: 'Lab', certificate: pem() }))
  const der = new X509Certificate(pem()).raw.toString('base64')
  expect(added).toMatchObject({ name: 'Lab', certificate: der, subject: 'CN=Handset test root' })
  const second = taken(await roots.add('main', { name: 'Again', certificate: der }))
  expect(taken(await roots.list('main')).map(({ id }) => id)).toEqual([added.id, second.id])
  taken(await roots.delete('main', added.id))
  expect(await refused(roots.delete('main', added.id))).toBe('not_found')
  expect(taken(await roots.undelete('main', added.id))).toEqual(added)
  expect(taken(await roots.list('main'))).toContainEqual(added)
})

test.each(['', 'x', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
  'roots: %j is no certificate',
  async (certificate) => {
    expect(await refused(running.admin.roots.add('main', { name: 'x', certificate }))).toBe('invalid_parameter')
  },
)
