import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createPageServer } from '../support/page-server.ts'
import { expect, test as withBench } from './support/bench.ts'
import { type Desk, openDesk } from './support/pages/desk.ts'
import { ROOT } from './support/serve.ts'
import type { Setting } from './support/setting.ts'

type Fiber = {
  readonly alternate: Fiber | null
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly flags: number
  readonly type: unknown
}

type Recorder = { handsetRendered?: string[] }

/**
 * Names the components that React’s development build renders from now on, by the hook that React’s own developer tools use.
 * It has to be there before the page is.
 */
const recordRenders = async (page: Page): Promise<{ readonly take: () => Promise<readonly string[]> }> => {
  await page.addInitScript(() => {
    const rendered: string[] = []
    ;(window as Recorder).handsetRendered = rendered
    // React marks a fiber with this when its function was called.
    const PERFORMED_WORK = 1
    const nameOf = (type: unknown): string | undefined => {
      if (typeof type === 'function') return type.name
      const inner = (type as { type?: unknown } | null)?.type
      return typeof inner === 'function' ? inner.name : undefined
    }
    const visit = (fiber: Fiber): void => {
      const before = fiber.alternate
      const name = nameOf(fiber.type)
      if (name !== undefined && name !== '' && (before === null || (fiber.flags & PERFORMED_WORK) !== 0)) {
        rendered.push(name)
      }
      // The same children: nothing below was looked at.
      if (before !== null && before.child === fiber.child) return
      for (let child = fiber.child; child !== null; child = child.sibling) visit(child)
    }
    Object.assign(window, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        renderers: new Map(),
        supportsFiber: true,
        checkDCE: () => undefined,
        inject: () => 1,
        onScheduleFiberRoot: () => undefined,
        onCommitFiberUnmount: () => undefined,
        onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) => visit(root.current),
      },
    })
  })
  return { take: () => page.evaluate(() => (window as Recorder).handsetRendered?.splice(0) ?? []) }
}

/** The page from its source, in React’s development build: StrictMode calls every component and starts every effect twice. */
const test = withBench.extend<object, { readonly strictPage: (address: string) => string }>({
  strictPage: [
    async ({ service }, use) => {
      const server = await createPageServer({ root: ROOT, port: 0, benchOrigin: new URL(service.ready.ui_url).origin })
      await server.listen()
      const [origin = ''] = server.resolvedUrls?.local ?? []
      await use((address) => {
        const { pathname, hash } = new URL(address)
        return new URL(pathname + hash, origin).href
      })
      await server.close()
    },
    { scope: 'worker' },
  ],
})

// One server for the page from its source.
test.describe.configure({ mode: 'default' })

/** A sign-in that waits for its phone, after a registration, while time stands still. */
const play = async ({ control, rp, addPhone, register }: Setting): Promise<string> => {
  await control.call('clock.put', { body: { frozen: true } })
  await register(await addPhone('Alice'))
  await addPhone('Bo')
  const { msg_id } = await control.call('simulator.sign-in', {
    params: { rp: rp.id },
    body: { user_id: 'alice', username: 'alice', method: 'push', poll: false },
  })
  return msg_id
}

const showExchange = async ({ timeline, inspector }: Desk): Promise<void> => {
  await timeline.row('Scanned').click()
  await expect(inspector.root).toBeVisible()
}

const showConsole = async ({ page }: Desk): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+2')
  await expect(page.getByRole('button', { name: /^Delete / })).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Copy: First request' })).toBeVisible()
}

/** Drawn at the pace of a clock, with what stands in them. */
const TICKING: ReadonlySet<string> = new Set([
  ...['ClockPanel', 'ExpiryRuler', 'SetClock', 'OsClock', 'AnswersIn'],
  ...['LockScreen', 'Standing', 'Ridges', 'PushNote'],
])

/** The components of a folder, but for those that tick with the clock. */
const componentsIn = (folder: string): readonly string[] =>
  globSync(join(ROOT, 'src-renderer', folder, '*.tsx'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/const ([A-Z]\w+) = (?:memo\()?\(/g)])
    .map(([, name = '']) => name)
    .filter((name) => !TICKING.has(name))

const QUIET = ['console', 'phone', 'inspector'].flatMap(componentsIn)

test('what is rendered twice is what is rendered once @long', async ({ page, context, bench, strictPage }) => {
  await play(bench)
  const once = await openDesk(page, await bench.invite())
  const twice = await openDesk(await context.newPage(), strictPage(await bench.invite()))
  for (const show of [showExchange, showConsole]) {
    for (const desk of [once, twice]) await show(desk)
    await expect(async () => expect(await twice.main.ariaSnapshot()).toBe(await once.main.ariaSnapshot())).toPass()
  }
})

test('a poll renders no console, phone or inspector @long', async ({ page, bench, strictPage }) => {
  const params = { rp: bench.rp.id, msg_id: await play(bench) }
  const renders = await recordRenders(page)
  const desk = await openDesk(page, strictPage(await bench.invite()))
  const poll = async (): Promise<readonly string[]> => {
    const counted = await desk.statusBar.textContent()
    await renders.take()
    await bench.control.call('simulator.poll', { params, body: {} })
    await expect(desk.statusBar).not.toHaveText(counted ?? '')
    const rendered: string[] = []
    await expect(async () => {
      rendered.push(...(await renders.take()))
      expect(rendered).toContain('TimelinePane')
    }).toPass()
    return rendered
  }
  // The first poll makes a row of its own; those after it fold into it.
  await poll()
  await showExchange(desk)
  const onBench = await poll()
  expect(onBench).not.toContain('App')
  expect(onBench.filter((name) => QUIET.includes(name))).toEqual([])

  await showConsole(desk)
  const onConsole = await poll()
  expect(onConsole.filter((name) => QUIET.includes(name))).toEqual([])
})
