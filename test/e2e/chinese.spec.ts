import { chinese } from '../../src-renderer/ui/texts-zh.ts'
import { expect, test } from './support/bench.ts'

test.use({ locale: 'zh-CN' })

const { rp, phone, timeline, console: settings, frame } = chinese

test('a registration, its steps and the console are in Chinese', async ({ bench, page }) => {
  await page.goto(await bench.invite())
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const name = phone.names[0]
  await expect(page.getByRole('contentinfo')).toHaveText(/^运行中/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await button(phone.addFirst).click()
  await button(rp.form.registerButton).click()
  await expect(page.getByRole('img', { name: rp.scan.code.registration })).toBeVisible()
  await button(phone.scan(name)).click()
  await expect(page.getByRole('heading', { name: '在 Demo RP 注册？' })).toBeVisible()

  await button(phone.request.touch).click()
  await expect(page.getByRole('heading', { name: '你的手机已注册' })).toBeVisible()
  await expect(page.getByText('1 个通行密钥')).toBeVisible()
  await expect.poll(async () => (await bench.message()).state).toBe('success')
  const made = page.getByRole('button', { name: timeline.words['POST app/messages/{msg_id}/attestation'] ?? '' })
  await made.first().click()
  await page.getByRole('tab', { name: chinese.inspector.steps, exact: true }).click()
  await expect(page.getByRole('option', { name: '挑战与发出的一致' })).toBeVisible()

  await button(frame.console).click()
  await expect(page.getByRole('region', { name: settings.keys.title })).toBeVisible()
  const places = page.getByRole('navigation', { name: frame.console })
  await places.getByRole('button', { name: settings.profile }).click()
  await expect(page.getByText('X-Svc-Date 与服务时间最多可以相差多少。')).toBeVisible()
})

test('another language can be chosen, and is remembered @long', async ({ bench, page }) => {
  await page.goto(await bench.invite())
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('contentinfo')).toHaveText(/^Running/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.reload()
  await expect(page.getByRole('contentinfo')).toHaveText(/^Running/)
  await page.getByRole('button', { name: '中文' }).click()
  await expect(page.getByRole('contentinfo')).toHaveText(/^运行中/)
})
