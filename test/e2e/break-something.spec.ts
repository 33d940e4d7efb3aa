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

test('a fault is armed for as many attempts as were asked for, and says how many are left', async ({ open, bench }) => {
  await bench.registered()
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.console.open()
  await desk.console.place('Phones').click()
  const { tune, card } = desk.console.phone('Alice')
  const form = await tune('challenge-wrong')
  await form.getByText('Several times', { exact: true }).click()
  await form.getByRole('textbox', { name: 'Times' }).fill('2')
  await form.getByRole('button', { name: 'Arm it' }).click()
  await expect(card).toContainText('challenge-wrongnext 2 attempts')
  await desk.console.close()

  await desk.rp.signInByCode()
  await alice.answer()
  await expect(desk.rp.status).toContainText('challenge_mismatch')
  await alice.root.getByRole('button', { name: 'Settings of Alice’s phone' }).click()
  const armed = alice.screen.getByRole('list', { name: 'Faults' })
  await expect(armed).toHaveText('challenge-wrongnext attempt only')
  await armed.getByRole('button', { name: 'Disarm challenge-wrong' }).click()
  await expect(armed).toBeHidden()
  await expect(desk.statusBar).toContainText('No faults')
})

test('a fault of the service is armed for one user, strikes once, and is gone', async ({ open, bench }) => {
  const { control } = bench
  const desk = await open()
  await desk.console.open()
  const panel = desk.page.getByRole('region', { name: 'Service faults' })
  await panel.getByRole('button', { name: 'Arm a fault' }).click()
  const form = await openFault(desk.page, 'status-unknown')
  await form.getByRole('textbox', { name: 'Only for this user ID' }).fill('alice')
  await form.getByRole('button', { name: 'Arm it' }).click()
  const armed = panel.getByRole('list', { name: 'Armed faults of the service' })
  await expect(armed.getByRole('listitem')).toHaveText('status-unknownnext answer only, alice')

  const [rp] = (await control.call('rps.list')).rps
  const params = { rp: rp?.id ?? '' }
  const user = { user_id: 'alice', username: 'alice', poll: false }
  const { msg_id } = await control.call('simulator.register', { params, body: user })
  await control.call('simulator.poll', { params: { ...params, msg_id } })
  await expect(armed.getByRole('listitem')).toHaveCount(0)
  await expect(panel).toContainText('The service answers RPs as it should.')
})

test('an armed service fault stands over the stage until it strikes or is disarmed @long', async ({ open, bench }) => {
  await bench.control.call('service.arm', { body: { fault: 'user-of-another' } })
  await bench.control.call('service.arm', { body: { fault: 'data-null', times: 3, scope: { user_id: 'alice' } } })
  const desk = await open()
  const strip = desk.page.getByRole('region', { name: 'Armed faults', exact: true })
  await expect(strip).toContainText('The service will lie once:')
  await expect(strip).toContainText('The service will lie 3 times:')
  await expect(strip).toContainText('alice')
  await expect(desk.statusBar).toContainText('2 faults armed')
  await strip.getByRole('button', { name: 'Disarm data-null' }).click()
  await expect(strip).not.toContainText('3 times')
  await expect(desk.statusBar).toContainText('1 fault armed')
})

test('the bank refuses a result for another user; the page shows sent beside honest @long', async ({ open, bench }) => {
  await bench.registered()
  await bench.control.call('service.arm', {
    body: { fault: 'user-of-another', parameters: { user_id: 'somebody-else' } },
  })
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.signInByCode()
  await alice.answer()
  await expect(desk.rp.heading).toHaveText('We could not sign you in')
  await expect(desk.rp.root).toContainText(
    'The answer was for somebody else: the service named somebody-else, and we asked for alice. Nobody is signed in.',
  )
  await expect(desk.statusBar).toContainText('No faults')
  const group = desk.timeline.group('Sign in alice by QR code')
  await expect(group).toContainText('The RP refused it')
  await expect(group.getByRole('button', { name: /Read the result, .*user-of-another/ })).toBeVisible()
  await desk.rp.root.getByRole('button', { name: 'Why?' }).click()
  await expect(desk.inspector.root).toContainText('user_id Sent somebody-else · honest alice')
  // A page that opens later shows the same.
  await desk.page.reload()
  await expect(group).toContainText('The RP refused it')
})

test('a careless bank shows another user’s account, and says in purple whose it is @long', async ({ open, bench }) => {
  await bench.registered()
  const desk = await open()
  const care = desk.rp.root.getByRole('switch', { name: 'Careful relying party' })
  await expect(care).toBeChecked()
  await care.press('Space')
  await expect(care).not.toBeChecked()
  await expect(care).toHaveText('Careless')
  await bench.control.call('service.arm', { body: { fault: 'user-of-another' } })
  await desk.rp.signInByCode()
  await desk.phone('Alice').answer()
  await expect(desk.rp.heading).toHaveText('Good to see you, somebody-else')
  await expect(desk.rp.status).toHaveText(/Shows the account of somebody-else, and alice was asked for/)
  const group = desk.timeline.group('Sign in alice by QR code')
  await expect(group).toContainText('The RP believed it')
  // The honest twin: the same bank shows who was asked for when nothing is armed.
  await desk.rp.root.getByRole('button', { name: 'Sign out' }).click()
  await desk.rp.signInByCode()
  await desk.phone('Alice').answer()
  await expect(desk.rp.heading).toHaveText('Good to see you, alice')
})
