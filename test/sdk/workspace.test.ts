import { expect, test } from 'vitest'
import { connectHandset, type Workspace } from '../../src-main/sdk/index.ts'
import { qrPicture } from '../../src-main/testing/scenario/qr-picture.ts'
import { encodePng } from '../support/camera/encode-png.ts'
import { openWorkspaces } from '../support/open-workspaces.ts'
import { serveBriefly } from '../support/serve-briefly.ts'

const { shared, open } = openWorkspaces()

const ALICE = { user_id: 'u-1', username: 'alice' }

test('what can never happen is an error at once: an event, a fault, a setting', async () => {
  const { waitFor, phone, profile } = await open()
  const hours = { timeoutMs: 600_000 }
  const unfit = { code: 40002 }
  await expect(waitFor({ kind: 'message', to: 'sucess' }, hours)).rejects.toMatchObject(unfit)
  await expect((await phone()).arm('bad-chalenge')).rejects.toMatchObject({ code: 'no_such_fault' })
  await expect(profile.set({ mesage_ttl_s: 60 } as never)).rejects.toMatchObject(unfit)
})

test('arming answers which attempts have begun without the fault: it strikes the next one', async () => {
  const { rp, phone } = await open()
  const [owner, mine] = [await rp(), await phone()]
  expect((await mine.arm('origin-wrong')).strikes).toEqual({ ceremony: 'both', begun: [] })
  await mine.disarm()
  const registration = await owner.register(ALICE)
  await mine.scan(registration.url)
  const { begun } = (await mine.arm('origin-wrong')).strikes
  expect(begun).toEqual([registration.msg_id])
  expect((await mine.arm('backup-eligibility-changed')).strikes).toEqual({ ceremony: 'authentication', begun: [] })
  await mine.disarm()
  await mine.arm('origin-wrong')
  await mine.approve()
  await mine.scan((await owner.signIn({ ...ALICE, method: 'qrcode' })).url)
  await expect(mine.approve()).rejects.toMatchObject({ code: 'origin_mismatch' })
})

test.each([
  ['an address', (url: string) => url],
  ['pixels', (url: string) => ({ ...qrPicture(url), data: qrPicture(url).rgba })],
  ['a PNG', (url: string) => encodePng(qrPicture(url))],
  ['what takes a picture of itself', (url: string) => ({ screenshot: async () => encodePng(qrPicture(url)) })],
])('a phone of the SDK registers by %s', async (_, scannable) => {
  const { phone, rp } = await open()
  const [alice, shop] = [await phone(), await rp()]
  const message = await shop.register(ALICE)
  expect(await alice.scan(scannable(message.url))).toMatchObject({ msg_id: message.msg_id, kind: 'registration' })
  expect(await alice.approve()).toMatchObject({ kind: 'success' })
  expect(await message.verified()).toMatchObject({ status: 'success' })
  expect(await shop.credentials('u-1')).toHaveLength(1)
})

test('a phone of the SDK with passkeys starts registered, and signs in by the oldest push, however early it came', async () => {
  const { phone, rp } = await open()
  const alice = await phone({ passkeys: [ALICE], model: 'granite-one' })
  const shop = await rp()
  const first = await shop.signIn({ ...ALICE, method: 'push' })
  const second = await shop.signIn({ ...ALICE, method: 'push' })
  await expect.poll(async () => (await alice.state()).notifications.length).toBe(2)
  expect(await alice.waitForPush()).toMatchObject({ msg_id: first.msg_id, came_by: 'push' })
  await alice.approve()
  expect(await first.verified()).toMatchObject({ user_id: 'u-1' })
  expect(await alice.waitForPush({ msgId: second.msg_id })).toMatchObject({ msg_id: second.msg_id })
  await alice.reject('not_me')
  await expect(second.verified()).rejects.toMatchObject({
    name: 'ResultError',
    code: 'not_me',
    came: { status: 'fail' },
  })
})

test('a phone of the SDK waits for a push that comes later', async () => {
  const { phone, rp } = await open()
  const alice = await phone({ passkeys: [ALICE] })
  const waiting = alice.waitForPush()
  const message = await (await rp()).signIn({ ...ALICE, method: 'push' })
  expect(await waiting).toMatchObject({ msg_id: message.msg_id })
})

