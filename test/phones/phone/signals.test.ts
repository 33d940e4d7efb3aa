import { describe, expect, it } from 'vitest'
import type { PhoneState } from '../../../src-main/phones/phone/phone-state.ts'
import { foldTimeline } from '../../../src-main/views/timeline/event-views.ts'
import { newTimeline } from '../../../src-main/views/timeline/timeline.ts'
import { bench, type Hinder, phoneBenchEachTest, shows } from '../../support/phone-bench.ts'
import { taken } from '../../support/taken.ts'

phoneBenchEachTest()

const remove = async (id: string) => taken(await bench.running.admin.credentials.delete('main', id))
const undelete = async (id: string) => taken(await bench.running.admin.credentials.undelete('main', id))
const removed = ({ id }: PhoneState) => bench.stateOf(id).credentials.map(({ removed_by: by }) => by)
const hides = (phone: PhoneState, by: string | undefined) =>
  bench.until(phone, ({ credentials }) => credentials[0]?.removed_by === by)

describe.each(['chip', 'cloud'] as const)('a passkey in the %s', (storage) => {
  it('that was deleted at the RP is kept but not offered, and offered again once it is restored', async () => {
    const phone = await bench.make()
    const id = await bench.register(phone, storage)
    const [before, after] = [await bench.service.authentication(), await bench.service.authentication()]
    await remove(id)
    await hides(phone, 'Shop')
    await bench.scan(phone, before)
    expect(before.error).toBe('no_matching_credential')
    await undelete(id)
    await hides(phone, undefined)
    await bench.scan(phone, after)
    expect(bench.stateOf(phone.id).screen).toMatchObject({ kind: 'request', prompt: { credentials: [{ id }] } })
  })

  it('that was deleted while the phone was off is hidden when it is back, also after a restart', async () => {
    const phone = await bench.make()
    const [first, second] = [await bench.register(phone, storage), await bench.register(phone, storage)]
    await bench.phones.patch(bench.ref(phone), { network: 'offline' })
    await remove(first)
    await bench.phones.patch(bench.ref(phone), { network: 'online' })
    await hides(phone, 'Shop')
    await bench.restart()
    expect(removed(phone)).toEqual(['Shop', undefined])
    await bench.phones.close()
    await undelete(first)
    await remove(second)
    await bench.restart()
    await hides(phone, undefined)
    expect(removed(phone)).toEqual([undefined, 'Shop'])
  })

  it('shows what its user is called since a later registration on another phone', async () => {
    const phone = await bench.make()
    const other = await bench.make({ name: 'Phone B', account: { name: 'Bob', phone: '13900000000' } })
    const [first, stranger] = [await bench.register(phone, storage), await bench.register(phone, storage)]
    await bench.register(other, 'chip', { username: 'alice.li', display_name: 'Alice Li' }, 1)
    await bench.until(phone, ({ credentials }) => credentials.some(({ username }) => username === 'alice.li'))
    expect(bench.stateOf(phone.id).credentials).toMatchObject([
      { id: first, username: 'alice.li' },
      { id: stranger, username: 'alice' },
    ])
    await bench.restart()
    expect(bench.stateOf(phone.id).credentials).toMatchObject([{ username: 'alice.li' }, { username: 'alice' }])
  })
})

/** What phones reported of signals that they did not obey. */
const disobeyed = () => bench.facts.flatMap(({ signal }) => signal ?? [])

/** The next inboxes have these instead of the service's, after what is no signal. */
const sendInstead = (signals: readonly unknown[]): void => {
  const lines = ['{', ...signals.map((each) => JSON.stringify(each))].map((data) => `event: signal\ndata: ${data}\n\n`)
  const send: Hinder = (_, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' })
    res.write(`event: news\ndata: {}\n\n${lines.join('')}`)
    return 'answered'
  }
  bench.service.hinder(/^\/inbox$/, send, bench.service.inboxes.size)
  bench.service.cutInboxes()
}

