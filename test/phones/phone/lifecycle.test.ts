import { expect, it } from 'vitest'
import type { PhonePatch } from '../../../src-main/phones/phone/phone.ts'
import { ALICE, bench, phoneBenchEachTest, refusedAs, saying, shows } from '../../support/phone-bench.ts'
import { replacePhones } from '../../support/replace-phones.ts'
import { taken } from '../../support/taken.ts'

phoneBenchEachTest()

it('making phones signs it in with a proof of the account secret', async () => {
  const signedIn = { name: 'Phone A', signed_in: true, network: 'online', screen: { kind: 'home' } }
  expect(await bench.make()).toMatchObject({ ...signedIn, account: { name: 'Alice', phone: '138****5678' } })
  const { account } = JSON.parse(bench.service.calls[0]?.body ?? '') as { account: { proof: string } }
  expect(account.proof).toMatch(/^[A-Za-z0-9_-]{43}$/)
})

it('making phones lists them in the order in which they were made', async () => {
  const first = await bench.make()
  const second = await bench.make({ name: 'Phone B', account: { name: 'Bob', phone: '13900001111' } })
  expect(bench.phones.list('main').map(({ id }) => id)).toEqual([first.id, second.id])
  expect(bench.phones.list('other')).toEqual([])
  expect(bench.phones.get({ workspace: 'other', phone: first.id })).toBeUndefined()
})

it('making phones gives a phone without an account one of its own', async () => {
  const made = await bench.phones.create('main', { name: 'Li Wei' })
  expect(made).toMatchObject(shows({ account: { name: 'Li Wei', phone: expect.stringMatching(/^138\*{4}\d{4}$/) } }))
})

it('making phones takes a number as people write it', async () => {
  const made = await bench.make({ account: { name: 'Alice', phone: '+86 (138) 1234-5678' } })
  expect(made.account.phone).toBe('+86****5678')
  const { account } = JSON.parse(bench.service.calls[0]?.body ?? '') as { account: { phone: string } }
  expect(account.phone).toBe('+8613812345678')
})

it('making phones refuses the account of others without their secret, and leaves nothing behind', async () => {
  await bench.make()
  const made = await bench.phones.create('main', { name: 'Thief', account: ALICE })
  expect(made).toMatchObject(refusedAs('account_taken'))
  expect(bench.phones.list('main')).toHaveLength(1)
  expect(bench.storage.phones('main')).toHaveLength(1)
})

it.each([
  [{ name: 'A', model: 'brick' }, 'unknown_model'],
  [{ name: 'A', model: 'token-u2f', algorithm: 'ES384' }, 'unknown_algorithm'],
  [{ name: 'A', same_account_as: 'phn_nobody' }, 'no_such_account'],
] as const)('making phones refuses %j as %s', async (draft, word) => {
  expect(await bench.phones.create('main', draft)).toMatchObject({ ok: false, error: { word } })
  expect(bench.phones.list('main')).toEqual([])
})

it('making phones makes keys of the algorithm it was told, as far as its model can, and of the model’s own again', async () => {
  const made = await bench.make({ model: 'granite-one', algorithm: 'ES384' })
  expect(made.algorithm).toBe('ES384')
  const patch = async (change: PhonePatch) => {
    const patched = await bench.phones.patch({ workspace: 'main', phone: made.id }, change)
    return patched.ok ? patched.value.algorithm : patched.error.word
  }
  expect(await patch({ model: 'token-u2f', algorithm: 'ES384' })).toBe('unknown_algorithm')
  expect(await patch({ name: 'Renamed' })).toBe('ES384')
  expect(await patch({ algorithm: 'RS256' })).toBe('RS256')
  expect(await patch({ model: 'token-u2f' })).toBeUndefined()
  expect(await patch({ model: 'granite-one', algorithm: 'PS256' })).toBe('PS256')
  expect(await patch({ algorithm: null })).toBeUndefined()
})

it('making phones takes the default storage of its model unless told otherwise', async () => {
  expect(await bench.make({ model: 'granite-one' })).toMatchObject({ model: 'granite-one', storage: 'chip' })
  expect(await bench.make({ account: { name: 'B', phone: '13900001111' } })).toMatchObject({ storage: 'cloud' })
})

it('a phone that scans asks its person and registers when approved', async () => {
  const phone = await bench.make({ storage: 'chip' })
  const message = await bench.service.registration()
  const prompt = {
    ...{ msg_id: message.id, kind: 'registration', came_by: 'scan', storage: 'chip', origin: 'https://shop.example' },
    ...{ rp: { id: 'shop.example', name: 'Shop' }, user: { username: 'alice', display_name: 'Alice' } },
    credential_name: 'Quiet Otter 42',
  }
  const scanned = await bench.scan(phone, message)
  expect(scanned).toMatchObject(shows({ screen: { kind: 'request', prompt } }))
  const approved = await bench.phones.approve(bench.asked(phone))
  expect(approved).toMatchObject(shows({ screen: { kind: 'success' }, prompts: [] }))
  expect(message.state).toBe('success')
  const made = { name: 'Quiet Otter 42', rp_id: 'shop.example', username: 'alice', storage: 'chip' }
  expect(bench.stateOf(phone.id).credentials).toMatchObject([made])
})

