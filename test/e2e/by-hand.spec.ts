import { expect, test } from './support/bench.ts'
import { press } from './support/hands.ts'

test('an access key is rotated with the keyboard alone, without a gap @long', async ({ open, page, bench }) => {
  const desk = await open()
  const [old = ''] = (await bench.control.call('keys.list', { params: { rp: bench.rp.id } })).keys.map(({ id }) => id)
  const { secret } = await bench.control.call('keys.reveal', { params: { rp: bench.rp.id, key: old }, body: {} })
  const before = bench.rpWith({ accessKeyId: old, secretKey: secret })
  await desk.console.open()
  const { keys, shownKey } = desk.console
  const shown = shownKey.getByRole('code')
  await press(page, keys.getByRole('button', { name: 'New key' }))
  const [accessKeyId, secretKey] = [await shown.first().innerText(), await shown.nth(1).innerText()]
  const after = bench.rpWith({ accessKeyId, secretKey })
  await expect(before.credentials('alice')).resolves.toMatchObject({ ok: true })
  await expect(after.credentials('alice')).resolves.toMatchObject({ ok: true })

  await press(page, keys.getByRole('switch', { name: `${old} is active` }))
  await expect(keys.getByRole('row').filter({ hasText: old })).toContainText('Disabled')
  await expect(before.credentials('alice')).resolves.toMatchObject({ ok: false, error: { code: 40103 } })
  await expect(after.credentials('alice')).resolves.toMatchObject({ ok: true })
  before.close()
  after.close()
})

test('a snapshot is taken with the keyboard alone, and undoes later deletions @long', async ({ open, page, bench }) => {
  await bench.registered()
  const desk = await open()
  await desk.console.open()
  const snapshots = desk.console.root.getByRole('region', { name: 'Snapshots' })
  await press(page, snapshots.getByRole('button', { name: 'Take one' }))
  await page.keyboard.type('one passkey')
  await press(page, snapshots.getByRole('button', { name: 'Keep' }))
  const restore = snapshots.getByRole('button', { name: 'Restore one passkey' })
  await expect(restore).toBeVisible()

  const passkeys = desk.console.root.getByRole('region', { name: 'Passkeys' })
  const [kept] = (await bench.control.call('credentials.list')).credentials
  await bench.control.call('credentials.delete', { params: { id: kept?.id ?? '' } })
  await expect(passkeys).toContainText('Nobody has registered yet.')
  await press(page, restore)
  await expect(passkeys.getByRole('row')).toHaveCount(2)
  await expect
    .poll(async () => (await bench.control.call('credentials.list')).credentials.map(({ id }) => id))
    .toEqual([kept?.id])
})
