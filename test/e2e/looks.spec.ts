import type { Page } from '@playwright/test'
import { expect, test } from './support/bench.ts'
import { codesOnScreen } from './support/register-by-camera.ts'

test('the page is as light or dark as the system @long', async ({ open, page }) => {
  await open()
  await expect.poll(() => lightness(page)).toBeGreaterThan(0.9)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => lightness(page)).toBeLessThan(0.1)
})

test.describe('390 by 844 pixels', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a registration works one pane at a time, none wider than the screen @long', async ({ open, bench, page }) => {
    await bench.addPhone()
    const desk = await open()
    const alice = desk.phone('Alice')
    await expect(desk.rp.root).toBeVisible()
    await expect(alice.root).toBeHidden()
    await desk.rp.register()
    await expect(desk.rp.registrationCode).toBeVisible()
    await expect.poll(() => codesOnScreen(desk)).toEqual([(await bench.message()).url])
    await expect.poll(() => overflow(page)).toBe(0)

    await desk.pane('Phones').click()
    await expect(desk.rp.root).toBeHidden()
    const sent = await alice.scan()
    expect(Object.keys(sent)).toEqual(['image'])
    await alice.touch()
    await expect(alice.heading).toHaveText('Registered')
    await expect.poll(() => overflow(page)).toBe(0)

    await desk.pane('RP').click()
    await expect(desk.rp.heading).toHaveText('Your phone is registered')
    await desk.pane('Timeline').click()
    await desk.timeline.row('Registers passkey').click()
    await expect.poll(() => overflow(page)).toBe(0)
    await desk.pane('Inspect').click()
    await expect(desk.timeline.root).toBeHidden()
    await desk.inspector.tab('Steps').click()
    await expect(desk.inspector.steps.first()).toBeVisible()
    await expect.poll(() => overflow(page)).toBe(0)
  })

  test('an explanation begins with what was wrong @long', async ({ open, bench, page }) => {
    const phone = await bench.addPhone()
    await bench.register(phone)
    await bench.arm(phone, 'origin-wrong')
    const desk = await open()
    const alice = desk.phone('Alice')
    await desk.rp.signInByCode()
    await desk.pane('Phones').click()
    await alice.answer()
    await expect(alice.heading).toHaveText('Not signed in')
    await desk.pane('RP').click()
    await desk.rp.why.click()
    await expect(desk.inspector.panel.getByText('This origin is not allowed for the relying party.')).toBeInViewport()
    await expect(desk.inspector.panel.getByText('Expected', { exact: true })).toBeInViewport()
    await expect.poll(() => overflow(page)).toBe(0)
  })
})

/** Of the page's ground, from 0 to 1. */
const lightness = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const [red = 0, green = 0, blue = 0] =
      getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? []
    return (red + green + blue) / (3 * 255)
  })

/** How many pixels one would have to scroll sideways. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
