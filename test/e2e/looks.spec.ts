import type { Page } from '@playwright/test'
import { expect, test } from './support/bench.ts'

test('the page is as light or dark as the system @long', async ({ open, page }) => {
  await open()
  await expect.poll(() => lightness(page)).toBeGreaterThan(0.9)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => lightness(page)).toBeLessThan(0.1)
})

test.describe('390 by 844 pixels', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('an explanation begins with what was wrong @long', async ({ open, bench, page }) => {
    await bench.registered('origin-wrong')
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

test.describe('中文', () => {
  test.use({ locale: 'zh-CN' })

  test('another language can be chosen, and is remembered @long', async ({ bench, page }) => {
    await page.goto(await bench.invite())
    await page.getByRole('button', { name: 'English' }).click()
    await expect(page.getByRole('contentinfo')).toHaveText(/^Running/)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.reload()
    await expect(page.getByRole('contentinfo')).toHaveText(/^Running/)
    await page.getByRole('button', { name: '中文' }).click()
    await expect(page.getByRole('contentinfo')).toHaveText(/^运行中/)
  })
})
