import { expect, type Page } from '@playwright/test'
import type { PhoneView } from './pages/phone.ts'

/** Opens the camera on a source in which there is no code yet: it looks, sees none, and goes on looking. */
export const lookInVain = async (page: Page, phone: PhoneView, source: string): Promise<void> => {
  await phone.camera.click()
  await phone.screen.getByRole('button', { name: source }).click()
  await expect(phone.says).toHaveText('Show it a code…')
  const looked = await page.waitForResponse((response) => /\/scan$/.test(response.url()))
  expect(await looked.json()).toMatchObject({ code: 40906, data: { word: 'no_code' } })
}
