import { expect, test } from './support/bench.ts'

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
