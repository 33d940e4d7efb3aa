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
