import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron as electron, expect, test } from '@playwright/test'
import { desk as deskOf } from './support/pages/desk.ts'
import { registerByCamera } from './support/register-by-camera.ts'
import { ROOT } from './support/serve.ts'

/** Looked for as a file: asking Electron's package for its program would download it. */
const hasElectron = (): boolean => {
  const folder = join(ROOT, 'node_modules/electron')
  const named = join(folder, 'path.txt')
  return existsSync(named) && existsSync(join(folder, 'dist', readFileSync(named, 'utf8').trim()))
}

const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY)

const missing = !hasElectron() ? 'skipped: no Electron binary' : hasDisplay ? undefined : 'skipped: no display'
const why = missing === undefined ? '' : ` (${missing})`

test(`a phone registers by reading the code from the pixels of the desktop window${why}`, async () => {
  test.skip(missing !== undefined, missing)
  const app = await electron.launch({ args: [ROOT, '--memory', '--port', '0'], cwd: ROOT })
  const page = await app.firstWindow()
  const desk = deskOf(page)
  await expect(desk.statusBar).toHaveText(/^Running/)
  await registerByCamera(desk)
  await app.close()
})
