import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type BrowserContext, chromium } from '@playwright/test'
import { report, setting } from './machine.ts'

const LONGEST_MS = 10_000

let context: Promise<BrowserContext> | undefined

/** One Chromium with the profile of the program's own user data directory, as Electron keeps it there. */
export const startChromium = (userData: string): void => {
  const profile = join(userData, 'Chromium')
  context ??= chromium
    .launchPersistentContext(profile, {
      executablePath: setting.browser,
      viewport: null,
      reducedMotion: 'reduce',
      args: [
        '--remote-debugging-port=0',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--in-process-gpu',
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
    })
    .then((started) => {
      const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')
      report('chromium', { address: `http://127.0.0.1:${port}` })
      return started
    })
  // Only a program that opens a window waits for it.
  context.catch(() => undefined)
}

export const chromiumContext = (): Promise<BrowserContext> => context ?? Promise.reject(new Error('no Chromium yet'))

export const stopChromium = async (): Promise<void> => {
  const started = await context?.catch(() => undefined)
  // A window that is just being made can keep Chromium from answering; the end of this process ends it all the same.
  await Promise.race([started?.close().catch(() => undefined), setTimeout(LONGEST_MS)])
}
