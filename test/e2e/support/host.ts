import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron as electron, type Page } from '@playwright/test'
import { readRunningBench } from '../../../src-main/service/store/announce-bench.ts'
import { ROOT, type Service, serviceAt } from './serve.ts'

const HOSTS = ['browser', 'electron'] as const

/** What shows the page: a browser, or with HANDSET_TEST_HOST the desktop program's window. */
export const HOST: (typeof HOSTS)[number] = HOSTS.find((name) => name === process.env.HANDSET_TEST_HOST) ?? 'browser'

/** Looked for as a file: asking Electron's package for its program would download it. */
const hasElectron = (): boolean => {
  const folder = join(ROOT, 'node_modules/electron')
  const named = join(folder, 'path.txt')
  return existsSync(named) && existsSync(join(folder, 'dist', readFileSync(named, 'utf8').trim()))
}

const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY)

/** Why no window of Electron's can be had here. */
export const missingWindow: string | undefined = !hasElectron()
  ? 'skipped: no Electron binary'
  : hasDisplay
    ? undefined
    : 'skipped: no display'

export type Desktop = {
  readonly page: Page
  /** The bench inside it: its window goes to no other. */
  readonly service: Service
}

/** The desktop program with data of its own, which are gone afterwards. */
export const launchDesktop = async (): Promise<Desktop> => {
  const data = mkdtempSync(join(tmpdir(), 'handset-desktop-'))
  const args = ['--data', data, '--port', '0']
  const { page, stop } = await inElectron(args)
  await page.waitForURL(/^http:/)
  const running = readRunningBench(data)
  if (!running.ok || running.value === undefined) throw new Error('the desktop program has no bench')
  return {
    page,
    service: serviceAt(running.value, async () => {
      const code = await stop()
      // On Windows Chromium's processes hold its files for a moment longer than its main process lives.
      rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
      return code
    }),
  }
}

type Program = { readonly page: Page; readonly stop: () => Promise<number | null> }

const inElectron = async (args: readonly string[]): Promise<Program> => {
  const app = await electron.launch({ args: [ROOT, '--', ...args], cwd: ROOT })
  const stop = async (): Promise<number | null> => {
    await app.close()
    return app.process().exitCode
  }
  return { page: await app.firstWindow(), stop }
}
