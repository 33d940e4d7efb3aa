import { expect } from '@playwright/test'
import { readCodes } from '../../../src-main/phones/phone/camera.ts'
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
  await expect.poll(() => codesOnScreen(desk)).toHaveLength(1)
  const [onScreen = ''] = await codesOnScreen(desk)

  const sent = await alice.scan()
  expect(Object.keys(sent)).toEqual(['image'])
  await expect(codesIn(Buffer.from(sent.image.data, 'base64'))).resolves.toEqual([onScreen])

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

/** What a camera in front of the screen would read: the codes among the page's pixels. */
export const codesOnScreen = async ({ page }: Desk): Promise<readonly string[]> => codesIn(await page.screenshot())

const codesIn = async (picture: Buffer): Promise<readonly string[]> => {
  const codes = await readCodes(new Uint8Array(picture))
  return codes.ok ? codes.value : []
}
