import type { Locator, Page } from '@playwright/test'
import { expect } from './bench.ts'

/** Presses Tab until the control has the focus, which must then be seen. */
export const reach = async (page: Page, control: Locator): Promise<void> => {
  await expect(control).toBeVisible()
  for (let presses = 0; presses < 60; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) {
      return expect.poll(() => isRinged(control), 'a ring around what has the focus').toBe(true)
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${control}`)
}

export const press = async (page: Page, control: Locator): Promise<void> => {
  await reach(page, control)
  await page.keyboard.press('Enter')
}

/** The ring is drawn around the control or, where the control is only a part of it, around what it stands in. */
const isRinged = (control: Locator): Promise<boolean> =>
  control.evaluate((element) =>
    [element, element.parentElement].some((each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each ?? element)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
    }),
  )
