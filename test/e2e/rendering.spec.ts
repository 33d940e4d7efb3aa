import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPageServer } from '../support/page-server.ts'
import { expect, test as withBench } from './support/bench.ts'
import { type Desk, openDesk } from './support/pages/desk.ts'
import { recordRenders } from './support/rendered.ts'
import { ROOT } from './support/serve.ts'
import type { Setting } from './support/setting.ts'

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

test('what is rendered twice is what is rendered once', { tag: '@long' }, async ({
  page,
  context,
  bench,
  strictPage,
}) => {
  await play(bench)
  const once = await openDesk(page, await bench.invite())
  const twice = await openDesk(await context.newPage(), strictPage(await bench.invite()))
  for (const show of [showExchange, showConsole]) {
    for (const desk of [once, twice]) await show(desk)
    await expect(async () => expect(await twice.main.ariaSnapshot()).toBe(await once.main.ariaSnapshot())).toPass()
  }
})

test('a poll renders the timeline, and no console, phone or inspector', { tag: '@long' }, async ({
  page,
  bench,
  strictPage,
}) => {
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
