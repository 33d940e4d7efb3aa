import { expect, test } from '@playwright/test'
import { launchDesktop, missingWindow } from './support/host.ts'
import { desk as deskOf } from './support/pages/desk.ts'
import { registerByCamera } from './support/register-by-camera.ts'

const why = missingWindow === undefined ? '' : ` (${missingWindow})`

test(`a phone registers by reading the code from the pixels of the desktop window${why}`, async () => {
  test.skip(missingWindow !== undefined, missingWindow)
  const app = await launchDesktop()
  const page = await app.firstWindow()
  const desk = deskOf(page)
  await expect(desk.statusBar).toHaveText(/^Running/)
  await registerByCamera(desk)
  await app.close()
})
