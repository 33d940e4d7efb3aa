import type { Page } from '@playwright/test'
import { SHELL_NOTE } from '../../src-main/core/contract/page-address.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { expect, test } from './support/bench.ts'

/** The command palette. */
const paletteOf = (page: Page) => {
  const root = page.getByRole('dialog', { name: 'Search and commands' })
  const search = root.getByRole('combobox', { name: 'Search everything, or run a command' })
  const options = root.getByRole('listbox').getByRole('option')
  return {
    root,
    search,
    options,
    chosen: root.getByRole('option', { selected: true }),
    open: async () => {
      await page.keyboard.press('ControlOrMeta+k')
      await expect(search).toBeFocused()
    },
    /** Types, and runs what is found first. */
    run: async (query: string, title: string) => {
      await page.keyboard.press('ControlOrMeta+k')
      await search.fill(query)
      await expect(root.getByRole('option', { selected: true })).toHaveAccessibleName(title)
      await page.keyboard.press('Enter')
      await expect(root).toBeHidden()
    },
  }
}

const notice = (page: Page) => page.locator('[data-part="notice"]')

test('a sentence of the desktop program is shown, and said to be @long', async ({ open, page }) => {
  await open()
  const isTaken = () =>
    page.evaluate(
      (type) => !dispatchEvent(new CustomEvent(type, { detail: 'No notices: not signed', cancelable: true })),
      SHELL_NOTE,
    )
  await expect.poll(isTaken).toBe(true)
  await expect(notice(page)).toHaveText('No notices: not signed')
})

test('the palette opens, finds and runs', async ({ open, page, bench }) => {
  await bench.addPhone()
  const desk = await open()
  const palette = paletteOf(page)
  await palette.open()
  await expect(palette.chosen).toHaveAccessibleName('Bench')
  await page.keyboard.press('ArrowDown')
  await expect(palette.chosen).toHaveAccessibleName('Console')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(palette.chosen, 'the list goes round').toHaveAccessibleName('Copy the access key ID')
  await expect(palette.search).toHaveAttribute('aria-activedescendant', (await palette.chosen.getAttribute('id')) ?? '')

  await page.keyboard.type('regqr')
  await expect(palette.chosen).toHaveAccessibleName('Register alice with a QR code')
  await page.keyboard.press('Enter')
  await expect(palette.root).toBeHidden()
  await expect(desk.rp.registrationCode).toBeVisible()

  await palette.run('scan', 'Scan with the phone')
  await expect(desk.phone('Alice').heading).toHaveText('Register with Demo RP?')
  await palette.run('approve', 'Approve: touch its sensor')
  await expect(desk.rp.heading).toHaveText('Your phone is registered')
  await palette.run('push', 'Sign alice in by a push')
  await expect(desk.rp.heading).toHaveText('Look at your phone')
  await expect.poll(() => bench.message()).toMatchObject({ kind: 'authentication', method: 'push' })
})

test('clock, snapshot, phones and screens are commands @long', async ({ open, page, bench }) => {
  const desk = await open()
  const palette = paletteOf(page)
  await palette.run('freeze', 'Freeze the clock')
  await expect(notice(page)).toHaveText('The clock stands still.')
  await expect.poll(() => bench.control.call('clock.get')).toMatchObject({ frozen: true })
  await expect(desk.statusBar).toContainText('frozen')
  await page.keyboard.press('f')
  await expect(notice(page)).toHaveText('The clock runs.')

  await page.keyboard.press('.')
  await expect(
    page.getByRole('alert').filter({ hasText: textOf(en.reasons, { code: 'nothing_to_expire' }) }),
  ).toBeVisible()

  await palette.run('snap', 'Take a snapshot')
  await expect(notice(page)).toHaveText('Snapshot 1 is kept.')
  await palette.run('add', 'Add a phone')
  await expect(desk.phone('Alice').root).toBeVisible()
  await palette.run('console', 'Console')
  await expect(page.getByRole('heading', { level: 1, name: 'Console' })).toBeAttached()
  await page.keyboard.press('ControlOrMeta+1')
  await expect(desk.rp.root).toBeVisible()
})

