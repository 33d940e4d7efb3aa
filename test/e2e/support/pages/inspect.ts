import type { Page } from '@playwright/test'

/** The page that says what anything pasted is. */
export const inspectView = (page: Page) => {
  const root = page.getByRole('main').and(page.locator('[data-part="inspect"]'))
  const finding = root.locator('[data-part="finding"]').first()
  return {
    root,
    field: page.getByRole('textbox', { name: 'What do you have?' }),
    open: () => page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Inspect' }).click(),
    example: (name: string) => root.getByRole('button', { name, exact: true }),
    finding,
    headline: finding.getByRole('heading', { level: 2 }),
    verdict: finding.getByRole('status'),
    failed: finding.getByRole('list', { name: 'Checks that failed' }).getByRole('listitem'),
    file: root.locator('input[type="file"]'),
    given: (name: string) => root.getByLabel(name, { exact: true }),
    problem: root.getByRole('alert'),
    startOver: root.getByRole('button', { name: 'Start over' }),
  }
}
