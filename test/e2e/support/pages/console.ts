import type { Page } from '@playwright/test'

/** Everything that can be set. */
export const consoleView = (page: Page) => {
  const root = page.getByRole('main').filter({ has: page.getByRole('heading', { name: 'Console', level: 1 }) })
  const screens = page.getByRole('navigation', { name: 'Screens' })
  const clock = root.getByRole('region', { name: 'Clock' })
  const keys = root.getByRole('region', { name: 'Access keys' })
  return {
    root,
    open: () => screens.getByRole('button', { name: 'Console' }).click(),
    close: () => screens.getByRole('button', { name: 'Bench' }).click(),
    place: (name: string) => root.getByRole('navigation', { name: 'Console' }).getByRole('button', { name }),
    clock,
    nextExpiry: clock.getByRole('button', { name: 'Next expiry' }),
    frozen: clock.getByRole('radio', { name: 'Frozen' }),
    keys,
    /** The key whose secret is shown, as one that was just made has it. */
    shownKey: keys.getByRole('row').filter({ has: page.getByRole('button', { name: /^Hide the secret of/ }) }),
    phone: (name: string) => {
      const card = root.getByRole('region', { name: `Phone of ${name}`, exact: true })
      return {
        card,
        arm: async (fault: string) => {
          await card.getByRole('button', { name: 'Arm a fault' }).click()
          const form = await openFault(page, fault)
          await form.getByRole('button', { name: 'Arm it' }).click()
        },
        /** Opens the form of one fault, in which it is said how often it strikes. */
        tune: async (fault: string) => {
          await card.getByRole('button', { name: 'Arm a fault' }).click()
          return openFault(page, fault)
        },
        disarm: (fault: string) => card.getByRole('button', { name: `Disarm ${fault}` }),
      }
    },
  }
}

/** In *Break something*, which is open: finds a fault and opens it. */
export const openFault = async (page: Page, fault: string) => {
  const popover = page.getByRole('dialog', { name: /^Break something/ })
  await popover.getByRole('searchbox').fill(fault)
  await popover
    .getByRole('button')
    .filter({ has: page.getByText(fault, { exact: true }) })
    .click()
  return popover.getByRole('form', { name: fault })
}
