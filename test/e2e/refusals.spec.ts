import { en } from '../../src-main/messages/en/en.ts'
import { textOf } from '../../src-main/messages/text.ts'
import { expect, test } from './support/bench.ts'

test('a refusal on the phone is shown in the RP’s window with its reason', async ({ open, bench }) => {
  await bench.registered()
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.signInByCode()
  await alice.scan()
  await alice.reject.click()
  await expect(alice.heading).toHaveText('You said no')
  await expect(desk.rp.heading).toHaveText('We could not sign you in')
  await expect(desk.rp.root.getByText('The request was turned down on the phone.')).toBeVisible()
  await expect(desk.rp.status).toHaveText('user_rejected from Alice (138****5678)')
  await expect(desk.rp.step('fail')).toHaveAttribute('aria-current', 'step')
  await desk.rp.tryAgain.click()
  await expect(desk.rp.signInCode).toBeVisible()
})

test('a user without a passkey is told so and led to the registration @long', async ({ open, bench }) => {
  await bench.addPhone()
  const desk = await open()
  await desk.rp.username.fill('nobody')
  await desk.rp.toSignIn.click()
  await desk.rp.byCode.click()
  await expect(desk.rp.heading).toHaveText('We could not sign you in')
  await expect(desk.rp.status).toHaveText(/^40403 /)
  await desk.rp.root.getByRole('button', { name: 'Register now' }).click()
  await expect(desk.rp.registrationCode).toBeVisible()
  await expect.poll(async () => (await bench.message()).username).toBe('nobody')
})

test('an RP without an active key says so where it was asked, and what to do @long', async ({ open, bench }) => {
  const phone = await bench.addPhone()
  const desk = await open()
  await desk.rp.register()
  await bench.control.call('phones.scan', { params: { id: phone.id }, body: { url: (await bench.message()).url } })
  await bench.control.call('phones.reject', { params: { id: phone.id }, body: {} })
  // Its poll needs the key, too.
  await bench.control.call('events.wait', { body: { match: { kind: 'delivery' }, after: 0 } })
  const again = desk.rp.root.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  const { keys } = await bench.control.call('keys.list', { params: { rp: bench.rp.id } })
  const params = { rp: bench.rp.id, key: keys[0]?.id ?? '' }
  await bench.control.call('keys.patch', { params, body: { state: 'disabled' } })
  await again.click()
  await expect(desk.rp.root.getByRole('alert')).toContainText(textOf(en.reasons, { code: 'no_active_key' }))
})