test('a phone of the SDK says what came instead of a push', async () => {
  const { phone } = await open()
  const [alice, bob] = [await phone({ passkeys: [ALICE] }), await phone({ name: 'Bob' })]
  const waiting = alice.waitForPush({ timeoutMs: 1000 }).catch((error: unknown) => error)
  for (const answer of ['ignore', 'approve'] as const) await bob.change({ behaviour: { answer } })
  const came = [{ kind: 'phone' }, { kind: 'phone' }]
  const message = expect.stringMatching(/ within 1000 ms\. Instead came: [^;]+ \(2 times\)\.$/)
  expect(await waiting).toMatchObject({ name: 'WaitError', code: 40905, came, message })
})

test('a phone of the SDK throws what it shows instead of what was expected', async () => {
  const { phone, rp } = await open()
  const alice = await phone()
  await expect(alice.scan('https://elsewhere.example')).rejects.toMatchObject({ name: 'PhoneError' })
  await expect(alice.scan(new Uint8Array(9))).rejects.toMatchObject({ code: 'unreadable_picture' })
  await expect(alice.approve()).rejects.toMatchObject({ code: 'no_such_prompt' })
  const message = await (await rp()).register(ALICE)
  await alice.arm('challenge-wrong')
  await alice.scan(message.url)
  await expect(alice.approve()).rejects.toMatchObject({ code: 'challenge_mismatch', came: { kind: 'refused' } })
  await expect(message.verified()).rejects.toMatchObject({ code: 'challenge_mismatch' })
})

test('a phone of the SDK that cannot be registered as it should is not left behind', async () => {
  const { phone, client } = await open()
  await expect(phone({ passkeys: [{ user_id: '' }] })).rejects.toMatchObject({ name: 'RpError', code: 40002 })
  await expect(phone({ passkeys: [{ ...ALICE, rp: 'nobody' }] })).rejects.toMatchObject({ code: 'no_such_rp' })
  expect((await client.call('phones.list')).phones).toEqual([])
})

test('a workspace of the SDK lets one message expire, and no other', async () => {
  const { rp, expire, client, waitFor, lastSeq } = await open()
  const shop = await rp()
  const [ended, other] = [await shop.register(ALICE), await shop.register(ALICE)]
  const after = await lastSeq()
  expect(await expire(ended)).toMatchObject({ id: ended.msg_id, state: 'timeout' })
  await expect(ended.verified()).rejects.toMatchObject({ name: 'ResultError', code: 'timeout' })
  expect(await client.call('messages.get', { params: { id: other.msg_id } })).toMatchObject({ state: 'init' })
  expect(await waitFor({ kind: 'message', to: 'timeout' }, { after })).toMatchObject({
    msg_id: ended.msg_id,
    actor: { kind: 'control' },
  })
  await expect(expire(ended.msg_id)).rejects.toMatchObject({ name: 'ControlError', code: 40902 })
  await expect(expire('nothing')).rejects.toMatchObject({ code: 40404 })
})

test('a workspace of the SDK has its own clock, profile and conditions, and goes back to a snapshot', async () => {
  const { clock, profile, conditions, snapshot, rp, phone, client } = await open()
  await clock.freeze(new Date('2030-01-01'))
  expect(await clock.advance(1000)).toMatchObject({ now: Date.parse('2030-01-01') + 1000, frozen: true })
  expect(await clock.run(2)).toMatchObject({ frozen: false, speed: 2 })
  await clock.reset()
  expect(await profile.set({ message_ttl_s: 60 })).toMatchObject({ message_ttl_s: 60 })
  const before = await snapshot()
  await profile.reset()
  await phone()
  await conditions.set({ rp: { fail_next: 1 } })
  await expect((await rp()).register(ALICE)).rejects.toMatchObject({ name: 'RpError', code: 50301 })
  await conditions.clear()
  await before.restore()
  expect((await client.call('profile.get')).changed).toEqual(['message_ttl_s'])
  expect((await client.call('phones.list')).phones).toEqual([])
  await before.remove()
  await expect(before.restore()).rejects.toMatchObject({ code: 40404 })
  await (await rp()).register(ALICE)
  expect((await clock.toNextExpiry()).next_expiry).toBeNull()
})

test('a workspace of the SDK tells its events as they come', async () => {
  const { events, phone } = await open()
  const first = events({ after: 0, kind: 'phone' }).next()
  const { id } = await phone()
  expect((await first).value).toMatchObject({ kind: 'phone', change: 'created', phone_id: id })
})

