import type { Page } from '@playwright/test'
import { expect, test } from './support/bench.ts'

/** Of the page alone: the bench has its own. */
const MORNING = Date.UTC(2026, 4, 4, 9)
const LATER = MORNING + 3_600_000

/** What the page asks at this address is answered when the test says so. */
const held = async (page: Page, path: string) => {
  let letGo = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(`**${path}`, async (route) => {
    await released
    await route.continue()
  })
  return letGo
}

test('what takes a while shows a bar where it was asked for, then a sentence @long', async ({ open, bench, page }) => {
  await bench.addPhone()
  await page.clock.install({ time: MORNING })
  const desk = await open()
  const letGo = await held(page, '/register')
  await page.clock.pauseAt(LATER)
  const bar = desk.rp.root.getByRole('progressbar', { name: 'Waiting for the answer' })
  const sentence = desk.rp.root.getByText('Still waiting for the answer…')
  await desk.rp.registerButton.click()
  await expect(desk.rp.registerButton).toBeDisabled()
  await page.clock.runFor(299)
  await expect(bar).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(bar).toBeVisible()
  await expect(sentence).toHaveCount(0)
  await page.clock.runFor(1700)
  await expect(sentence).toBeVisible()
  letGo()
  await page.clock.resume()
  await expect(desk.rp.registrationCode).toBeVisible()
  await expect(bar).toHaveCount(0)
})

test('a phone that waits for the service says so, unless its screen does @long', async ({ open, bench, page }) => {
  const phone = await bench.addPhone()
  await bench.register(phone)
  await page.clock.install({ time: MORNING })
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.signInByPush()
  await expect(alice.push).toBeVisible()
  const letGo = await held(page, '/open')
  await page.clock.pauseAt(LATER)
  await alice.push.click()
  await page.clock.runFor(300)
  const bar = alice.root.getByRole('progressbar', { name: 'Waiting for the answer' })
  await expect(bar).toBeVisible()
  letGo()
  await page.clock.resume()
  await expect(alice.sensor).toBeVisible()
  await expect(bar).toHaveCount(0)
})

test('what the console asks for shows a bar under the title @long', async ({ open, bench, page }) => {
  await bench.addPhone()
  await page.clock.install({ time: MORNING })
  const desk = await open()
  await desk.console.open()
  await desk.console.place('Phones').click()
  const letGo = await held(page, '/sync')
  await page.clock.pauseAt(LATER)
  await desk.console.root.getByRole('button', { name: 'Sync from the cloud' }).click()
  await page.clock.runFor(300)
  const bar = page.getByRole('progressbar', { name: 'Waiting for the answer' })
  await expect(bar).toBeVisible()
  letGo()
  await page.clock.resume()
  await expect(bar).toHaveCount(0)
})
