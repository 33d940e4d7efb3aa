import { expect, test } from './support/bench.ts'

test('the console’s clock goes to the next expiry, and the request runs out', async ({ open, bench }) => {
  await bench.addPhone()
  const desk = await open()
  await desk.rp.register()
  await desk.console.open()
  await desk.console.frozen.click()
  await expect(desk.console.clock).toContainText('The registration of alice times out in')
  await desk.console.nextExpiry.click()
  await expect(desk.console.clock).toContainText('Nothing is about to expire.')
  await expect(desk.statusBar).toContainText('frozen')
  await desk.console.close()
  await expect(desk.rp.heading).toHaveText('That took too long')
})

test('a key made in the console signs requests until it is deleted', async ({ open, bench }) => {
  const desk = await open()
  await desk.console.open()
  const { keys, shownKey } = desk.console
  await expect(keys.getByRole('row')).toHaveCount(2)
  await keys.getByRole('button', { name: 'New key' }).click()
  await expect(keys.getByRole('row')).toHaveCount(3)
  await expect(shownKey).toBeVisible()
  const [accessKeyId = '', secretKey = ''] = await shownKey.getByRole('code').allInnerTexts()
  const rp = bench.rpWith({ accessKeyId, secretKey })
  expect(await rp.credentials('alice')).toMatchObject({ ok: true })

  await keys.getByRole('button', { name: `Delete ${accessKeyId}` }).click()
  await expect(desk.page.getByText(`${accessKeyId} is deleted.`)).toBeVisible()
  await expect(keys.getByRole('row')).toHaveCount(2)
  expect(await rp.credentials('alice')).toMatchObject({ ok: false, error: { code: 40103 } })
  rp.close()
})
