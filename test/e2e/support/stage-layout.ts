import type { Page } from '@playwright/test'

/** On the screen, of the two addresses: each stands on two lines. */
export const lineHeights = (page: Page): Promise<readonly number[]> =>
  page
    .locator('[data-part="request-site"]')
    .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().height / 2))

/** The texts that are cut off, or stand out of what they are in. */
export const overflowing = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const parts = ['presenter', 'chapter', 'stage-window', 'stage-bank', 'stage-page', 'stage-words', 'request']
    const scrolled = '[data-part="request"] > div'
    return [
      ...document.querySelectorAll<HTMLElement>([...parts.map((part) => `[data-part="${part}"]`), scrolled].join()),
    ]
      .filter(
        (element) => element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1,
      )
      .map((element) => element.dataset.part ?? 'a part of the request')
  })

/** What lies over each other on the stage, or under what a presenter clicks. */
export const overlapping = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const parts = ['chapters', 'wire', 'stage-bank', 'relay', 'stage-window', 'phone-body', 'story', 'presenter-acts']
    const inside = ['qr', 'rp-sign', 'rp-push', 'stage-words', 'steps']
    const named = [...parts, ...inside].map((part) => `[data-part="${part}"]`)
    const seen = [...document.querySelectorAll<HTMLElement>([...named, '[data-which] > em'].join())].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    )
    const nameOf = ({ dataset, textContent }: HTMLElement) => dataset.part ?? textContent
    return seen.flatMap((one, nth) =>
      seen.slice(nth + 1).flatMap((other) => {
        if (one.contains(other) || other.contains(one)) return []
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        return wide > 1 && high > 1 ? [`${nameOf(one)} and ${nameOf(other)}`] : []
      }),
    )
  })

/** The words of the story that are smaller on the screen than a room can read, with their size. A phone's clock says nothing. */
export const unreadable = (page: Page, atLeast: number): Promise<readonly string[]> =>
  page.evaluate((least) => {
    const roots = document.querySelectorAll('[data-part="chapter"] > :not(footer), [data-part="end-card"]')
    return [...roots].flatMap((root) => {
      const found: string[] = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const element = node.parentElement
        if (element === null || !element.checkVisibility({ visibilityProperty: true })) continue
        if ((node.textContent ?? '').trim() === '' || element.closest('time, kbd, .unseen') !== null) continue
        const size = Number.parseFloat(getComputedStyle(element).fontSize) * element.currentCSSZoom
        if (size < least) found.push(`${node.textContent}: ${size.toFixed(1)}`)
      }
      return found
    })
  }, atLeast)