it.each([
  [{ url: 'https://restaurant.example/menu' }, 'not_ours'],
  [{ url: 'https://restaurant.example/m#rAAECAwQFBgcICQoLDA0ODw' }, 'foreign_code'],
  [{ picture: new Uint8Array([1, 2, 3]) }, 'unreadable_picture'],
  [{ picture: { width: 2, height: 2, rgba: new Uint8Array(16) } }, 'no_code'],
])('a phone that scans shows why it does not take %j', async (input, word) => {
  const phone = await bench.make()
  expect(await bench.phones.scan(bench.ref(phone), input)).toMatchObject({ ok: false, error: { word } })
  expect(bench.stateOf(phone.id).screen).toMatchObject({ kind: 'problem', word })
  expect(bench.facts.at(-1)).toMatchObject({ change: 'problem', phone_id: phone.id })
})

it('a phone’s life renames it and changes how it behaves', async () => {
  const phone = await bench.make()
  const patched = await bench.phones.patch(bench.ref(phone), { name: 'Work phone', behaviour: { answer: 'ignore' } })
  expect(patched).toMatchObject(shows({ name: 'Work phone', behaviour: { answer: 'ignore' } }))
  expect(await bench.phones.patch(bench.ref(phone), { model: 'brick' })).toMatchObject(refusedAs('unknown_model'))
  expect(bench.stateOf(phone.id).name).toBe('Work phone')
})

it('a phone’s life signs out and in again with its secret and its chip', async () => {
  const phone = await bench.make()
  await bench.register(phone, 'chip')
  expect(await bench.phones.signOut(bench.ref(phone))).toMatchObject(
    shows({ signed_in: false, inbox: 'closed', credentials: [{ storage: 'chip' }] }),
  )
  expect(await bench.service.devices()).toEqual([])
  expect(await bench.scan(phone, await bench.service.authentication())).toMatchObject(refusedAs('signed_out'))
  expect(await bench.phones.signIn(bench.ref(phone))).toMatchObject(shows({ signed_in: true, inbox: 'open' }))
  expect(await bench.phones.signIn(bench.ref(phone))).toMatchObject(refusedAs('already_signed_in'))
  const message = await bench.service.authentication()
  await bench.phones.patch(bench.ref(phone), { behaviour: { answer: 'approve' } })
  await bench.scan(phone, message)
  expect(message.state).toBe('success')
})

it('a phone’s life that was wiped cannot come back to its account without the secret', async () => {
  const phone = await bench.make()
  await bench.phones.wipe(bench.ref(phone))
  expect(JSON.parse(bench.storage.phones('main')[0]?.json ?? '')).toMatchObject({ account: ALICE })
  expect(bench.storage.phones('main')[0]?.json).not.toContain('secret')
  expect(await bench.phones.signIn(bench.ref(phone))).toMatchObject(refusedAs('account_taken'))
  expect(bench.stateOf(phone.id).screen).toMatchObject({ kind: 'problem', word: 'account_taken' })
})

it('a phone’s life that was wiped comes back through a phone that has the secret', async () => {
  const phone = await bench.make()
  const other = await bench.phones.create('main', { name: 'Phone B', same_account_as: phone.id })
  await bench.phones.wipe(bench.ref(phone))
  const from = other.ok ? other.value.id : ''
  expect(await bench.phones.signIn({ ...bench.ref(phone), same_account_as: from })).toMatchObject(
    shows({ signed_in: true }),
  )
})

it.each(['patch', 'signIn', 'signOut', 'wipe', 'scan'] as const)('a lost phone does not %s', async (command) => {
  const phone = await bench.make()
  await bench.phones.lose(bench.ref(phone))
  const ref = bench.ref(phone)
  const { phones } = bench
  const commands = {
    patch: () => phones.patch(ref, { network: 'online' }),
    signIn: () => phones.signIn(ref),
    signOut: () => phones.signOut(ref),
    wipe: () => phones.wipe(ref),
    scan: () => bench.service.registration().then(({ url }) => phones.scan(ref, { url })),
  }
  expect(await commands[command]()).toMatchObject(refusedAs('lost'))
})

it('a phone’s life ends when it is removed', async () => {
  const phone = await bench.make()
  expect(await bench.phones.remove(bench.ref(phone))).toEqual({ ok: true, value: undefined })
  expect(bench.phones.list('main')).toEqual([])
  expect(bench.storage.phones('main')).toEqual([])
  expect(await bench.service.devices()).toEqual([])
  expect(bench.facts.at(-1)).toMatchObject({ change: 'removed', phone_id: phone.id })
  expect(await bench.phones.goHome(bench.ref(phone))).toMatchObject(refusedAs('no_such_phone'))
})

it.each(['remove', 'lose'] as const)('a phone that is offline ends for the service too by %s', async (command) => {
  const phone = await bench.make()
  await bench.phones.patch(bench.ref(phone), { network: 'offline' })
  expect(await bench.phones[command](bench.ref(phone))).toMatchObject({ ok: true })
  expect(await bench.service.devices()).toEqual([])
})

