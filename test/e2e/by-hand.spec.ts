import { en } from '../../src-main/messages/en/en.ts'
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
  await bench.register(await bench.addPhone())
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

test('a fault is armed and its reason read with the keyboard alone @long', async ({ open, page, bench }) => {
  await bench.register(await bench.addPhone())
  const desk = await open()
  await desk.console.open()
  await press(page, desk.console.place('Phones'))
  const { card } = desk.console.phone('Alice')
  await press(page, card.getByRole('button', { name: 'Arm a fault' }))
  const popover = page.getByRole('dialog', { name: /^Break something/ })
  await expect(popover.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('challenge-wrong')
  const found = popover.getByRole('button', { name: / challenge-wrong$/ })
  await found.waitFor()
  await page.keyboard.press('ArrowDown')
  await expect(found).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, popover.getByRole('form', { name: 'challenge-wrong' }).getByRole('button', { name: 'Arm it' }))
  await expect(desk.statusBar).toContainText('1 fault armed')
  await desk.console.close()

  const alice = desk.phone('Alice')
  await press(page, desk.rp.startAgain)
  await press(page, desk.rp.byCode)
  await desk.rp.signInCode.waitFor()
  await press(page, alice.camera)
  await press(page, alice.sensor)
  await expect(desk.rp.status).toContainText('challenge_mismatch')
  await press(page, desk.rp.why)
  await expect(desk.inspector.panel.getByText(en.failures.challenge_mismatch, { exact: true }).first()).toBeVisible()
  await expect(desk.inspector.chosen).toContainText(en.steps['7.2.11'])
})
