import { expect, test } from './support/bench.ts'
import { openDesk } from './support/pages/desk.ts'
import { registerByCamera } from './support/register-by-camera.ts'

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
