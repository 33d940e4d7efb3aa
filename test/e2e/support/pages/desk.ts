import { expect, type Page } from '@playwright/test'
import { english, type Texts } from '../../../../src-renderer/ui/texts-en.ts'
import { consoleView } from './console.ts'
import { inspectorView } from './inspector.ts'
import { phoneView } from './phone.ts'
import { rpWindow } from './rp-window.ts'
import { timelineView } from './timeline.ts'

export type Desk = ReturnType<typeof desk>

/** The whole page: its frame, and its parts by name. */
export const desk = (page: Page) => ({
  page,
  rp: rpWindow(page),
  phone: (name: string) => phoneView(page, name),
  timeline: timelineView(page),
  inspector: inspectorView(page),
  console: consoleView(page),
  main: page.getByRole('main'),
  addFirstPhone: page.getByRole('button', { name: 'Put a phone on the bench' }),
  /** It is there on a narrow screen too, only not shown. */
  statusBar: page.getByRole('contentinfo', { includeHidden: true }),
  /** What the status bar says of the workspace's clock. */
  clock: page.getByRole('contentinfo', { includeHidden: true }).locator('button:has(time)'),
  /** Said while the service does not answer. */
  stopped: page.getByRole('alert').filter({ hasText: 'Showing the last known state' }),
  tryNow: page.getByRole('button', { name: 'Try now' }),
  /** What stands in the page's place when it has no bench to show. */
  gate: page.getByRole('heading', { level: 1 }),
  /** The narrow screen's tabs. */
  pane: (name: 'RP' | 'Phones' | 'Timeline' | 'Inspect') =>
    page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name }),
})

/** Opens the page by an address with a code, and waits until it is live. */
export const openDesk = async (page: Page, address: string, words: Texts = english): Promise<Desk> => {
  await page.goto(address)
  const opened = desk(page)
  await expect(opened.statusBar).toHaveText(new RegExp(`^${words.frame.running}`))
  return opened
}
