import type { Page } from '@playwright/test'

/** What one exchange was, and the judge's steps. */
export const inspectorView = (page: Page) => {
  const root = page.getByRole('region', { name: 'Inspector' })
  const steps = root.getByRole('listbox', { name: 'Steps of the judge' }).getByRole('option')
  return {
    root,
    tab: (name: string) => root.getByRole('tab', { name, exact: true }),
    panel: root.getByRole('tabpanel'),
    steps,
    /** Steps by how they ended. */
    stepsThat: (outcome: 'passed' | 'failed' | 'skipped') =>
      steps.filter({ has: page.getByRole('img', { name: outcome, exact: true }).or(page.getByLabel(outcome)) }),
    // The select of languages has an option, too.
    chosen: root.locator('[role="option"][aria-selected="true"]'),
    close: root.getByRole('button', { name: 'Close the inspector' }),
  }
}
