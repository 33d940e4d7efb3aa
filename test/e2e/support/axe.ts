import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type Axe from 'axe-core'
import { expect } from './bench.ts'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] as const

/** What may go wrong in one language and not in another. */
export const RULES_OF_WORDS = ['cat.language', 'cat.name-role-value', 'cat.text-alternatives', 'cat.forms'] as const

/** What takes axe longest, and what alone is another in the dark. */
const COLOURS = ['color-contrast', 'link-in-text-block'] as const

export type Scheme = 'light' | 'dark'

type Held = { readonly rules: readonly string[]; readonly schemes: readonly Scheme[] }

/** Nothing that axe would complain of; of its colours only in these schemes. */
export const expectAccessible = async (page: Page, screen: string, { rules, schemes }: Held): Promise<void> => {
  const [first = 'light', ...others] = schemes
  const looks = [
    [first, rules, schemes.length > 0 ? [] : COLOURS] as const,
    ...others.map((scheme) => [scheme, COLOURS, []] as const),
  ]
  for (const [colorScheme, wanted, without] of looks) {
    await page.emulateMedia({ colorScheme })
    // What fades in is looked at again; what is wrong stays wrong.
    await expect
      .poll(() => violations(page, { wanted, without }), { message: `${screen}, ${colorScheme}`, timeout: 40_000 })
      .toEqual([])
  }
}

type Rules = { readonly wanted: readonly string[]; readonly without: readonly string[] }

/** Runs in the page that is there: axe comes into it once, and looks only at what is wrong. */
const violations = async (page: Page, rules: Rules): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  return page.evaluate(find, rules)
}

const find = async ({ wanted, without }: Rules): Promise<string[]> => {
  // Colours that change have changed.
  for (let frames = 0; frames < 2; frames++) await new Promise((next) => requestAnimationFrame(next))
  const changing = document.getAnimations().filter((each) => each instanceof CSSTransition)
  await Promise.allSettled(changing.map(({ finished }) => finished))
  const rules = Object.fromEntries(without.map((id) => [id, { enabled: false }]))
  const { axe } = globalThis as unknown as { readonly axe: typeof Axe }
  const found = await axe.run(document, { runOnly: [...wanted], rules, resultTypes: ['violations'], preload: false })
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}
