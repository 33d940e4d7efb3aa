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
  const looks = [
    { scheme: schemes[0] ?? 'light', wanted: rules, without: COLOURS },
    ...schemes.map((scheme) => ({ scheme, wanted: COLOURS, without: [] })),
  ]
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look.scheme })
    // What fades in is looked at again; what is wrong stays wrong.
    await expect
      .poll(() => violations(page, look), { message: `${screen}, ${look.scheme}`, timeout: 40_000 })
      .toEqual([])
  }
}

type Look = { readonly scheme: Scheme; readonly wanted: readonly string[]; readonly without: readonly string[] }

/** Runs in the page that is there: axe comes into it once, and looks only at what is wrong. */
const violations = async (page: Page, look: Look): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  return page.evaluate(find, look)
}

const find = async ({ scheme, wanted, without }: Look): Promise<string[]> => {
  // Colours that change have changed.
  for (let frames = 0; frames < 2; frames++) await new Promise((next) => requestAnimationFrame(next))
  const changing = document.getAnimations().filter((each) => each instanceof CSSTransition)
  await Promise.allSettled(changing.map(({ finished }) => finished))
  const rules = Object.fromEntries(without.map((id) => [id, { enabled: false }]))
  const page = globalThis as unknown as { readonly axe: typeof Axe; seen?: Set<string> }
  const seen = page.seen ?? new Set<string>()
  page.seen = seen
  /** Pieces of the page with all that is above them: the colours of one that was seen in this scheme are known. */
  const pieces = (element: Element, above: string): (readonly [Element, string])[] => {
    const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
    if (hasText || element.querySelectorAll('*').length < 60) return [[element, `${above}${element.outerHTML}`]]
    const inside = `${above}${(element.cloneNode() as Element).outerHTML}`
    return [...element.children].flatMap((child) => pieces(child, inside))
  }
  const isWhole = without.length > 0
  const root = `${scheme}${(document.documentElement.cloneNode() as Element).outerHTML}`
  const fresh = isWhole ? [] : pieces(document.body, root).filter(([, key]) => !seen.has(key))
  if (!isWhole && fresh.length === 0) return []
  const { violations } = await page.axe.run(isWhole ? document : { include: fresh.map(([element]) => element) }, {
    runOnly: [...wanted],
    rules,
    resultTypes: ['violations'],
    preload: false,
  })
  if (violations.length === 0) for (const [, key] of fresh) seen.add(key)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}
