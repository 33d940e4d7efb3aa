import type { Page } from '@playwright/test'
import { isNightly } from '../../support/parts.ts'
import { expect } from './bench.ts'
import { findLayoutProblems } from './find-layout-problems.ts'

/** Windows in CSS pixels: at a zoom of 200 % the browser gives a page half of its window each way. */
export const SIZES = {
  '1440 by 900': { width: 1440, height: 900 },
  '1280 by 800': { width: 1280, height: 800 },
  '1100 by 800': { width: 1100, height: 800 },
  '960 by 540': { width: 960, height: 540 },
  '1440 by 900 at 200 %': { width: 720, height: 450 },
  '1280 by 800 at 200 %': { width: 640, height: 400 },
} as const

type SizeName = keyof typeof SIZES

export const ALL_SIZES = Object.keys(SIZES) as SizeName[]

/** Nothing is out of reach, covered, cut or printed over something else. */
export const expectFits = async (page: Page, screen: string): Promise<void> => {
  // What has just got another size is measured again; what does not fit stays that way.
  await expect.poll(() => page.evaluate(findLayoutProblems), { message: screen }).toEqual([])
}

/** The least room for all panes side by side, and for one pane at a time. */
export const TIGHTEST: readonly SizeName[] = ['960 by 540', '1280 by 800 at 200 %']

/** These of all, and of the others the next one each time, or none; in the nightly part all. */
export const inTurn = <T>(all: readonly T[], always: readonly T[], more = 1): (() => readonly T[]) => {
  const others = all.filter((each) => !always.includes(each))
  let nth = 0
  return () => {
    const next = nth++ % others.length
    return isNightly ? all : [...always, ...others.slice(next, next + more)]
  }
}

/** The same screen at several sizes. The window is afterwards what it was. */
export const fitsAt =
  (page: Page, sizes: () => readonly SizeName[]) =>
  async (screen: string): Promise<void> => {
    const before = page.viewportSize()
    for (const name of sizes()) {
      await page.setViewportSize(SIZES[name])
      await expectFits(page, `${screen}, ${name}`)
    }
    if (before !== null) await page.setViewportSize(before)
  }
