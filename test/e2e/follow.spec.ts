import { en } from '../../src-main/messages/en/en.ts'
import { callersOf } from '../robustness/callers.ts'
import { openLine } from '../robustness/line.ts'
import { expect, test } from './support/bench.ts'
import type { Service } from './support/serve.ts'
import type { Setting } from './support/setting.ts'

/** So many calls of somebody's own RP, as fast as they go: one and the same, which stays good for some minutes. */
const call = async ({ control, rp }: Setting, service: Service, count: number): Promise<void> => {
  const { key, secret } = await control.call('keys.create', { params: { rp: rp.id }, body: {} })
  const { workspace } = await control.call('overview')
  const site = { port: service.port, token: service.ready.token, workspace }
  const callers = callersOf({ ...site, key: { accessKeyId: key.id, secretKey: secret } })
  const request = callers.rp('GET', '/rp/credentials?user_id=nobody')
  const lines = Array.from({ length: 4 }, () => openLine(service.port))
  await Promise.all(
    lines.map(async (line, n) => {
      for (let at = n; at < count; at += lines.length) await line.ask(request)
      line.close()
    }),
  )
}

/** More than the page reads when it opens. */
const BEYOND = 5_200

test('a page that opens late is at the end, follows, and finds older @long', async ({ open, bench, service, page }) => {
  const phone = await bench.registered('origin-wrong')
  const refused = await bench.register(phone, { user: 'mallory' }).catch((error: Error) => error.message)
  expect(refused).toContain('origin_mismatch')
  const { id } = await bench.message()
  await call(bench, service, BEYOND)

  const desk = await open()
  const { groups, filter, root, row, live } = desk.timeline
  const last = row('List passkeys').last()
  for (const more of [0, 3]) {
    if (more > 0) await call(bench, service, more)
    const { last_seq } = await bench.control.call('overview')
    await expect(desk.statusBar).toContainText(`${last_seq.toLocaleString('en')} events`)
    await expect(live).toHaveText('Live')
    await expect(last).toBeInViewport({ ratio: 1 })
  }
  await expect(root.getByRole('progressbar')).toHaveCount(0)
  await expect(groups.getByText('mallory')).toHaveCount(0)
  // The chips count what the page does not hold as well.
  const failed = root.getByRole('button', { name: /^Failed / })
  await expect(failed).toHaveText('Failed 1')
  await expect(failed).not.toHaveAttribute('title', /loaded/)

  await failed.click()
  await expect(groups).toHaveCount(1)
  await expect(groups).toContainText('mallory')
  await expect(root.locator('output')).toHaveText(/^1 of /)
  await filter.fill('user:mallory state:success')
  await expect(root).toContainText('Nothing matches this filter.')

  const home = page.url().replace(/\/\?.*$/, '')
  await page.goto(`${home}/c/${id}`)
  await expect(desk.inspector.panel.getByRole('heading', { level: 2 })).toHaveText(en.failures.origin_mismatch)
  await expect(row('Registers passkey').last()).toHaveAttribute('aria-pressed', 'true')
  // Between that and what the page holds something is missing: it says so, and loads it.
  const gap = root.locator('[data-part="gap"]')
  await expect(gap).toContainText(/about [\d,]+ events are not shown/)
  await gap.getByRole('button').click()
  await expect(gap).toHaveCount(0)
  const { events } = await bench.control.call('events.list', { query: { msg_id: id, kind: 'exchange', limit: 1 } })
  await page.goto(`${home}/e/${events[0]?.seq}/request`)
  await expect(desk.inspector.panel).toContainText('"mallory"')
})

test('a push brings the phone that it asks into sight @long', async ({ open, bench }) => {
  const names = ['Alice', 'Bo', 'Cleo', 'Dora', 'Emil', 'Fay']
  for (const [n, name] of names.entries()) {
    const account = { name, phone: `1370000000${n}` }
    await bench.control.call('phones.create', { body: { name, account } })
  }
  const [last] = (await bench.control.call('phones.list')).phones.toReversed()
  if (last === undefined) throw new Error('there is no phone')
  await bench.register(last)
  const desk = await open()
  const fay = desk.phone('Fay')
  await expect(fay.root).not.toBeInViewport()
  await desk.rp.signInByPush()
  await expect(fay.root).toBeInViewport({ ratio: 1 })
})
