import type { Page } from '@playwright/test'
import { isNightly } from '../../support/parts.ts'
import { ALL_RULES, expectAccessible, RULES_OF_WORDS, type Scheme } from './axe.ts'
import { expect } from './bench.ts'

/**
 * The English sentences on a page of another language: three words in a row that nothing marks as English, as code, or as
 * what somebody wrote.
 */
const englishLeftOver = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const sentence = /[A-Za-z’]{2,} [a-z’]{1,} [a-z’]{2,}/
    const machine =
      'code, pre, [lang=en], [data-part=hex], [data-part=wire-parts], [data-part=decoded], style, script, title, textarea'
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const said = node.textContent ?? ''
      if (sentence.test(said) && node.parentElement?.closest(machine) === null) found.push(said)
    }
    for (const labelled of document.querySelectorAll('[aria-label], [placeholder], [title]')) {
      for (const name of ['aria-label', 'placeholder', 'title']) {
        const said = labelled.getAttribute(name) ?? ''
        if (sentence.test(said) && labelled.closest(machine) === null) found.push(`${name}: ${said}`)
      }
    }
    return found
  })

export type Language = 'en' | 'zh'

export const SCHEMES: readonly Scheme[] = ['light', 'dark']

/**
 * Nothing that axe would complain of; in another language, which has the same elements and colours, no English that nothing
 * marks, and in the nightly part what axe says of its words.
 */
export const readable =
  (page: Page, language: Language, schemes = () => SCHEMES): ((screen: string) => Promise<void>) =>
  async (screen) => {
    if (language === 'en') return expectAccessible(page, screen, { rules: ALL_RULES, schemes: schemes() })
    if (isNightly) await expectAccessible(page, screen, { rules: RULES_OF_WORDS, schemes: [] })
    await expect.poll(() => englishLeftOver(page), `${screen}: English that nothing marks`).toEqual([])
  }
