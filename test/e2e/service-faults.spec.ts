import { expect, test } from './support/bench.ts'

test('a fault of the service is armed for one user, strikes once, and is gone', async ({ open, bench }) => {
  const { control } = bench
  const desk = await open()
  await desk.console.open()
  const panel = desk.page.getByRole('region', { name: 'Service faults' })
  await panel.getByRole('button', { name: 'Arm a fault' }).click()
  await panel.getByRole('searchbox').fill('status unknown')
  await panel.getByRole('textbox', { name: 'Only for this user ID' }).fill('alice')
  await panel.getByRole('button', { name: /status-unknown/ }).click()
  const armed = panel.getByRole('list', { name: 'Armed faults of the service' })
  await expect(armed.getByRole('listitem')).toHaveText('status-unknownnext answer only, alice')

  const [rp] = (await control.call('rps.list')).rps
  const params = { rp: rp?.id ?? '' }
  const user = { user_id: 'alice', username: 'alice', poll: false }
  const { msg_id } = await control.call('simulator.register', { params, body: user })
  await control.call('simulator.poll', { params: { ...params, msg_id } })
  await expect(armed.getByRole('listitem')).toHaveCount(0)
  await panel.getByRole('button', { name: 'Arm a fault' }).click()
  await panel.getByRole('searchbox').press('Escape')
  await expect(panel).toContainText('The service answers RPs as it should.')
})
