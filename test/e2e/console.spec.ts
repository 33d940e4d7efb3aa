import { readFileSync } from 'node:fs'
import { expect, test } from './support/bench.ts'

test('the bench’s own roots come as a file, and that file is trusted again @long', async ({ open, page, bench }) => {
  await bench.addPhone()
  const desk = await open()
  await desk.console.open()
  await desk.console.place('Trust roots').click()
  const { root } = desk.console
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    root.getByRole('button', { name: 'Download own roots' }).click(),
  ])
  const pem = readFileSync(await download.path(), 'utf8')
  expect(pem).toContain('-----BEGIN CERTIFICATE-----')
  for (const { id } of (await bench.control.call('roots.list')).roots) {
    await bench.control.call('roots.delete', { params: { id } })
  }
  await expect(root).toContainText('No root: no attestation is trusted.')
  const first = `${pem.split('-----END CERTIFICATE-----')[0]}-----END CERTIFICATE-----\n`
  await root
    .getByLabel('From a file…')
    .setInputFiles({ name: 'workshop.pem', mimeType: 'application/x-pem-file', buffer: Buffer.from(first) })
  await root.getByRole('button', { name: 'Trust it' }).click()
  await expect(root.getByRole('row')).toHaveCount(2)
  await root.getByRole('button', { name: 'Trust workshop no longer' }).click()
  await expect(root).toContainText('No root: no attestation is trusted.')
})

test('a workspace goes into a file and comes back from it @long', async ({ open, page, bench }) => {
  await bench.registered()
  const desk = await open()
  await desk.console.open()
  await desk.console.place('Workspaces').click()
  const { root } = desk.console
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    root.getByRole('button', { name: 'Save as a file' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.json$/)
  const buffer = readFileSync(await download.path())
  await bench.control.call('workspace.reset', { body: {} })
  await expect.poll(async () => (await bench.control.call('credentials.list', { query: {} })).credentials).toEqual([])
  await root.getByLabel('A workspace’s file').setInputFiles({ name: 'kept.json', mimeType: 'application/json', buffer })
  await root.getByRole('button', { name: 'Put kept.json in the place of all that is here' }).click()
  await expect(root).toContainText('Loaded.')
  await expect
    .poll(async () => (await bench.control.call('credentials.list', { query: {} })).credentials)
    .toHaveLength(1)
})

test('a code is kept from expiring at the RP, and expires by the console’s clock @long', async ({ open, bench }) => {
  await bench.addPhone()
  const desk = await open()
  await desk.rp.register()
  await desk.rp.root.getByRole('button', { name: 'Keep the code from expiring' }).click()
  await expect(desk.statusBar).toContainText('frozen')
  await expect.poll(async () => (await bench.control.call('clock.get')).frozen).toBe(true)
  await desk.rp.root.getByRole('button', { name: 'Let the clock run again' }).click()
  await expect(desk.statusBar).toContainText('live')

  await desk.console.open()
  await desk.console.frozen.click()
  await expect(desk.console.clock).toContainText('The registration of alice times out in')
  await desk.console.nextExpiry.click()
  await expect(desk.console.clock).toContainText('Nothing is about to expire.')
  await expect(desk.statusBar).toContainText('frozen')
  await desk.console.close()
  await expect(desk.rp.heading).toHaveText('That took too long')
})

test('the console says at the field which number is wrong, and signs a device out @long', async ({ open, bench }) => {
  const { id } = await bench.addPhone()
  const desk = await open()
  await desk.console.open()
  await desk.console.place('Phones').click()
  const { card } = desk.console.phone('Alice')
  const delay = card.getByRole('textbox', { name: 'Delay of Alice' })
  await delay.fill('1.5')
  await delay.press('Enter')
  await expect(card.getByRole('alert')).toHaveText('A whole number from 0 to 86,400,000')
  await delay.fill('250')
  await delay.press('Enter')
  await expect(card.getByRole('alert')).toBeHidden()
  await expect
    .poll(async () => (await bench.control.call('phones.get', { params: { id } })).behaviour.delay_ms)
    .toBe(250)

  await desk.console.clock.getByRole('button', { name: 'Set…' }).click()
  await desk.console.clock.getByLabel('Set the clock to').fill('')
  await desk.console.clock.getByRole('button', { name: 'Set', exact: true }).click()
  await expect(desk.console.clock.getByRole('alert')).toHaveText('Give a date and a time between 1970 and 9999.')

  await desk.console.place('Accounts and devices').click()
  const account = desk.console.root.getByRole('region', { name: 'Account of Alice' })
  await expect(account.getByRole('row')).toHaveCount(2)
  await account.getByRole('button', { name: /^Sign .* out$/ }).click()
  await expect(account).toContainText('No device is signed in.')
  await expect.poll(async () => (await bench.control.call('devices.list')).devices).toEqual([])
})

test('the menu of RPs leads to where one is added, and not while arrow keys pass it @long', async ({ open, page }) => {
  await open()
  const menu = page.getByRole('combobox', { name: 'Relying party', exact: true })
  await menu.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-part="console"]')).toHaveCount(0)
  await menu.selectOption({ label: 'Add a relying party…' })
  await expect(page).toHaveURL(/\/console\/new-rp$/)
})
