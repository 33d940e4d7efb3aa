import { test as base, expect, type Page } from '@playwright/test'
import type { Texts } from '../../../src-renderer/ui/texts.ts'
import { HOST, launchDesktop, missingWindow } from './host.ts'
import { type Desk, openDesk } from './pages/desk.ts'
import { type Service, serve } from './serve.ts'
import { createSetting, type Setting } from './setting.ts'

export { expect }

type Fixtures = {
  /** A bench of the test's own: another workspace of the running service, gone afterwards. */
  readonly bench: Setting
  /** Opens the page of that bench; an error that nobody caught in the page fails the test. */
  readonly open: (words?: Texts) => Promise<Desk>
}

type WorkerFixtures = { readonly service: Service }

/** The same specs in the desktop program's window, which goes to the bench of the test like a browser's page. */
const inWindow = base.extend<{ page: Page }>({
  page: async ({ viewport, colorScheme, contextOptions }, use, info) => {
    info.skip(missingWindow !== undefined, missingWindow ?? '')
    const app = await launchDesktop()
    const page = await app.firstWindow()
    if (viewport !== null) await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: contextOptions.reducedMotion ?? null })
    await use(page)
    await app.close()
  },
})

export const test = (HOST === 'electron' ? inWindow : base).extend<Fixtures, WorkerFixtures>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      const service = await serve()
      await use(service)
      await service.stop()
    },
    { scope: 'worker' },
  ],
  bench: async ({ service }, use) => {
    const { control } = service
    const made = await control.call('workspaces.create', { body: {} })
    await use(await createSetting(control.workspace(made.id), { invite: () => service.invite(made.ui_url) }))
    await control.call('workspaces.close', { params: { id: made.id } })
  },
  open: async ({ page, bench }, use) => {
    const broken: string[] = []
    page.on('pageerror', (error) => broken.push(error.message))
    await use(async (words) => openDesk(page, await bench.invite(), words))
    expect(broken, 'errors that nobody caught in the page').toEqual([])
  },
})
