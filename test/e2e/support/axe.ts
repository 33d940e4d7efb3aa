import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './bench.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Only what is wrong is looked at in detail. */
const QUICKLY = { resultTypes: ['violations' as const], preload: false }

/** Nothing that axe would complain of, light and dark. In the dark only colours are others. */
export const expectAccessible = async (page: Page, screen: string): Promise<void> => {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNone(page, RULES, `${screen}, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNone(page, ['color-contrast'], `${screen}, dark`)
}

/** What fades in is looked at again; what is wrong stays wrong. */
const expectNone = async (page: Page, rules: readonly string[], screen: string): Promise<void> => {
  await page.evaluate(settled)
  const found = async (): Promise<readonly string[]> => {
    const { violations } = await new AxeBuilder({ page }).options({ ...QUICKLY, runOnly: [...rules] }).analyze()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
    )
  }
  await expect.poll(found, { message: screen, timeout: 15_000 }).toEqual([])
}

/** Colours that change have changed. */
const settled = async (): Promise<void> => {
  for (let frames = 0; frames < 2; frames++) await new Promise((next) => requestAnimationFrame(next))
  const changing = document.getAnimations().filter((each) => each instanceof CSSTransition)
  await Promise.allSettled(changing.map(({ finished }) => finished))
}