test('there is no way back from a reset, so it is asked twice @long', async ({ open, page, bench }) => {
  await bench.registered()
  const desk = await open()
  const palette = paletteOf(page)
  await palette.open()
  await palette.search.fill('reset')
  await page.keyboard.press('Enter')
  await expect(palette.chosen).toHaveAccessibleName('Press Enter again to confirm')
  await expect.poll(async () => (await bench.control.call('credentials.list')).credentials).toHaveLength(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await expect(palette.chosen, 'another choice takes it back').toHaveAccessibleName('Reset the bench')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(notice(page)).toHaveText('The bench is empty again.')
  await expect.poll(async () => (await bench.control.call('credentials.list')).credentials).toEqual([])
  await expect(desk.phone('Alice').root).toBeHidden()
})

test('a finding says where it leads, goes there and gives its link @long', async ({ open, page, bench, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const phone = await bench.registered()
  const desk = await open()
  const palette = paletteOf(page)
  const find = async (query: string, leads: string) => {
    await palette.open()
    await palette.search.fill(query)
    await expect(palette.chosen).toContainText(leads)
  }
  const base = page.url().replace(/\/$/, '')

  await find('message_ttl_s', 'Profile · ')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${base}/console/profile/message_ttl_s`)
  await expect(page.locator('[data-led]')).toContainText('message_ttl_s')
  await expect(page.locator('[data-led]').locator(':focus')).toHaveCount(1)

  await find('alice respond', 'Console · Phones')
  await palette.chosen.click()
  await expect(page).toHaveURL(`${base}/console/phones/${phone.id}/answer`)
  await expect(page.locator('[data-led]')).toHaveText('Respond')

  await find('success alice', 'Timeline · ')
  await page.keyboard.press('Alt+Enter')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/\/w\/[\w-]+\/c\/[\w-]{22}$/)
  const link = await copied()
  await expect(page, 'a copied link leaves the page where it is').toHaveURL(/\/answer$/)
  await find(link.slice(-22, -4), 'Timeline · ')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/c/${link.slice(-22)}/\\w+$`))
  await expect(desk.inspector.root).toBeVisible()
})

test('what is found is copied, opened or run; what is not is said @long', async ({ open, page, bench, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { addresses } = await bench.control.call('overview')
  const main = bench.control.workspace('main')
  const { id } = await main.call('workspaces.create', { body: {} })
  const desk = await open()
  const palette = paletteOf(page)
  for (const [typed, title, text] of [
    ['base', 'Copy the base URL', addresses.base_url],
    ['between your rp', 'Between your RP and a service Enter copies docs/using/proxy.md', 'docs/using/proxy.md'],
  ] as const) {
    await palette.run(typed, title)
    await expect(notice(page)).toHaveText(`Copied: ${text}`)
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
  }

  await page.getByRole('button', { name: 'Search or run a command' }).click()
  await palette.search.fill('xyzzy')
  await expect(palette.options).toHaveCount(0)
  await expect(palette.root.getByRole('status')).toHaveText('Nothing here is called that.')
  await palette.search.fill('insp')
  await palette.options.filter({ hasText: 'Inspector' }).click()
  await expect(desk.inspector.root).toBeVisible()

  await palette.open()
  await palette.search.fill(id)
  await expect(palette.chosen).toHaveAccessibleName(`${id} Another workspace`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/w/${id}/$`))
  await main.call('workspaces.close', { params: { id } })
})

test('an invisible character of a name is shown as its number everywhere but in its field', async ({
  open,
  page,
  bench,
}) => {
  const [name, shown] = ['Shop\u202elive', 'Shop\\u202elive']
  await bench.control.call('rps.patch', { params: { rp: bench.rp.id }, body: { name } })
  const desk = await open()
  await expect(desk.rp.root).toContainText(shown)
  const palette = paletteOf(page)
  await palette.open()
  await palette.search.fill('shop')
  await expect(palette.chosen).toHaveAccessibleName(/^Shop\\u202elive /)
  await page.keyboard.press('Enter')
  await expect(desk.console.root.getByRole('heading', { level: 2, name: shown })).toBeVisible()
  await expect(page).toHaveTitle(/^Shop\\u202elive /)
  await expect(desk.console.root.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(name)
  await expect(page.locator('body')).not.toContainText('\u202e')
})
