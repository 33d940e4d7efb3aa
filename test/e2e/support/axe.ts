import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type Axe from 'axe-core'
import { expect } from './bench.ts'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] as const

/** What may go wrong in one language and not in another. */
export const RULES_OF_WORDS = ['cat.language', 'cat.name-role-value', 'cat.text-alternatives', 'cat.forms'] as const

/** In the dark only colours are others. */
const COLOURS = ['color-contrast', 'link-in-text-block'] as const

type Held = { readonly rules: readonly string[]; readonly dark: boolean }

const EVERYTHING: Held = { rules: ALL_RULES, dark: true }

/** Nothing that axe would complain of, in the light and, unless it is not asked for, in the dark. */
export const expectAccessible = async (page: Page, screen: string, { rules, dark } = EVERYTHING): Promise<void> => {
  const looks = [['light', rules], ...(dark ? [['dark', COLOURS] as const] : [])] as const
  for (const [colorScheme, wanted] of looks) {
    await page.emulateMedia({ colorScheme })
    // What fades in is looked at again; what is wrong stays wrong.
    await expect
      .poll(() => violations(page, wanted), { message: `${screen}, ${colorScheme}`, timeout: 40_000 })
      .toEqual([])
  }
}

/** Runs in the page that is there: axe comes into it once, and looks only at what is wrong. */
const violations = async (page: Page, rules: readonly string[]): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  return page.evaluate(find, [...rules])
}

const find = async (runOnly: string[]): Promise<string[]> => {
  // Colours that change have changed.
  for (let frames = 0; frames < 2; frames++) await new Promise((next) => requestAnimationFrame(next))
  const changing = document.getAnimations().filter((each) => each instanceof CSSTransition)
  await Promise.allSettled(changing.map(({ finished }) => finished))
  const { axe } = globalThis as unknown as { readonly axe: typeof Axe }
  const found = await axe.run(document, { runOnly, resultTypes: ['violations'], preload: false })
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}
