import type { Page } from '@playwright/test'
import { ALL_RULES, expectAccessible, RULES_OF_WORDS } from './axe.ts'
import { expect } from './bench.ts'
import { ALL_SIZES, type SizeName } from './layout.ts'
import { englishLeftOver } from './leftovers.ts'

const TIGHTEST: readonly SizeName[] = ['960 by 540', '1280 by 800 at 200 %']

/** What each language is held to. Another one has other words, and nothing else: their names and their room. */
export const HELD_TO = {
  en: { rules: ALL_RULES, colours: true, sizes: ALL_SIZES },
  zh: { rules: RULES_OF_WORDS, colours: false, sizes: TIGHTEST },
} as const

export type Language = keyof typeof HELD_TO

/** Nothing that axe would complain of, and no English that nothing marks. */
export const readable =
  (page: Page, language: Language): ((screen: string) => Promise<void>) =>
  async (screen) => {
    await expectAccessible(page, screen, HELD_TO[language])
    if (language !== 'en')
      await expect.poll(() => englishLeftOver(page), `${screen}: English that nothing marks`).toEqual([])
  }
