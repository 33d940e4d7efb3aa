import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseScenarios } from '../../src-main/testing/scenario/parse-scenario.ts'
import { expect, test } from './support/bench.ts'
import { ROOT } from './support/page-is-built.ts'

test('what is done on the page while it records is saved as a scenario', async ({ open, bench }) => {
  const phone = await bench.addPhone('Alice')
  const desk = await open()
  const { page } = desk
  const record = page.getByRole('button', { name: 'Record a scenario' })
  await record.click()
  const save = page.getByRole('button', { name: 'End the recording and save it as a scenario' })
  await expect(save).toHaveAttribute('aria-pressed', 'true')
  await bench.register(phone)
  await expect(desk.timeline.group('Register alice by QR code')).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(download.suggestedFilename()).toMatch(/^recorded-.*\.yaml$/)
  const parsed = parseScenarios(readFileSync(await download.path(), 'utf8'))
  expect(parsed.ok && parsed.value[0]?.steps.map(({ word }) => word)).toEqual([
    'register',
    'scan',
    'approve',
    'expect',
    'home',
  ])
  await expect(record).toBeVisible()
})

const FAILED = /^# ✗ `origin_mismatch`: registration of `alice`\n[\s\S]*```yaml handset-scenario seed=/

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

test('a bug report is saved and copied by a click, and comes by a key and from the palette', async ({
  open,
  bench,
}) => {
  const phone = await bench.addPhone('Alice')
  await bench.arm(phone, 'origin-wrong')
  await expect(bench.register(phone)).rejects.toThrow('origin_mismatch')
  const { page, timeline, inspector } = await open()
  const report = timeline.root.getByRole('button', { name: /^Bug report: Register alice/ })
  const [download] = await Promise.all([page.waitForEvent('download'), report.click()])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(download.suggestedFilename()).toBe('registration-of-alice-origin-mismatch.report.md')
  expect(saved).toMatch(FAILED)
  await expect(timeline.root.getByRole('button', { name: 'Saved, and copied' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(saved)

  await timeline.row('Ask to register').press('Enter')
  await inspector.root.waitFor()
  const again = async (key: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press(key)])
    const text = readFileSync(await file.path(), 'utf8')
    expect(text).toMatch(FAILED)
  }
  await again('b')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('bug report')
  await again('Enter')
})

test('an exchange is copied as a program, in the language that was chosen last', async ({ open, bench }) => {
  await bench.registered()
  const desk = await open()
  const { page, timeline, inspector } = desk
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await timeline.row('Ask to register').click()
  const language = inspector.root.getByRole('combobox', { name: 'Language of the copied code' })
  await expect(language).toHaveValue('curl')
  await language.focus()
  await page.keyboard.type('N')
  await expect(language).toHaveValue('node')
  await inspector.root.getByRole('button', { name: 'Copy as Node' }).press('Enter')
  await expect(inspector.root.getByRole('button', { name: 'Copied' })).toBeVisible()
  const [key] = (await bench.control.call('keys.list', { params: { rp: bench.rp.id } })).keys
  const params = { rp: bench.rp.id, key: key?.id ?? '' }
  const { secret } = await bench.control.call('keys.reveal', { params, body: {} })
  await expect.poll(copied).toContain('SECRET_KEY')
  await expect.poll(copied).not.toContain(secret)
  const run = spawnSync(process.execPath, ['--input-type=module', '-'], {
    env: { SECRET_KEY: secret },
    input: await copied(),
    encoding: 'utf8',
  })
  expect(run.stderr).toBe('HTTP 200\n')
  expect(JSON.parse(run.stdout)).toMatchObject({ code: 0 })

  await page.reload()
  await timeline.row('Scanned').click()
  await expect(language).toHaveValue('node')
  await page.keyboard.press('c')
  await expect.poll(copied).toContain('env.DEVICE_TOKEN')
})

test('the first request of one’s own code is signed, and works as it stands @long', async ({ open, bench }) => {
  const desk = await open()
  await desk.console.open()
  const part = desk.page.getByRole('region', { name: 'From your own code' })
  const code = part.locator('dl > div', { hasText: 'First request' }).locator('dd code')
  await expect(code).toHaveText(/HANDSET_ACCESS_KEY=.* handset sign GET/)
  const line = (await code.textContent()) ?? ''
  const [, key = ''] = /HANDSET_ACCESS_KEY="(\w+):\$SECRET_KEY"/.exec(line) ?? []
  const { secret } = await bench.control.call('keys.reveal', { params: { rp: bench.rp.id, key }, body: {} })
  await expect(code).not.toContainText(secret)
  const handset = `'${process.execPath}' '${join(ROOT, 'src-main/bin.mjs')}'`
  const run = spawnSync('sh', ['-c', line.replace('npx handset', handset)], {
    env: { ...process.env, SECRET_KEY: secret },
    encoding: 'utf8',
  })
  expect(run.stderr).toBe('')
  expect(JSON.parse(run.stdout)).toMatchObject({ code: 0, data: { total: 0 } })
})