test('a workspace of the SDK makes an RP with a key of its own, finds it by its RP ID, and removes it', async () => {
  const { createRp, rp } = await open()
  const shop = await createRp({ name: 'Shop', rp_id: 'shop.example' })
  expect(shop).toMatchObject({ rp_id: 'shop.example', origins: ['https://shop.example'] })
  expect(await rp('shop.example')).toMatchObject({ id: shop.id, secretKey: shop.secretKey })
  await shop.remove()
  await expect(rp('shop.example')).rejects.toMatchObject({ code: 'no_such_rp' })
})

const failure = (options: Parameters<typeof connectHandset>[0]) =>
  connectHandset(options).catch((error: unknown) => error)

test('connectHandset refuses a foreign token, an address where nothing answers, and another version', async () => {
  expect(await failure({ controlUrl: shared.handset.controlUrl, token: 'x' })).toMatchObject({ code: 40111 })
  expect(await failure({ controlUrl: 'http://localhost:1/control/v1', token: 'x' })).toMatchObject({
    code: 'unreachable',
  })
  const data = { control_version: 2, version: '9.9.9' }
  const later = await serveBriefly((_, response) => void response.end(JSON.stringify({ code: 0, error: '', data })))
  const mismatch = await failure({ controlUrl: `${later}/control/v1`, token: 'x' })
  expect(mismatch).toMatchObject({ code: 'version_mismatch' })
  expect(String(mismatch)).toMatch(/version 1 .* 9\.9\.9.* version 2/)
})

/** Two leases in one workspace, as two tests have them. */
const openLeases = async () => {
  const workspace = await open()
  return { workspace, mine: await workspace.lease(), other: await workspace.lease() }
}

const ofUser = (user_id: string) => ({ scope: { user_id } })
const conditionsIn = ({ client }: Workspace) => client.call('conditions.get')

test('faults of the service that are armed through a lease are disarmed with it at once, and no others', async () => {
  const { workspace, mine, other } = await openLeases()
  await workspace.service.arm('body-empty', ofUser('u-1'))
  await other.service.arm('body-empty', ofUser('u-2'))
  await mine.service.arm('body-empty', ofUser('u-3'))
  const one = await mine.service.arm('list-as-object', ofUser('u-3'))
  await one.disarm()
  await mine.service.disarm()
  expect((await mine.service.armed()).map(({ scope }) => scope)).toEqual([{ user_id: 'u-1' }, { user_id: 'u-2' }])
  await mine.service.disarm()
  await workspace.service.disarm()
  expect(await other.service.armed()).toEqual([])
  await other.service.disarm()
})

test('faults of the service that are armed through a lease may be used up when they are disarmed', async () => {
  const { workspace, mine } = await openLeases()
  const armed = await mine.service.arm('list-as-object', ofUser('u-1'))
  const rp = await workspace.rp()
  await rp.credentials('u-1').catch(() => undefined)
  expect(await mine.service.armed()).toEqual([])
  await armed.disarm()
  await mine.service.disarm()
})

test('conditions that are set through a lease are cleared with it at once, and no others', async () => {
  const { workspace, mine, other } = await openLeases()
  await workspace.conditions.set({ rp: { latency_ms: 1 } })
  await other.conditions.set({ rp: { latency_ms: 2 }, ...ofUser('u-2') })
  await mine.conditions.set({ rp: { latency_ms: 3 }, ...ofUser('u-3') })
  await mine.conditions.set({ rp: { latency_ms: 4 }, ...ofUser('u-4') })
  await mine.conditions.clear()
  const left = { rp: { latency_ms: 1 }, scoped: [{ ...ofUser('u-2'), rp: { latency_ms: 2 } }] }
  expect(await conditionsIn(workspace)).toMatchObject(left)
  await mine.conditions.clear()
  expect(await conditionsIn(workspace)).toMatchObject(left)
  await workspace.conditions.clear()
  const { rp, scoped } = await conditionsIn(workspace)
  expect([rp.latency_ms, scoped]).toEqual([0, undefined])
})

test('conditions that are set through a lease for everybody are normal again when they are cleared, while those of a scope stay', async () => {
  const { workspace, mine, other } = await openLeases()
  await other.conditions.set({ rp: { latency_ms: 2 }, ...ofUser('u-2') })
  await mine.conditions.set({ rp: { latency_ms: 1 } })
  await mine.conditions.clear({ user_id: 'u-3' })
  expect((await conditionsIn(workspace)).rp.latency_ms).toBe(1)
  await mine.conditions.clear()
  expect(await conditionsIn(workspace)).toMatchObject({ rp: { latency_ms: 0 }, scoped: [ofUser('u-2')] })
})
