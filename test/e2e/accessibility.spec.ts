import { expectAccessible } from './support/axe.ts'
import { expect, test } from './support/bench.ts'

// axe looks at every element of every state: on a busy machine that takes a while.
test.setTimeout(120_000)

test('axe finds nothing on the bench, from the first phone to a failure explained', async ({ open, bench, page }) => {
  const desk = await open()
  await expectAccessible(page, 'an empty bench')
  await desk.addFirstPhone.click()
  const alice = desk.phone('Alice')
  await desk.rp.register()
  await expectAccessible(page, 'a code is shown')
  await alice.scan()
  await alice.sensor.waitFor()
  await expectAccessible(page, 'a request on the phone')
  await alice.touch()
  await expect(desk.rp.status).toHaveText(/^Confirmed by /)
  await expectAccessible(page, 'the result')

  await alice.done.click()
  const [phone] = (await bench.control.call('phones.list')).phones
  await bench.control.call('phones.arm', { params: { id: phone?.id ?? '' }, body: { fault: 'origin-wrong' } })
  await desk.rp.signInByPush()
  await alice.push.waitFor()
  await expectAccessible(page, 'a push')
  await alice.push.click()
  await alice.touch()
  await desk.rp.why.click()
  await desk.inspector.steps.first().waitFor()
  await expectAccessible(page, 'a failure explained')
})

test('axe finds nothing in the inspector', async ({ open, bench, page }) => {
  await bench.register(await bench.addPhone())
  const desk = await open()
  await desk.timeline.row('Ask to register').click()
  for (const tab of ['Overview', 'Request', 'Response', 'Signature']) {
    await desk.inspector.tab(tab).click()
    await expectAccessible(page, tab)
  }
  await desk.timeline.row('New key').click()
  await desk.inspector.tab('Decoded').click()
  await expectAccessible(page, 'Decoded')
})

test('axe finds nothing in the console', async ({ open, bench, page }) => {
  await bench.register(await bench.addPhone())
  const desk = await open()
  await desk.console.open()
  await expectAccessible(page, 'an RP')
  for (const place of ['Add a relying party', 'Profile', 'Phones', 'Workspaces']) {
    await desk.console.place(place).click()
    await expectAccessible(page, place)
  }
})

test('axe finds nothing in the palette, the list of keys and the presentation', async ({ open, page }) => {
  const desk = await open()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
  await expectAccessible(page, 'the palette')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await expectAccessible(page, 'the list of keys')
  await page.keyboard.press('Escape')
  await desk.page.getByRole('button', { name: 'Present', exact: true }).click()
  await page.getByText('Meet a key that nobody has to remember.').waitFor()
  await expectAccessible(page, 'a presentation')
})

test.describe('390 by 844 pixels', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('axe finds nothing on the narrow screen', async ({ open, bench, page }) => {
    await bench.register(await bench.addPhone())
    const desk = await open()
    for (const pane of ['RP', 'Phones', 'Timeline'] as const) {
      await desk.pane(pane).click()
      await expectAccessible(page, pane)
    }
    await desk.timeline.row('New key').click()
    await desk.pane('Inspect').click()
    await expectAccessible(page, 'Inspect')
  })
})

test('axe finds nothing on a page without its key', async ({ bench, page }) => {
  const [plain = ''] = (await bench.invite()).split('#')
  await page.goto(plain)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expectAccessible(page, 'the gate')
})
