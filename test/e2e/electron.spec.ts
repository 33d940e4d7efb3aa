import { expect, test } from '@playwright/test'
import { launchDesktop, missingWindow } from './support/host.ts'
import { desk as deskOf } from './support/pages/desk.ts'
import { registerByCamera } from './support/register-by-camera.ts'

const why = missingWindow === undefined ? '' : ` (${missingWindow})`

test(`a phone registers by reading the code from the pixels of the desktop window${why}`, async () => {
  test.skip(missingWindow !== undefined, missingWindow)
  const { page, service } = await launchDesktop('electron')
  const desk = deskOf(page)
  await expect(desk.statusBar).toHaveText(/^Running/)
  // A new bench has a phone already.
  await registerByCamera(desk, { addPhone: false })
  await service.stop()
})
