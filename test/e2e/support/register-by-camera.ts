import { expect } from '@playwright/test'
import { readCodes } from '../../../src-main/phone/camera.ts'
import type { Desk } from './pages/desk.ts'

type Choices = {
  readonly storage?: 'Secure chip'
  readonly addPhone?: boolean
  /** Where the storages can be chosen without scrolling. */
  readonly choiceInSight?: boolean
}

/** A registration with nothing but what a person sees and touches. Gives the code's text as read from the screen. */
export const registerByCamera = async (
  desk: Desk,
  { storage, addPhone = true, choiceInSight = false }: Choices = {},
) => {
  const { rp } = desk
  const alice = desk.phone('Alice')
  if (addPhone) await desk.addFirstPhone.click()
  await expect(alice.root).toBeVisible()
  await rp.register()
  await expect(rp.registrationCode).toBeVisible()
  await expect(rp.step('init')).toHaveAttribute('aria-current', 'step')
  const onScreen = await codeOnScreen(desk)

  const sent = await alice.scan()
  expect(Object.keys(sent)).toEqual(['image'])
  expect(await codesIn(sent)).toEqual([onScreen])

  await expect(alice.heading).toHaveText('Register with Demo RP?')
  await expect(rp.heading).toHaveText('Confirm on your phone')
  await expect(rp.status).toHaveText(/^Scanned by Alice \(\d{3}\*{4}\d{4}\)$/)
  await expect(rp.step('bind')).toHaveAttribute('aria-current', 'step')
  await expect(alice.storage('Cloud HSM')).toHaveAccessibleDescription('Recommended')
  await expect(alice.storage('Secure chip')).toHaveAccessibleDescription('')
  for (const kind of choiceInSight ? (['Cloud HSM', 'Secure chip'] as const) : []) {
    await expect(alice.storage(kind)).toBeInViewport({ ratio: 1 })
  }
  if (storage !== undefined) await alice.storage(storage).check()
  await alice.touch()

  await expect(alice.heading).toHaveText('Registered')
  await expect(rp.heading).toHaveText('Your phone is registered')
  await expect(rp.step('success')).toHaveAttribute('aria-current', 'step')
  await expect(rp.status).toHaveText(/^Confirmed by Alice \(/)
  return onScreen
}

/** What a camera in front of the screen would read: the one code among the page's pixels. */
export const codeOnScreen = async ({ page }: Desk): Promise<string> => {
  const codes = await readCodes(new Uint8Array(await page.screenshot()))
  if (!codes.ok) throw new Error(codes.error.word)
  const [only, ...others] = codes.value
  if (only === undefined || others.length > 0) throw new Error(`the screen shows ${codes.value.length} codes`)
  return only
}

const codesIn = async ({ image }: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
  const { data } = image as { readonly data: string }
  const codes = await readCodes(new Uint8Array(Buffer.from(data, 'base64')))
  return codes.ok ? codes.value : []
}
