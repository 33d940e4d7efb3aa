import { expect, test } from './support/bench.ts'

test('a passkey deleted on the RP’s page is gone, also for the phone, and there again after Undo', async ({
  open,
  bench,
}) => {
  await bench.registered()
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.startAgain.click()
  await desk.rp.passkeys('1 passkey').click()
  await expect(desk.rp.heading).toHaveText('Your passkeys')
  const { root } = desk.rp
  await root.getByRole('button', { name: /^Delete / }).click()
  await expect(root.getByText('There is none.')).toBeVisible()
  await expect.poll(async () => (await bench.control.call('credentials.list')).credentials).toEqual([])
  await expect(alice.screen).toContainText('Removed by Demo RP')
  await desk.page.getByRole('button', { name: 'Undo' }).click()
  await expect(root.getByRole('listitem')).toHaveCount(1)
  await expect(alice.screen).not.toContainText('Removed by')
  await expect(desk.rp.passkeys('1 passkey')).toBeVisible()
  await root.getByRole('button', { name: 'Back' }).click()
  await desk.rp.signInByCode()
})

test('an access key deleted in the console is gone when one leaves at once @long', async ({ open, page, bench }) => {
  const desk = await open()
  await desk.console.open()
  const params = { rp: bench.rp.id }
  const listed = async () => (await bench.control.call('keys.list', { params })).keys
  const [key] = await listed()
  await desk.console.keys.getByRole('button', { name: `Delete ${key?.id}` }).click()
  await expect(desk.console.keys).toContainText('No key.')
  await page.goto('about:blank')
  await expect.poll(listed).toEqual([])
  await bench.control.call('keys.undelete', { params: { ...params, key: key?.id ?? '' }, body: {} })
  await expect.poll(listed).toMatchObject([{ id: key?.id, state: 'active' }])
})

test('deletions are undone with the keyboard, everywhere, the latest first @long', async ({ open, page, bench }) => {
  await bench.registered()
  const snapshot = await bench.control.call('snapshots.create', { body: { name: 'Before' } })
  const desk = await open()
  await desk.console.open()
  const passkeys = desk.console.root.getByRole('region', { name: 'Passkeys' })
  const deletePasskey = passkeys.getByRole('button', { name: /^Delete / })
  await deletePasskey.press('Enter')
  await expect(passkeys).toContainText('Nobody has registered yet.')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(passkeys.getByRole('row')).toHaveCount(2)
  await expect(passkeys).toBeFocused()

  await desk.console.root.getByRole('button', { name: `Delete ${snapshot.name}` }).click()
  const note = page.getByText('Before is deleted.')
  await expect(note).toBeVisible()
  await deletePasskey.click()
  await expect(page.getByText('1 more before it.')).toBeVisible()
  await desk.console.place('Phones').click()
  await page.keyboard.press('Control+z')
  await expect(note).toBeVisible()
  await expect.poll(async () => (await bench.control.call('credentials.list')).credentials).toHaveLength(1)
  await expect.poll(async () => (await bench.control.call('snapshots.list')).snapshots).toEqual([])
  await page.keyboard.press('Control+z')
  await expect(note).toHaveCount(0)
  await expect.poll(async () => (await bench.control.call('snapshots.list')).snapshots).toHaveLength(1)
  await expect(page.locator('body')).not.toBeFocused()
})
