import type { Page } from '@playwright/test'

/** Every exchange, drawn from the event stream. */
export const timelineView = (page: Page) => {
  const root = page.getByRole('region', { name: 'Timeline' })
  return {
    root,
    filter: root.getByRole('searchbox', { name: 'Filter by path, user, error, time' }),
    groups: root.getByRole('group'),
    group: (title: string) => root.getByRole('group', { name: title, exact: true }),
    row: (what: string) => root.getByRole('button', { name: new RegExp(`^${what}, `) }),
  }
}
