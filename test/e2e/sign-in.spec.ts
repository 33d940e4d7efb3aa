import { expect, test } from './support/bench.ts'
import { codesOnScreen } from './support/register-by-camera.ts'

test('a registered user signs in by reading the code', async ({ open, bench }) => {
  await bench.registered()
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.signInByCode()
  await expect(desk.rp.signInCode).toBeVisible()
  await expect(desk.rp.status).toHaveText('Nobody has scanned yet')
  await expect.poll(() => codesOnScreen(desk)).toEqual([(await bench.message()).url])

  const sent = await alice.scan()
  expect(Object.keys(sent)).toEqual(['image'])
  await expect(alice.heading).toHaveText('Sign in to Demo RP?')
  await expect(desk.rp.status).toHaveText('Scanned by Alice (138****5678)')
  await alice.touch()
  await expect(desk.rp.heading).toHaveText('Good to see you, alice')
  await expect(alice.heading).toHaveText('You’re signed in')
  await expect(desk.rp.status).toHaveText('Confirmed by Alice (138****5678)')
})

test('a registered user signs in by a push, a request of its own beside the code', async ({ open, bench }) => {
  await bench.registered()
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.signInByCode()
  await expect(desk.rp.signInCode).toBeVisible()
  await desk.rp.byPush.click()
  await expect(desk.rp.heading).toHaveText('Look at your phone')
  await expect(desk.rp.signInCode).toBeHidden()
  await expect(desk.rp.status).toHaveText('Nobody has opened it yet')
  const { messages } = await bench.control.call('messages.list')
  expect(messages.map(({ kind, method }) => [kind, method])).toEqual([
    ['authentication', 'push'],
    ['authentication', 'qrcode'],
    ['registration', undefined],
  ])

  await alice.push.click()
  await expect(desk.rp.status).toHaveText('Opened by Alice (138****5678)')
  await alice.touch()
  await expect(desk.rp.heading).toHaveText('Good to see you, alice')
  await expect(alice.heading).toHaveText('You’re signed in')
  const { state, method } = await bench.message()
  expect({ state, method }).toEqual({ state: 'success', method: 'push' })
})

test('open settings of a phone give way to what it is asked @long', async ({ open, page, bench }) => {
  await bench.registered()
  const desk = await open()
  const alice = desk.phone('Alice')
  const settings = page.getByRole('button', { name: 'Settings of Alice’s phone' })
  await settings.click()
  await expect(settings).toHaveAttribute('aria-pressed', 'true')
  await desk.rp.signInByPush()
  await alice.push.click()
  await expect(alice.sensor).toBeVisible()
  await settings.click()
  await expect(alice.sensor).toBeHidden()
  await settings.click()
  await alice.touch()
  await expect(desk.rp.heading).toHaveText('Good to see you, alice')
})

test('a user without a passkey is asked to register, one with a passkey to sign in', async ({ open, bench }) => {
  const desk = await open()
  await expect(desk.rp.registerButton).toBeVisible()
  await expect(desk.rp.byCode).toBeHidden()
  await desk.rp.toSignIn.click()
  await expect(desk.rp.byCode).toBeVisible()
  await desk.rp.startAgain.click()
  await expect(desk.rp.registerButton).toBeVisible()

  await bench.registered()
  await desk.page.reload()
  await desk.rp.startAgain.click()
  await expect(desk.rp.byCode).toBeVisible()
  await expect(desk.rp.registerButton).toBeHidden()
  await desk.rp.toRegister.click()
  await expect(desk.rp.registerButton).toBeVisible()
})
