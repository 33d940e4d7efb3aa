import { readFileSync } from 'node:fs'
import { expect, test } from './support/bench.ts'

const FAILED = /^# ✗ `origin_mismatch`: registration of `alice`\n[\s\S]*```yaml handset-scenario seed=/

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

test('one click on a ceremony saves its bug report and copies the same text', async ({ open, bench }) => {
  const phone = await bench.addPhone('Alice')
  await bench.arm(phone, 'origin-wrong')
  await expect(bench.register(phone)).rejects.toThrow('origin_mismatch')
  const { page, timeline } = await open()
  const report = timeline.root.getByRole('button', { name: /^Bug report: Register alice/ })
  const [download] = await Promise.all([page.waitForEvent('download'), report.click()])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(download.suggestedFilename()).toBe('registration-of-alice-origin-mismatch.report.md')
  expect(saved).toMatch(FAILED)
  await expect(timeline.root.getByRole('button', { name: 'Saved, and copied' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(saved)
})

test('by keyboard it comes from the inspector, and from the palette @long', async ({ open, bench }) => {
  const phone = await bench.addPhone('Alice')
  await bench.arm(phone, 'origin-wrong')
  await expect(bench.register(phone)).rejects.toThrow('origin_mismatch')
  const { page, timeline, inspector } = await open()
  await timeline.row('Ask to register').press('Enter')
  await inspector.root.waitFor()
  const [first] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('b')])
  const fromInspector = readFileSync(await first.path(), 'utf8')
  expect(fromInspector).toMatch(FAILED)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('bug report')
  const [second] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  const fromPalette = readFileSync(await second.path(), 'utf8')
  expect(fromPalette).toMatch(FAILED)
})
