import { expect, type Locator, type Page } from '@playwright/test'
import { english, type Texts } from '../../../../src-renderer/ui/texts-en.ts'
import { consoleView } from './console.ts'
import { phoneView } from './phone.ts'
import { timelineView } from './timeline.ts'

/** What one exchange was, and the judge's steps. */
const inspectorView = (page: Page) => {
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

/** The relying party's own page. */
const rpWindow = (page: Page) => {
  const root = page.getByRole('region', { name: 'Relying party' })
  const button = (name: string) => root.getByRole('button', { name, exact: true })
  const startAgain = button('Start again')
  const toRegister = button('New here? Register')
  const toSignIn = button('Registered? Sign in')
  const registerButton = button('Register with a QR code')
  const byCode = button('Sign in with a QR code')
  const byPush = button('Send to my phone')
  const registrationCode = root.getByRole('img', { name: 'Registration QR code' })
  const signInCode = root.getByRole('img', { name: 'Sign-in QR code' })

  /** Which form comes depends on the user's passkeys, and may change as their number is known, even before it is used. */
  const press = (button: Locator, link: Locator): Promise<void> =>
    expect(async () => {
      if (await link.isVisible()) await link.click({ timeout: 1000 })
      await button.click({ timeout: 1000 })
    }).toPass()

  return {
    root,
    username: root.getByRole('textbox', { name: 'User name' }),
    heading: root.getByRole('heading', { level: 2 }),
    registrationCode,
    signInCode,
    /** Who scanned, why it failed: the line below the progress. */
    status: root.getByRole('status'),
    /** One of the progress's steps; the present one is `aria-current`. */
    step: (state: string) =>
      root.getByRole('list', { name: 'Progress' }).getByRole('listitem').filter({ hasText: state }),
    startAgain,
    toRegister,
    registerButton,
    byCode,
    byPush,
    passkeys: (count: string) => button(`${count}: show them`),
    why: button('Why?'),
    /** What the bench says below the bank's page. */
    note: root.getByRole('complementary', { name: 'Refused from elsewhere' }),
    tryAgain: button('Try again'),
    register: async () => {
      await press(registerButton, toRegister)
      await registrationCode.waitFor()
    },
    toSignIn,
    signInByCode: async () => {
      await startAgain.click()
      await press(byCode, toSignIn)
      await signInCode.waitFor()
    },
    signInByPush: async () => {
      await startAgain.click()
      await press(byPush, toSignIn)
    },
  }
}

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
