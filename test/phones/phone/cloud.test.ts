import { expect, it } from 'vitest'
import { toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { type Account, vaultKey } from '../../../src-main/phones/phone/account-secret.ts'
import { decodeKept, unseal } from '../../../src-main/phones/phone/vault.ts'
import { bench, phoneBenchEachTest, refusedAs, saying, shows } from '../../support/phone-bench.ts'

phoneBenchEachTest()

const secondPhone = async (first: { readonly id: string }) => {
  const made = await bench.phones.create('main', {
    name: 'Phone B',
    same_account_as: first.id,
    behaviour: { answer: 'approve' },
  })
  if (!made.ok) throw new Error(made.error.word)
  return made.value
}

it('a credential in the cloud leaves the phone sealed only', async () => {
  const phone = await bench.make()
  const id = await bench.register(phone, 'cloud')
  const put = bench.service.calls.find(({ method }) => method === 'PUT')
  expect(put).toMatchObject({ target: `/vault/${id}`, status: 200 })
  const { sealed } = JSON.parse(put?.body ?? '') as { sealed: string }
  for (const word of ['shop.example', 'alice', 'privateKey', '"d"']) {
    expect(Buffer.from(sealed, 'base64url').includes(word)).toBe(false)
  }
  const { account } = JSON.parse(bench.storage.phones('main')[0]?.json ?? '') as { account: Account }
  const key = vaultKey(account)
  const { privateKey } = decodeKept(unseal({ key, credentialId: id }, sealed) ?? '').credential
  const sent = bench.service.calls.map(({ body }) => body).join('\n')
  for (const secret of [account.secret, toBase64url(key), 'd' in privateKey ? privateKey.d : '']) {
    expect(secret.length).toBeGreaterThan(20)
    const bytes = Buffer.from(secret, 'base64url')
    for (const form of ['base64url', 'base64', 'hex'] as const) expect(sent).not.toContain(bytes.toString(form))
  }
})

it('a credential in the cloud signs in on a second phone of the account at once, and outlives the one that made it', async () => {
  const first = await bench.make()
  const id = await bench.register(first, 'cloud')
  const second = await secondPhone(first)
  expect(second.credentials).toMatchObject([{ id, storage: 'cloud', name: 'Quiet Otter 42' }])
  expect(await bench.phones.lose(bench.ref(first))).toMatchObject(
    shows({ lost: true, signed_in: false, credentials: [], network: 'offline' }),
  )
  const message = await bench.scanned(second, 'authentication')
  expect(bench.stateOf(second.id).screen).toMatchObject({ kind: 'success', credential_id: id })
  expect(message.state).toBe('success')
})

it('a credential in the cloud that was made on one phone is found by another that was there before', async () => {
  const first = await bench.make()
  const second = await secondPhone(first)
  expect(second.credentials).toEqual([])
  await bench.register(first, 'cloud')
  const message = await bench.scanned(second, 'authentication')
  expect(message.state).toBe('success')
})

it('a credential in the cloud is nothing to a phone of another account', async () => {
  const first = await bench.make()
  await bench.register(first, 'cloud')
  const other = await bench.make({ name: 'Phone C', account: { name: 'Bob', phone: '13900001111' } })
  const message = await bench.scanned(other, 'authentication')
  expect(bench.stateOf(other.id).screen).toMatchObject({ kind: 'refused', word: 'no_matching_credential' })
  expect(message.error).toBe('no_matching_credential')
})

it('a credential in the cloud that is deleted on one phone is gone for the other', async () => {
  const first = await bench.make()
  const id = await bench.register(first, 'cloud')
  const second = await secondPhone(first)
  await bench.phones.forgetCredential({ ...bench.ref(first), credential_id: id })
  expect(await bench.service.vault()).toHaveLength(0)
  expect(bench.stateOf(second.id).credentials).toHaveLength(1)
  expect(await bench.phones.sync(bench.ref(second))).toMatchObject(shows({ credentials: [] }))
  expect(await bench.phones.forgetCredential({ ...bench.ref(second), credential_id: id })).toMatchObject(
    refusedAs('no_such_credential'),
  )
})

it('a credential in the cloud that was changed in the vault is refused as unreadable', async () => {
  const first = await bench.make()
  const id = await bench.register(first, 'cloud')
  const changed = (answer: string): string =>
    answer.replace(/"etag":"/g, '"etag":"x').replace(/"sealed":"....../g, '"sealed":"AAAAAA')
  bench.service.hinder(/^\/vault/, () => changed, 9)
  const scanned = await bench.scan(first, await bench.service.authentication())
  expect(scanned).toMatchObject(refusedAs('vault_unreadable'))
  expect(bench.stateOf(first.id)).toMatchObject({ screen: { kind: 'problem', word: 'vault_unreadable' } })
  expect(bench.stateOf(first.id).credentials).toMatchObject([{ id }])
})

it('a credential in the cloud is not registered when it cannot be put there; approving again tries again', async () => {
  const phone = await bench.make()
  bench.service.hinder(/^\/vault\//, saying(503, '{"code":50301,"data":{},"error":"Told to."}'))
  const message = await bench.scanned(phone, 'registration')
  const failed = await bench.phones.approve(bench.asked(phone), { storage: 'cloud' })
  expect(failed).toMatchObject({ ok: false, error: { word: 'service_refused', code: 50301 } })
  expect(message.state).toBe('bind')
  const approved = await bench.phones.approve(bench.asked(phone), { storage: 'cloud' })
  expect(approved).toMatchObject(shows({ screen: { kind: 'success' } }))
  expect(await bench.service.vault()).toHaveLength(1)
})

it('a credential in the chip is unknown to a second phone of the account', async () => {
  const first = await bench.make()
  await bench.register(first, 'chip')
  expect(await bench.service.vault()).toHaveLength(0)
  const second = await secondPhone(first)
  const message = await bench.scanned(second, 'authentication')
  expect(bench.stateOf(second.id).screen).toMatchObject({ kind: 'refused', word: 'no_matching_credential' })
  expect(message.error).toBe('no_matching_credential')
})

it('a credential in the chip is gone for good when its phone is wiped, while the cloud’s can be had again', async () => {
  const first = await bench.make({ behaviour: { answer: 'approve' } })
  const second = await secondPhone(first)
  await bench.phones.patch(bench.ref(first), { behaviour: { answer: 'ask' } })
  const inCloud = await bench.register(first, 'cloud')
  await bench.clock.advance(1000)
  const inChip = await bench.register(first, 'chip')
  // The oldest first, wherever it is.
  expect(bench.stateOf(first.id).credentials.map(({ id }) => id)).toEqual([inCloud, inChip])
  expect(await bench.phones.wipe(bench.ref(first))).toMatchObject(shows({ credentials: [], signed_in: false }))
  const third = await bench.phones.create('main', { name: 'Phone C', same_account_as: second.id })
  expect(third).toMatchObject(shows({ credentials: [{ id: inCloud, storage: 'cloud' }] }))
})

it('a credential in the chip counts its signatures', async () => {
  const phone = await bench.make({ model: 'granite-one', behaviour: { answer: 'approve' } })
  await bench.scan(phone, await bench.service.registration())
  for (const count of [1, 2, 3]) {
    await bench.scan(phone, await bench.service.authentication())
    const [kept] = bench.storage.chip({ workspace: 'main', phoneId: phone.id })
    expect(JSON.parse(kept?.json ?? '')).toMatchObject({ credential: { signCount: count } })
  }
})

it('registering again is declined by a phone that holds an excluded credential', async () => {
  const phone = await bench.make({ behaviour: { answer: 'approve', storage: 'chip' } })
  await bench.scan(phone, await bench.service.registration())
  const [held] = bench.stateOf(phone.id).credentials
  const again = await bench.service.registration()
  const excludeCredentials = [{ type: 'public-key', id: held?.id }]
  bench.service.hinder(
    /bind$/,
    () => (answer) => answer.replace('"excludeCredentials":[]', JSON.stringify({ excludeCredentials }).slice(1, -1)),
  )
  const scanned = await bench.scan(phone, again)
  expect(scanned).toMatchObject(shows({ screen: { kind: 'refused', word: 'already_registered' } }))
  expect(again.error).toBe('already_registered')
  expect(bench.stateOf(phone.id).credentials).toHaveLength(1)
})

it('registering again leaves nothing on the phone or in the cloud when the service does not accept it', async () => {
  const phone = await bench.make({ behaviour: { answer: 'approve' } })
  for (const storage of ['chip', 'cloud'] as const) {
    await bench.phones.patch(bench.ref(phone), { storage })
    bench.service.hinder(/bind$/, () => (answer) => answer.replace('https://shop', 'https://other.shop'))
    const scanned = await bench.scan(phone, await bench.service.registration())
    expect(scanned).toMatchObject(shows({ screen: { kind: 'refused', word: 'origin_mismatch' } }))
    expect(bench.stateOf(phone.id).credentials).toEqual([])
  }
  expect(await bench.service.vault()).toHaveLength(0)
})
