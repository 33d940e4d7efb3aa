import { en } from '../../src-main/core/messages/en/en.ts'
import { expect, test } from './support/bench.ts'
import { press, reach } from './support/hands.ts'

test('a registration needs no mouse: Tab, Enter and arrow keys do', async ({ open, bench, page }) => {
  const desk = await open()
  const alice = desk.phone('Alice')
  await press(page, desk.addFirstPhone)
  await expect(alice.root).toBeVisible()
  await reach(page, desk.rp.username)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('bo')
  await page.keyboard.press('Enter')
  await expect(desk.rp.registrationCode).toBeVisible()
  await press(page, alice.camera)
  await expect(alice.heading).toHaveText('Register with Demo RP?')
  await reach(page, alice.storage('Cloud HSM'))
  await page.keyboard.press('ArrowRight')
  await expect(alice.storage('Secure chip')).toBeChecked()
  await press(page, alice.sensor)
  await expect(desk.rp.heading).toHaveText('Your phone is registered')
  const { credentials } = await bench.control.call('credentials.list')
  expect(credentials.map(({ user_id, storage }) => [user_id, storage])).toEqual([['bo', 'chip']])
})

test('shortcuts go to a phone, scan, touch and reject @long', async ({ open, bench, page }) => {
  await bench.registered()
  await bench.addPhone('Bo')
  const desk = await open()
  const [alice, bo] = [desk.phone('Alice'), desk.phone('Bo')]
  await press(page, desk.rp.startAgain)
  await press(page, desk.rp.byCode)
  await expect(desk.rp.signInCode).toBeVisible()

  await page.keyboard.press('Alt+1')
  await page.keyboard.press('s')
  await expect(alice.heading).toHaveText('Sign in to Demo RP?')
  await page.keyboard.press('Alt+2')
  await page.keyboard.press('s')
  await expect(bo.says).toHaveText(en.phoneProblems.bound_elsewhere)

  await page.keyboard.press('Alt+1')
  await page.keyboard.press('t')
  await expect(desk.rp.heading).toHaveText('Good to see you, alice')

  await press(page, desk.rp.startAgain)
  await press(page, desk.rp.byPush)
  await press(page, alice.push)
  await expect(alice.heading).toHaveText('Sign in to Demo RP?')
  await page.keyboard.press('r')
  await expect(desk.rp.status).toHaveText('user_rejected from Alice (138****5678)')
})

test('arrow keys walk the timeline, and letters in a field stay letters @long', async ({ open, bench, page }) => {
  await bench.registered()
  const desk = await open()
  await reach(page, desk.timeline.row('Read the result'))
  await page.keyboard.press('ArrowUp')
  await expect(desk.timeline.row('Registers passkey')).toBeFocused()
  await expect(desk.timeline.row('Registers passkey')).toHaveAttribute('aria-pressed', 'true')
  await expect(desk.inspector.root).toBeVisible()
  await page.keyboard.press('i')
  await expect(desk.inspector.root).toBeHidden()

  await page.keyboard.press('/')
  await expect(desk.timeline.filter).toBeFocused()
  await page.keyboard.type('strip i')
  await expect(desk.timeline.filter).toHaveValue('strip i')
  await expect(desk.inspector.root).toBeHidden()
  await expect(desk.timeline.root).toContainText('Nothing matches this filter.')
})

test('an access key is made and an old one disabled with the keyboard alone @long', async ({ open, page, bench }) => {
  const desk = await open()
  const listed = async () => (await bench.control.call('keys.list', { params: { rp: bench.rp.id } })).keys
  const [old] = await listed()
  await desk.console.open()
  const { keys } = desk.console
  await press(page, keys.getByRole('button', { name: 'New key' }))
  await expect.poll(listed).toHaveLength(2)
  await press(page, keys.getByRole('switch', { name: `${old?.id} is active` }))
  await expect(keys.getByRole('row').filter({ hasText: old?.id ?? '' })).toContainText('Disabled')
  const states = async () => (await listed()).map(({ id, state }) => [id === old?.id, state])
  await expect
    .poll(async () => (await states()).toSorted())
    .toEqual([
      [false, 'active'],
      [true, 'disabled'],
    ])
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

test('Escape closes the topmost thing first; copying says when it fails @long', async ({ open, bench }) => {
  await bench.registered()
  const desk = await open()
  const row = desk.timeline.row('Ask to register')
  await row.click()
  await expect(desk.inspector.root).toBeVisible()
  await desk.inspector.tab('Response').focus()
  await desk.page.keyboard.press('Control+k')
  await expect(desk.page.getByRole('dialog')).toBeVisible()
  await desk.page.keyboard.press('Escape')
  await expect(desk.page.getByRole('dialog')).toBeHidden()
  await expect(desk.inspector.root).toBeVisible()
  await desk.page.keyboard.press('Escape')
  await expect(desk.inspector.root).toBeHidden()
  await expect(row).toBeFocused()

  // As in a page that is neither from this machine nor over HTTPS.
  await desk.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await row.click()
  const copy = desk.inspector.root.locator('[data-do="copy-code"]')
  await copy.click()
  await expect(copy).toHaveAccessibleName('Copied')
  await desk.timeline.filter.focus()
  await desk.page.keyboard.press('Control+v')
  await expect(desk.timeline.filter).toHaveValue(/^# SECRET_KEY=.* curl .* -X POST/)
  await desk.timeline.filter.fill('')

  await desk.page.evaluate(() => {
    document.execCommand = () => false
  })
  await desk.timeline.row('Scanned').click()
  await copy.click()
  await expect(copy).toHaveAccessibleName(/^Could not copy/)
})

test('Escape closes a fault’s form, then the list; the focus stays with the phone @long', async ({ open, bench }) => {
  await bench.addPhone()
  const desk = await open()
  await desk.console.open()
  await desk.console.place('Phones').click()
  const form = await desk.console.phone('Alice').tune('challenge-wrong')
  await form.getByRole('radio').first().focus()
  await desk.page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  await desk.page.keyboard.press('Escape')
  const arm = desk.console.phone('Alice').card.getByRole('button', { name: 'Arm a fault' })
  await expect(desk.page.getByRole('dialog')).toBeHidden()
  await expect(arm).toBeFocused()
})

test('breaking something on a phone opens that phone’s faults, also among many @long', async ({ open, bench }) => {
  for (let n = 0; n < 8; n++) {
    const name = `Phone ${n}`
    await bench.control.call('phones.create', { body: { name, account: { name, phone: `1370000000${n}` } } })
  }
  const desk = await open()
  const last = desk.phone('Phone 7')
  await last.root.getByRole('button', { name: 'Settings of Phone 7’s phone' }).click()
  await last.root.getByRole('button', { name: 'Break something', exact: true }).click()
  const popover = desk.page.getByRole('dialog', { name: 'Break something on Phone 7’s phone' })
  await expect(popover.getByRole('searchbox')).toBeFocused()
  await expect(popover).toBeInViewport({ ratio: 1 })
})
