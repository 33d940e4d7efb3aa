import { openAlone } from './support/alone.ts'
import { expect, test } from './support/bench.ts'

test('a workspace’s report says and shows what went wrong, and loads nothing', async ({ page, bench, service }) => {
  const phone = await bench.registered()
  const { control } = bench
  await bench.arm(phone, 'origin-wrong')
  const { rps } = await control.call('rps.list')
  const user = { user_id: 'alice', username: 'alice', method: 'qrcode' as const, poll: false }
  const { url } = await control.call('simulator.sign-in', { params: { rp: rps[0]?.id ?? '' }, body: user })
  await control.call('phones.scan', { params: { id: phone.id }, body: { url } })
  await control.call('phones.approve', { params: { id: phone.id }, body: {} })
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${service.ready.token}` })
  const standsAlone = await openAlone(page, `${control.controlUrl}/report.html?failure=expected%20success`)
  await expect(page.getByText('expected success')).toBeVisible()
  await expect(page.getByText('Fault of the phone: origin-wrong.')).toBeVisible()
  await expect(page.locator('[data-part="inspector"]')).toContainText('origin_mismatch')
  await page.locator('[data-part="timeline"]').getByText('Registers passkey').click()
  await expect(page.locator('[data-part="inspector"]')).not.toContainText('origin_mismatch')
  await page.getByRole('list').first().getByRole('link').last().click()
  await expect(page.locator('[data-part="inspector"]')).toContainText('origin_mismatch')
  await standsAlone('the report of a workspace')
})
