import { expect, test } from './support/bench.ts'
import { ALL_SIZES, expectFits, fitsAt, inTurn, SIZES } from './support/layout.ts'
import { registerByCamera } from './support/register-by-camera.ts'

for (const name of ALL_SIZES) {
  const { width, height } = SIZES[name]
  const zoomed = name.endsWith('%')
  test.describe(name, () => {
    test.use({ viewport: { width, height }, deviceScaleFactor: zoomed ? 2 : 1 })

    test('a person registers by camera and signs in by push with the inspector open @long', async ({ open, page }) => {
      const desk = await open()
      const { rp } = desk
      const alice = desk.phone('Alice')
      await registerByCamera(desk, { storage: 'Secure chip' })
      await alice.done.click()
      await rp.signInByPush()
      await alice.push.click()
      await expect(alice.heading).toHaveText('Sign in to Demo RP?')
      await expectFits(page, 'asked to sign in')
      if (zoomed) await desk.pane('Timeline').click()
      await desk.timeline.row('Registers passkey').click()
      if (zoomed) await desk.pane('Inspect').click()
      await desk.inspector.tab('Decoded').click()
      await expectFits(page, 'the inspector open')
      if (zoomed) await desk.pane('RP').click()
      for (const inSight of [alice.sensor, alice.reject, rp.step('bind')]) {
        await expect(inSight).toBeInViewport({ ratio: 1 })
      }
      await alice.touch()
      await expect(alice.heading).toHaveText('You’re signed in')
      await expect(rp.step('success')).toHaveAttribute('aria-current', 'step')
      await expectFits(page, 'signed in')
    })
  })
}

const NAMES = {
  'in Latin letters without a space': 'Bartholomew'.repeat(12).slice(0, 128),
  'in Chinese': '名字很长的人物与组织以及他们的手机'.repeat(8).slice(0, 128),
  'written from right to left': 'שםארוךמאוד'.repeat(13).slice(0, 128),
  'of emoji': '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(8).slice(0, 128),
} as const

for (const [kind, long] of Object.entries(NAMES)) {
  test(`names of 128 characters ${kind} stay in their place @long @nightly`, async ({ open, bench, page }) => {
    const { control } = bench
    await control.call('rps.patch', { params: { rp: bench.rp.id }, body: { name: long } })
    const phone = await control.call('phones.create', {
      body: { name: long.slice(0, 64), account: { name: long.slice(0, 64), phone: '13812345678' } },
    })
    const desk = await open()
    const look = fitsAt(page, inTurn(ALL_SIZES, []))
    const ask = { user_id: 'somebody', username: long, interval_ms: 200 }
    const params = { rp: bench.rp.id }
    const { url } = await control.call('simulator.register', { params, body: ask })
    await expect(desk.rp.registrationCode).toBeVisible()
    await look('a code')
    await control.call('phones.scan', { params: { id: phone.id }, body: { url } })
    const sensor = page.getByRole('button', { name: 'Touch to confirm' })
    await expect(sensor).toBeVisible()
    await look('a request')
    await expect(sensor).toBeInViewport({ ratio: 1 })
    await control.call('phones.approve', { params: { id: phone.id }, body: {} })
    await expect(desk.rp.heading).toHaveText('Your phone is registered')
    await look('registered')
    await control.call('phones.home', { params: { id: phone.id }, body: {} })
    await control.call('simulator.sign-in', { params, body: { ...ask, method: 'push' } })
    await expect(page.getByRole('button', { name: /^Open the request of / })).toBeVisible()
    await look('a push')
    await desk.timeline.row('Registers passkey').click()
    await desk.inspector.tab('Decoded').click()
    await look('the inspector')
    await desk.console.open()
    await expect(desk.console.keys.getByRole('row').nth(1)).toBeVisible()
    await look('the console, an RP')
    await desk.console.keys.getByRole('button', { name: 'New key' }).click()
    await expect(desk.console.shownKey).toBeVisible()
    await look('the console, a secret')
    await desk.console.place('Phones').click()
    await look('the console, phones')
  })
}
