import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ElectronApplication, _electron as electron } from '@playwright/test'
import { ROOT } from './serve.ts'

/** What shows the page: a browser, or with HANDSET_TEST_HOST=electron the desktop program's window. */
export const HOST: 'browser' | 'electron' = process.env.HANDSET_TEST_HOST === 'electron' ? 'electron' : 'browser'

/** Looked for as a file: asking Electron's package for its program would download it. */
const hasElectron = (): boolean => {
  const folder = join(ROOT, 'node_modules/electron')
  const named = join(folder, 'path.txt')
  return existsSync(named) && existsSync(join(folder, 'dist', readFileSync(named, 'utf8').trim()))
}

const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY)

/** Why no desktop window can be had here. */
export const missingWindow: string | undefined = !hasElectron()
  ? 'skipped: no Electron binary'
  : hasDisplay
    ? undefined
    : 'skipped: no display'

export const launchDesktop = (): Promise<ElectronApplication> =>
  electron.launch({ args: [ROOT, '--memory', '--port', '0'], cwd: ROOT })
