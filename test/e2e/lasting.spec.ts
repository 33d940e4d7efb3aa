import type { Page } from '@playwright/test'
import { expect, test } from './support/bench.ts'

/** Of the page alone: the bench has its own. */
const MORNING = Date.UTC(2026, 4, 4, 9)

/** A page whose clock stands, with the answers to this address held back until the test lets go. */
const held = async (page: Page, path: string, hour = 1) => {
  const released = Promise.withResolvers<void>()
  await page.route(`**${path}`, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.clock.pauseAt(MORNING + hour * 3_600_000)
  return async () => {
    released.resolve()
    await page.clock.resume()
  }
}

const BAR = { name: 'Waiting for the answer' }

test.beforeEach(({ page }) => page.clock.install({ time: MORNING }))

test('what takes a while shows a bar where it was asked for, then a sentence @long', async ({ open, bench, page }) => {
  await bench.addPhone()
  const desk = await open()
  const letGo = await held(page, '/register')
  const bar = desk.rp.root.getByRole('progressbar', BAR)
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
  await letGo()
  await expect(desk.rp.registrationCode).toBeVisible()
  await expect(bar).toHaveCount(0)
})

test('a phone and the console show a bar while they wait @long', async ({ open, bench, page }) => {
  await bench.registered()
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.signInByPush()
  await expect(alice.push).toBeVisible()
  const letOpen = await held(page, '/open')
  await alice.push.click()
  await page.clock.runFor(300)
  await expect(alice.root.getByRole('progressbar', BAR)).toBeVisible()
  await letOpen()
  await expect(alice.sensor).toBeVisible()
  await expect(alice.root.getByRole('progressbar', BAR)).toHaveCount(0)

  await desk.console.open()
  await desk.console.place('Phones').click()
  const letSync = await held(page, '/sync', 2)
  await desk.console.root.getByRole('button', { name: 'Sync from the cloud' }).click()
  await page.clock.runFor(300)
  await expect(page.getByRole('progressbar', BAR)).toBeVisible()
  await letSync()
  await expect(page.getByRole('progressbar', BAR)).toHaveCount(0)
})
