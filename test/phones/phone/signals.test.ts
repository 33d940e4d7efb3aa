import { describe, expect, it } from 'vitest'
import type { PhoneState } from '../../../src-main/phones/phone/phone-state.ts'
import { bench, phoneBenchEachTest } from '../../support/phone-bench.ts'
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

it('a signal about another RP, another user or nothing at all changes no passkey', async () => {
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
  bench.service.hinder(/^\/inbox$/, (_, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' })
    res.write(`event: news\ndata: {}\n\nevent: signal\ndata: {\n\n`)
    for (const each of signals) res.write(`event: signal\ndata: ${JSON.stringify(each)}\n\n`)
    return 'answered'
  })
  bench.service.cutInboxes()
  await bench.until(phone, ({ credentials }) => credentials[1]?.removed_by === 'Shop')
  expect(removed(phone)).toEqual([undefined, 'Shop'])
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
})
