import { en } from '../../src-main/core/messages/en/en.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { expect, test } from './support/bench.ts'
import { openDesk } from './support/pages/desk.ts'
import { codesOnScreen, registerByCamera } from './support/register-by-camera.ts'

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

test.describe('at 1440 by 900 with the inspector open', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('a phone registers from the pixels of the page, and keeps the passkey as chosen', async ({ open, bench }) => {
    const desk = await open()
    await desk.addFirstPhone.click()
    await desk.timeline.row('Phone signs in').click()
    const read = await registerByCamera(desk, { storage: 'Secure chip', addPhone: false, choiceInSight: true })
    const { url, state } = await bench.message()
    expect({ url, state }).toEqual({ url: read, state: 'success' })
    await expect(desk.rp.root.getByText('1 passkey')).toBeVisible()
    const { credentials } = await bench.control.call('credentials.list')
    expect(credentials.map(({ user_id, storage }) => ({ user_id, storage }))).toEqual([
      { user_id: 'alice', storage: 'chip' },
    ])
  })
})

test.describe('in the dark, with motion', () => {
  test.use({ colorScheme: 'dark', contextOptions: { reducedMotion: 'no-preference' } })

  test('the bench of the plain address works while everything moves @long', async ({ service, page }) => {
    await service.control.call('workspace.reset', { body: {} })
    const desk = await openDesk(page, await service.invite())
    await registerByCamera(desk)
  })
})

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
