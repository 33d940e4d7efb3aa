import { expect, test } from './support/bench.ts'
import { openDesk } from './support/pages/desk.ts'
import { registerByCamera } from './support/register-by-camera.ts'

test('a phone registers by reading the code from the pixels of the page', async ({ open, bench }) => {
  const desk = await open()
  const read = await registerByCamera(desk)
  const { url, state } = await bench.message()
  expect({ url, state }).toEqual({ url: read, state: 'success' })
  await expect(desk.rp.root.getByText('1 passkey')).toBeVisible()
})

test.describe('at 1440 by 900 with the inspector open', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('a passkey goes where the person at the phone wants it, and the whole choice is in sight', async ({
    open,
    bench,
  }) => {
    const desk = await open()
    await desk.addFirstPhone.click()
    await desk.timeline.row('Phone signs in').click()
    await registerByCamera(desk, { storage: 'Secure chip', addPhone: false, choiceInSight: true })
    const { credentials } = await bench.control.call('credentials.list')
    expect(credentials.map(({ user_id, storage }) => ({ user_id, storage }))).toEqual([
      { user_id: 'alice', storage: 'chip' },
    ])
  })
})

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('the bench of the plain address works while everything moves', async ({ service, page }) => {
    const desk = await openDesk(page, await service.invite())
    await registerByCamera(desk)
  })
})
