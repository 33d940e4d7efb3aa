import { expect, test } from './support/bench.ts'
import { desk as deskOf } from './support/pages/desk.ts'

test('a used address is refused; the page says how to get another', async ({ bench, context, browser }) => {
  const address = await bench.invite()
  const first = deskOf(await context.newPage())
  await first.page.goto(address)
  await expect(first.statusBar).toHaveText(/^Running/)

  // In this browser it need not open anything: the session is there.
  const again = deskOf(await context.newPage())
  await again.page.goto(address)
  await expect(again.statusBar).toHaveText(/^Running/)

  const second = deskOf(await (await browser.newContext()).newPage())
  await second.page.goto(address)
  await expect(second.gate).toHaveText('This address was used before')
  await expect(second.main).toContainText('The code in it opens one page, once. Ask the program for a new address.')
  await expect(second.main).toContainText('handset open')
  await expect(first.statusBar).toHaveText(/^Running/)
  await second.page.goto(await bench.invite())
  await expect(second.statusBar).toHaveText(/^Running/)
  await second.page.context().close()
})
