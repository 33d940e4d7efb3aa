import { spawnSync } from 'node:child_process'
import { expect, test } from './support/bench.ts'

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

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
