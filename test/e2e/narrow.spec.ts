import { expect, test } from './support/bench.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('on a narrow screen a row opens its exchange, and closing it leads back @long', async ({ open, bench }) => {
  await bench.register(await bench.addPhone())
  const desk = await open()
  await desk.pane('Timeline').click()
  await desk.timeline.row('Ask to register').click()
  await expect(desk.inspector.root).toBeVisible()
  await expect(desk.inspector.root).toContainText('attestation/options')
  await desk.pane('Timeline').click()
  await expect(desk.timeline.row('Ask to register')).toBeVisible()
  await desk.console.open()
  // The list of places is one line, and the place below it goes down to the window's end.
  const nav = desk.page.getByRole('navigation', { name: 'Console' })
  await expect.poll(async () => (await nav.boundingBox())?.height).toBeLessThan(50)
  const main = desk.page.getByRole('main').filter({ visible: true })
  await expect.poll(() => main.evaluate((element) => element.getBoundingClientRect().bottom)).toBe(844)
  await desk.console.place('Workspaces').click()
})
