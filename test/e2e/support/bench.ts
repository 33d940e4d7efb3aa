import { test as base, expect, type Page } from '@playwright/test'
import type { Texts } from '../../../src-renderer/ui/texts.ts'
import { type Desktop, HOST, launchDesktop, missingWindow } from './host.ts'
import { type Desk, openDesk } from './pages/desk.ts'
import { type Service, serve } from './serve.ts'
import { createSetting, type Setting } from './setting.ts'

export { expect }

type Fixtures = {
  /** A bench of the test's own: another workspace of the running service, gone afterwards. */
  readonly bench: Setting
  /** Opens the page of that bench; an uncaught error in the page fails the test. */
  readonly open: (words?: Texts) => Promise<Desk>
}

type WorkerFixtures = {
  readonly service: Service
  /** Undefined where a browser shows the page. */
  readonly desktop: Desktop | undefined
}

const withHost = base.extend<object, WorkerFixtures>({
  desktop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      if (HOST === 'browser') return use(undefined)
      if (missingWindow !== undefined) throw new Error(missingWindow)
      const desktop = await launchDesktop()
      const { control } = desktop.service
      // A person's new bench has a phone; the specs begin with a bench as `handset serve` makes it.
      const { phones } = await control.call('phones.list')
      for (const { id } of phones) await control.call('phones.delete', { params: { id } })
      await use(desktop)
      await desktop.service.stop()
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ desktop }, use) => {
      const service = desktop?.service ?? (await serve())
      await use(service)
      if (desktop === undefined) await service.stop()
    },
    { scope: 'worker' },
  ],
})

/** The same specs in the desktop program's window, which shows workspaces of its own bench and no other address. */
const inWindow = withHost.extend<{ page: Page }>({
  page: async ({ desktop, viewport, colorScheme, contextOptions }, use) => {
    if (desktop === undefined) throw new Error('there is no window')
    const { page } = desktop
    if (viewport !== null) await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: contextOptions.reducedMotion ?? null })
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await use(page)
  },
})

export const test = (HOST === 'browser' ? withHost : inWindow).extend<Fixtures>({
  bench: async ({ service }, use) => {
    const { control } = service
    const made = await control.call('workspaces.create', { body: {} })
    await use(await createSetting(control.workspace(made.id), { invite: () => service.invite(made.ui_url) }))
    await control.call('workspaces.close', { params: { id: made.id } })
  },
  open: async ({ page, bench }, use) => {
    const broken: string[] = []
    page.on('pageerror', (error) => broken.push(error.message))
    // The bank asks for its result every 100 ms instead of every second: most of a test would be waiting for that.
    await page.route(/\/simulator\/(register|sign-in)$/, (route) => {
      const asked = route.request().postDataJSON()
      return route.continue({ postData: JSON.stringify({ ...asked, interval_ms: 100 }) })
    })
    await use(async (words) => openDesk(page, await bench.invite(), words))
    expect(broken, 'uncaught errors in the page').toEqual([])
  },
})
