import { expect, test } from './support/bench.ts'
import { openFault } from './support/pages/console.ts'

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

test('a refused answer of a phone is no green row, and the group says why it failed @long', async ({ open, bench }) => {
  await bench.registered('challenge-wrong')
  const desk = await open()
  const alice = desk.phone('Alice')
  await expect(alice.root).toContainText('1 fault')
  await desk.rp.signInByCode()
  await alice.scan()
  // Taken by the open request, it has not struck yet.
  await expect(alice.sensor).toBeVisible()
  await expect(alice.root).toContainText('1 fault')
  await expect(desk.statusBar).toContainText('1 fault armed')
  await alice.touch()
  await expect(desk.statusBar).toContainText('No faults')
  const group = desk.timeline.group('Sign in alice by QR code')
  await expect(group).toContainText('challenge_mismatch')
  const answer = group.getByRole('button', { name: /^Signs challenge/ })
  await expect(answer.locator('[data-refused]')).toHaveText('refused')
  await expect(answer).toHaveAttribute('data-struck', 'true')
  await expect(answer).toContainText('challenge-wrong')
})
