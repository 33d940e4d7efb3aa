import { expect, type Locator, type Page } from '@playwright/test'

/** The relying party's own page. */
export const rpWindow = (page: Page) => {
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

  /** Which form comes depends on the user's passkeys, and may change as their number is known. */
  const comeTo = (form: Locator, link: Locator): Promise<void> =>
    expect(async () => {
      if (await link.isVisible()) await link.click({ timeout: 1000 })
      await expect(form).toBeVisible({ timeout: 1000 })
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
      await comeTo(registerButton, toRegister)
      await registerButton.click()
      await registrationCode.waitFor()
    },
    toSignIn,
    signInByCode: async () => {
      await startAgain.click()
      await comeTo(byCode, toSignIn)
      await byCode.click()
      await signInCode.waitFor()
    },
    signInByPush: async () => {
      await startAgain.click()
      await comeTo(byCode, toSignIn)
      await byPush.click()
    },
  }
}