it('a phone’s life notices when the service does not know it any more', async () => {
  const phone = await bench.make()
  bench.service.hinder(/bind$/, saying(401, '{"code":40110,"data":{},"error":"No."}'))
  expect(await bench.scan(phone, await bench.service.registration())).toMatchObject(refusedAs('signed_out'))
  expect(bench.stateOf(phone.id)).toMatchObject({ signed_in: false, screen: { kind: 'problem', word: 'signed_out' } })
  expect(await bench.phones.signIn(bench.ref(phone))).toMatchObject(shows({ signed_in: true }))
})

it('a phone without a network does not scan, and is told so', async () => {
  const phone = await bench.make()
  await bench.phones.patch(bench.ref(phone), { network: 'offline' })
  expect(bench.stateOf(phone.id)).toMatchObject({ network: 'offline', inbox: 'closed' })
  expect(await bench.scan(phone, await bench.service.registration())).toMatchObject(refusedAs('offline'))
})

it('a phone without a network gets what it missed once it is back', async () => {
  const phone = await bench.make()
  await bench.register(phone, 'chip')
  const seen = await bench.pushTo(phone)
  await bench.phones.patch(bench.ref(phone), { network: 'offline' })
  const missed = await bench.service.authentication('push')
  await bench.phones.patch(bench.ref(phone), { network: 'online' })
  const state = await bench.until(phone, ({ notifications }) => notifications.length === 2)
  expect(state.notifications.map(({ msg_id }) => msg_id)).toEqual([missed.id, seen.id])
})

it('restarting goes on where it was: signed in, with its chip, its prompt and its push', async () => {
  const phone = await bench.make({ storage: 'chip' })
  await bench.register(phone, 'chip')
  await bench.pushTo(phone)
  await bench.scanned(phone, 'authentication')
  const before = bench.stateOf(phone.id)
  const again = await bench.restart()
  const after = again.get(bench.ref(phone))
  expect(after).toEqual({ ...before, inbox: 'open' })
  const approved = await again.approve({ ...bench.ref(phone), prompt: before.prompts[0]?.id ?? '' })
  expect(approved).toMatchObject(shows({ screen: { kind: 'success' } }))
})

it('restarting answers after a restart what was to be answered later', async () => {
  const phone = await bench.make({ behaviour: { answer: 'approve', delay_ms: 60_000 } })
  const message = await bench.scanned(phone, 'registration')
  const again = await bench.restart()
  await bench.clock.advance(60_000)
  await again.idle('main')
  expect(message.state).toBe('success')
})

it('a snapshot brings phones, chips and prompts back, and takes later phones away', async () => {
  const phone = await bench.make({ storage: 'chip' })
  await bench.register(phone, 'chip')
  await bench.scanned(phone, 'authentication')
  const kept = JSON.parse(JSON.stringify(await bench.phones.snapshot('main')))
  const before = bench.stateOf(phone.id)

  const later = await bench.make({ name: 'Later', account: { name: 'Bob', phone: '13900001111' } })
  await bench.phones.reject({ ...bench.ref(phone), prompt: before.prompts[0]?.id ?? '' })
  const [held] = bench.stateOf(phone.id).credentials
  await bench.phones.forgetCredential({ ...bench.ref(phone), credential_id: held?.id ?? '' })
  bench.facts.length = 0
  await replacePhones(bench.phones, kept)

  expect(bench.phones.list('main')).toEqual([{ ...before, inbox: 'open' }])
  expect(bench.facts).toContainEqual(expect.objectContaining({ change: 'removed', phone_id: later.id }))
  expect(bench.facts).toContainEqual(expect.objectContaining({ change: 'changed', phone_id: phone.id }))
})

it('a snapshot is restored without a word from phones that sleep while the service goes back', async () => {
  const phone = await bench.make()
  const kept = await bench.phones.snapshot('main')
  const { snapshots } = bench.running.admin
  const { id } = taken(await snapshots.create('main', { name: 'service' }))
  await bench.phones.signOut(bench.ref(phone))
  await bench.phones.signIn(bench.ref(phone))
  bench.facts.length = 0
  await bench.phones.sleep('main')
  taken(await snapshots.restore('main', id))
  expect(bench.facts).toEqual([])
  await replacePhones(bench.phones, kept)
  expect(bench.phones.list('main')).toMatchObject([{ id: phone.id, device_id: phone.device_id, inbox: 'open' }])
  expect(bench.facts.map(({ change }) => change)).not.toContain('problem')
})

it('a snapshot of one workspace leaves others alone, and forgetting one too', async () => {
  const phone = await bench.make()
  const kept = await bench.phones.snapshot('main')
  const other = await bench.phones.create('other', { name: 'Other', account: { name: 'Bob', phone: '13900001111' } })
  await replacePhones(bench.phones, kept)
  expect(bench.phones.list('other').map(({ id }) => id)).toEqual([other.ok ? other.value.id : ''])
  await bench.phones.forget('other')
  expect(bench.phones.list('other')).toEqual([])
  expect(bench.phones.list('main').map(({ id }) => id)).toEqual([phone.id])
})