describe.each([
  ['signal-ignored', 'ignored', 'ignored'],
  ['signal-of-another', 'another_rp', 'not_held'],
])('%s', (fault, outcome, ofList) => {
  it(`leaves a deleted passkey on the phone once, and the timeline says: ${outcome}`, async () => {
    const phone = await bench.make()
    const [first, second] = [await bench.register(phone, 'chip'), await bench.register(phone, 'chip')]
    const armed = shows({ strikes: { ceremony: 'none', begun: [] } })
    expect(await bench.phones.arm(bench.ref(phone), { fault })).toMatchObject(armed)
    await remove(first)
    await bench.until(phone, ({ faults }) => faults.length === 0)
    expect(disobeyed()).toEqual([{ name: 'unknownCredential', outcome, faults: [fault] }])
    await remove(second)
    await bench.until(phone, ({ credentials }) => credentials[1]?.removed_by === 'Shop')
    expect(removed(phone)).toEqual([undefined, 'Shop'])
    const { groups } = bench.running.events('phone').reduce(foldTimeline, newTimeline())
    expect([...(groups.at(0)?.rows ?? [])]).toMatchObject([{ route: `signal ${outcome}`, struck: [fault] }])
  })

  it('strikes lists and names too, and no message', async () => {
    const phone = await bench.make({ behaviour: { answer: 'approve' } })
    await bench.scanned(phone, 'registration')
    const [{ id = '' } = {}] = bench.stateOf(phone.id).credentials
    await bench.phones.patch(bench.ref(phone), { network: 'offline' })
    await remove(id)
    await bench.phones.arm(bench.ref(phone), { fault, times: 3 })
    await bench.phones.patch(bench.ref(phone), { network: 'online' })
    await bench.until(phone, ({ faults }) => faults[0]?.left === 2)
    expect(removed(phone)).toEqual([undefined])
    await undelete(id)
    await bench.until(phone, ({ faults }) => faults[0]?.left === 1)
    await bench.scanned(phone, 'authentication')
    const other = await bench.make({ name: 'Phone B', account: { name: 'Bob', phone: '13900000000' } })
    await bench.register(other, 'chip', { username: 'alice.li', display_name: 'Alice Li' }, 1)
    await bench.until(phone, ({ faults }) => faults.length === 0)
    expect(bench.stateOf(phone.id).credentials).toMatchObject([{ username: 'alice' }])
    expect(disobeyed().map((signal) => signal.outcome)).toEqual([ofList, outcome, outcome])
  })
})

it('[judge.signals] a signal about another RP, another user or nothing at all changes no passkey', async () => {
  const phone = await bench.make()
  const [one, two] = [await bench.register(phone, 'chip'), await bench.register(phone, 'chip')]
  const names = { rpId: 'shop.example', rpName: 'Shop' }
  const unknown = { signal: 'unknownCredential', ...names }
  const signals = [
    { ...unknown, rpId: 'other.example', credentialId: one },
    { ...unknown, credentialId: 'b3RoZXI' },
    { ...unknown, credentialId: 7 },
    {
      ...{ signal: 'allAcceptedCredentials', complete: false },
      users: [{ ...names, userId: 'c29tZWJvZHk', allAcceptedCredentialIds: [] }],
    },
    'no signal',
    { ...unknown, credentialId: two },
  ]
  sendInstead(signals)
  await bench.until(phone, ({ credentials }) => credentials[1]?.removed_by === 'Shop')
  expect(removed(phone)).toEqual([undefined, 'Shop'])
  expect(disobeyed()).toEqual([{ name: 'unknownCredential', outcome: 'another_rp', faults: [] }])
  // Hidden on the phone only: the service would accept it.
  const message = await bench.scanned(phone, 'authentication')
  expect(message.error).toBe('no_matching_credential')
})

it('a signal that comes while the phone asks does not stop the answer', async () => {
  const phone = await bench.make()
  const id = await bench.register(phone, 'chip')
  const message = await bench.scanned(phone, 'authentication')
  await remove(id)
  await hides(phone, 'Shop')
  await bench.phones.approve(bench.asked(phone))
  expect(message.error).toBe('credential_unknown')
})

it('a signal that comes too early is taken back once the service accepts the passkey', async () => {
  const phone = await bench.make()
  const id = await bench.register(phone, 'chip')
  const message = await bench.scanned(phone, 'authentication')
  const { store } = bench.running
  const [record] = await store.credentials.list('main')
  await remove(id)
  await hides(phone, 'Shop')
  // No signal tells of its return.
  if (record !== undefined) await store.credentials.insert('main', record)
  await bench.phones.approve(bench.asked(phone))
  expect(message.state).toBe('success')
  expect(removed(phone)).toEqual([undefined])
})

it('a signal does not hide a passkey in the chip that another account made', async () => {
  const other = await bench.make({ name: 'Phone B', account: { name: 'Bob', phone: '13900000000' } })
  const phone = await bench.make()
  const id = await bench.register(phone, 'chip')
  await bench.phones.signOut(bench.ref(phone))
  taken(await bench.phones.signIn({ ...bench.ref(phone), same_account_as: other.id }))
  const own = await bench.register(phone, 'chip')
  await remove(own)
  await bench.until(phone, ({ credentials }) => credentials[1]?.removed_by === 'Shop')
  expect(bench.stateOf(phone.id).credentials[0]).toMatchObject({ id })
  expect(removed(phone)[0]).toBeUndefined()
  sendInstead([{ signal: 'unknownCredential', rpId: 'shop.example', rpName: 'Shop', credentialId: id }])
  await expect.poll(disobeyed).toEqual([{ name: 'unknownCredential', outcome: 'another_account', faults: [] }])
  expect(removed(phone)[0]).toBeUndefined()
})
