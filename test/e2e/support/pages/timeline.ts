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
    /** The names of all rows in one group, e.g. `Scanned, phone to service, 200`. */
    rowsOf: async (title: string): Promise<readonly string[]> => {
      const rows = root.getByRole('group', { name: title, exact: true }).getByRole('button', { name: / to / })
      return rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''))
    },
  }
}

/** How many exchanges one row stands for: polls fold into one. */
export const exchangesIn = (row: string): number => Number(/×(\d+)$/.exec(row)?.[1] ?? 1)

export const isPoll = (row: string): boolean => row.startsWith('Poll, ')
