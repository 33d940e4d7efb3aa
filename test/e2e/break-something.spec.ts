import { expect, test } from './support/bench.ts'
import { openFault } from './support/pages/console.ts'

test('a service fault is chosen on its lane; Try it now shows it on a careless bank @long', async ({ open, bench }) => {
  await bench.addPhone()
  const desk = await open()
  await desk.page.getByRole('button', { name: 'Break something on the service' }).click()
  const form = await openFault(desk.page, 'status-unknown')
  const popover = desk.page.getByRole('dialog')
  await expect(popover).toContainText('Your server should: refuse it')
  await expect(popover).toContainText('Seen with a careless bank')
  await form.getByRole('button', { name: 'Try it now' }).click()
  await expect(popover).toBeHidden()
  // It is registered first, and the bank becomes careless.
  await expect(desk.rp.heading).toHaveText('Good to see you, alice')
  await expect(desk.timeline.group('Sign in alice by QR code')).toContainText('The RP believed it')
  await expect(desk.rp.root.getByRole('switch', { name: 'Careful relying party' })).not.toBeChecked()
})

test('a phone’s fault is armed by keyboard alone; the strip disarms several @long', async ({ open, page, bench }) => {
  const { id } = await bench.addPhone()
  const desk = await open()
  await desk.page.getByRole('button', { name: 'Break something on Alice’s phone' }).press('Enter')
  const popover = page.getByRole('dialog')
  await expect(popover.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('phishing origin-wrong')
  await popover.getByRole('button', { name: / origin-wrong$/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const form = popover.getByRole('form', { name: 'origin-wrong' })
  await expect(popover).toContainText('origin_mismatch')
  await form.getByRole('radio', { name: 'Once' }).press('ArrowRight')
  await form.getByRole('radio', { name: 'Several times' }).press('ArrowRight')
  await expect(form.getByRole('radio', { name: 'Always' })).toBeChecked()
  await form.getByRole('button', { name: 'Arm it' }).press('Enter')
  await expect(popover).toBeHidden()
  await bench.control.call('service.arm', { body: { fault: 'user-of-another' } })
  const strip = page.getByRole('region', { name: 'Armed faults', exact: true })
  await expect(strip).toContainText('Alice’s phone always lies: The page belongs to somebody else: phishing')
  await expect(strip).toContainText('The service will lie once:')
  await expect(desk.statusBar).toContainText('2 faults armed')
  await strip.getByRole('button', { name: 'Disarm all 2' }).press('Enter')
  await expect(strip).toBeHidden()
  await expect.poll(async () => (await bench.control.call('phones.get', { params: { id } })).faults).toEqual([])
})

test('what else was armed is named where Try it now comes to nothing @long', async ({ open, page, bench }) => {
  await bench.addPhone()
  await bench.control.call('service.arm', { body: { fault: 'body-empty' } })
  const desk = await open()
  await page.getByRole('button', { name: 'Break something on the service' }).click()
  const popover = page.getByRole('dialog')
  await (await openFault(page, 'status-unknown')).getByRole('button', { name: 'Try it now' }).click()
  await expect(popover).toContainText('Armed besides, and struck perhaps: body-empty')
  await page.setViewportSize({ width: 390, height: 844 })
  await bench.control.call('service.arm', { body: { fault: 'body-empty' } })
  await expect(desk.page.getByRole('img', { name: 'Armed faults' })).toBeVisible()
})

test('favourites stand first, in this browser also after a reload @long', async ({ open, page, bench }) => {
  await bench.addPhone()
  const desk = await open()
  const lane = desk.page.getByRole('button', { name: 'Break something on the service' })
  await lane.click()
  await openFault(page, 'body-empty')
  await page.getByRole('button', { name: 'Keep body-empty as a favourite' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(lane).toBeFocused()
  await page.reload()
  await lane.click()
  const first = page.getByRole('dialog').getByRole('list').first()
  await expect(first).toHaveAccessibleName('Favourites')
  await expect(first).toContainText('body-empty')
})

test('the palette finds a fault by a synonym; Enter opens it where it strikes @long', async ({ open, page, bench }) => {
  await bench.addPhone()
  await open()
  for (const [words, fault] of [
    ['cancel fail-in-capitals', 'fail-in-capitals'],
    // Of a code, the nearest fault comes first by itself.
    ['40104', 'signature-tampered'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(words)
    await expect(page.getByRole('dialog').getByRole('option').first(), words).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('form', { name: fault }), words).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  }
})
