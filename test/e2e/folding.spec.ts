import type { Locator } from '@playwright/test'
import { expect, test } from './support/bench.ts'
import { reach } from './support/hands.ts'

test('a ceremony is read from its head, and folded by mouse and by keyboard @long', async ({ open, bench, page }) => {
  await bench.registered('origin-wrong')
  const desk = await open()
  await desk.rp.signInByCode()
  await desk.phone('Alice').answer()
  await expect(desk.rp.status).toContainText('origin_mismatch')
  const { root, groups } = desk.timeline
  const failed = desk.timeline.group('Sign in alice by QR code')
  const head = failed.getByRole('button', { name: /^origin_mismatch/ })
  await expect(head).toHaveText(/^origin_mismatch\s*alice\s*Sign in\s*QR code\s*\d\d:\d\d:\d\d\s*\d.*s$/)
  const rows = failed.getByRole('button', { name: / to / })
  // The verdict has the colour, and the status none.
  const colour = (text: Locator) => text.evaluate((element) => getComputedStyle(element).color)
  const refused = rows.getByText('refused', { exact: true })
  await expect.poll(async () => (await colour(refused)) === (await colour(head.locator('b')))).toBe(true)
  const good = rows.first().getByText('200', { exact: true })
  await expect.poll(async () => (await colour(good)) === (await colour(refused))).toBe(false)

  await head.click()
  await expect(head).toHaveAttribute('aria-expanded', 'false')
  await expect(rows).toHaveCount(0)
  await head.press('Enter')
  await expect(head).toHaveAttribute('aria-expanded', 'true')

  await reach(page, head)
  await page.keyboard.press('ArrowDown')
  await expect(rows.first()).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(head).toBeFocused()
  await expect(rows).toHaveCount(0)
  await page.keyboard.press('ArrowUp')
  const registered = desk.timeline.group('Register alice by QR code')
  await expect(registered.getByRole('button', { name: / to / }).last()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(head).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(rows.first()).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(rows.first()).toBeFocused()

  await root.getByRole('button', { name: 'Fold all' }).click()
  await expect(groups.getByRole('button', { name: / to / })).toHaveCount(0)
  // What comes later is folded, too; a request for a row unfolds its ceremony.
  await failed.getByRole('button', { name: 'Why did alice fail?' }).click()
  await expect(rows.first()).toBeVisible()
  await root.getByRole('button', { name: 'Unfold all' }).click()
  await expect(registered.getByRole('button', { name: / to / }).first()).toBeVisible()
})
