import { en } from '../../src-main/messages/en/en.ts'
import { expect, test } from './support/bench.ts'
import { press, reach } from './support/hands.ts'

test('a registration needs no mouse: Tab, Enter and arrow keys do', async ({ open, bench, page }) => {
  const desk = await open()
  const alice = desk.phone('Alice')
  await press(page, desk.addFirstPhone)
  await expect(alice.root).toBeVisible()
  await reach(page, desk.rp.username)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('bo')
  await page.keyboard.press('Enter')
  await expect(desk.rp.registrationCode).toBeVisible()
  await press(page, alice.camera)
  await expect(alice.heading).toHaveText('Register with Demo RP?')
  await reach(page, alice.storage('Cloud HSM'))
  await page.keyboard.press('ArrowRight')
  await expect(alice.storage('Secure chip')).toBeChecked()
  await press(page, alice.sensor)
  await expect(desk.rp.heading).toHaveText('Your phone is registered')
  const { credentials } = await bench.control.call('credentials.list')
  expect(credentials.map(({ user_id, storage }) => [user_id, storage])).toEqual([['bo', 'chip']])
})

test('shortcuts go to a phone, scan, touch and reject @long', async ({ open, bench, page }) => {
  await bench.registered()
  await bench.addPhone('Bo')
  const desk = await open()
  const [alice, bo] = [desk.phone('Alice'), desk.phone('Bo')]
  await press(page, desk.rp.startAgain)
  await press(page, desk.rp.byCode)
  await expect(desk.rp.signInCode).toBeVisible()

  await page.keyboard.press('Alt+1')
  await page.keyboard.press('s')
  await expect(alice.heading).toHaveText('Sign in to Demo RP?')
  await page.keyboard.press('Alt+2')
  await page.keyboard.press('s')
  await expect(bo.says).toHaveText(en.phoneProblems.bound_elsewhere)

  await page.keyboard.press('Alt+1')
  await page.keyboard.press('t')
  await expect(desk.rp.heading).toHaveText('Good to see you, alice')

  await press(page, desk.rp.startAgain)
  await press(page, desk.rp.byPush)
  await press(page, alice.push)
  await expect(alice.heading).toHaveText('Sign in to Demo RP?')
  await page.keyboard.press('r')
  await expect(desk.rp.status).toHaveText('user_rejected from Alice (138****5678)')
})

test('arrow keys walk the timeline, and letters in a field stay letters @long', async ({ open, bench, page }) => {
  await bench.registered()
  const desk = await open()
  await reach(page, desk.timeline.row('Read the result'))
  await page.keyboard.press('ArrowUp')
  await expect(desk.timeline.row('Registers passkey')).toBeFocused()
  await expect(desk.timeline.row('Registers passkey')).toHaveAttribute('aria-pressed', 'true')
  await expect(desk.inspector.root).toBeVisible()
  await page.keyboard.press('i')
  await expect(desk.inspector.root).toBeHidden()

  await page.keyboard.press('/')
  await expect(desk.timeline.filter).toBeFocused()
  await page.keyboard.type('strip i')
  await expect(desk.timeline.filter).toHaveValue('strip i')
  await expect(desk.inspector.root).toBeHidden()
  await expect(desk.timeline.root).toContainText('Nothing matches this filter.')
})
