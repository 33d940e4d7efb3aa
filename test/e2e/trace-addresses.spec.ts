import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from './support/bench.ts'
import { desk as deskOf } from './support/pages/desk.ts'

const saveTrace = async (page: Page): Promise<Buffer> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save trace' }).click(),
  ])
  await expect(page.getByRole('status').filter({ hasText: 'Saved as' })).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  return readFileSync(await download.path())
}

const choose = async (page: Page, name: string, buffer: Buffer, press: () => Promise<void>): Promise<void> => {
  const choosing = page.waitForEvent('filechooser')
  // A key is quicker than the browser hears that a test waits for the dialog.
  await page.evaluate(() => undefined)
  await press()
  await (await choosing).setFiles({ name, mimeType: 'application/octet-stream', buffer })
}

const traceOf = (page: Page) => page.locator('[data-part="trace"]')

test('a place in a trace has an address that back and a reload lead to @long', async ({ open, page, bench }) => {
  await bench.registered()
  const desk = await open()
  const bytes = await saveTrace(page)
  await choose(page, 'monday.handset', bytes, () => page.keyboard.press('o'))
  const trace = traceOf(page)
  await expect(trace).toContainText('monday.handset')
  await expect(page).toHaveURL(/\/trace\/[\w-]{22}\?name=monday\.handset$/)
  await expect(page).toHaveTitle(/monday\.handset/)

  const inTrace = deskOf(page)
  await trace.getByText('Ask to register').click()
  await expect(page).toHaveURL(/\/trace\/[\w-]{22}\/e\/\d+\/steps\?name=monday\.handset$/)
  await trace.getByRole('tab', { name: 'Response' }).click()
  const place = page.url().replace('/steps', '/response')
  await expect(page).toHaveURL(place)

  await page.reload()
  await expect(trace.getByRole('tab', { name: 'Response' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(place)
  // Pasted anywhere, it opens in Inspect, which leads back; what is searched for stays in the address.
  await inTrace.timeline.filter.fill('user:nobody')
  await expect(trace.getByRole('button', { name: 'Open in Inspect' }).first()).toBeVisible()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'a10102')
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await page.getByRole('button', { name: 'Back to the trace' }).click()
  await page.reload()
  await expect(inTrace.timeline.filter).toHaveValue('user:nobody')
  await expect(page).toHaveURL(`${place}&q=user%3Anobody`)
  await trace.getByRole('button', { name: 'Back to the workspace' }).click()
  await expect(desk.statusBar).toBeVisible()
  await expect(page).not.toHaveURL(/\/trace\//)
  await page.goBack()
  await expect(trace.getByRole('tab', { name: 'Response' })).toHaveAttribute('aria-selected', 'true')

  // The palette looks through what is shown.
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('register alice')
  await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toContainText('alice')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/trace\/[\w-]{22}\/c\/[\w-]{22}\/overview\?name=/)
  await expect(inTrace.inspector.tab('Overview')).toHaveAttribute('aria-selected', 'true')
})

test('a link into a trace asks for token and file elsewhere @long', async ({ open, page, bench, service, browser }) => {
  await bench.registered()
  await open()
  const bytes = await saveTrace(page)
  await choose(page, 'monday.handset', bytes, () => page.keyboard.press('o'))
  await traceOf(page).getByText('Ask to register').click()
  await expect(page).toHaveURL(/\/e\/\d+\/steps/)
  const link = page.url()

  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await expect(deskOf(other).gate).toHaveText('This page needs its key')
  await other.locator('input').fill(service.ready.token)
  await other.keyboard.press('Enter')
  await expect(deskOf(other).gate).toHaveText('This link leads to the trace monday.handset')
  await expect(other.getByRole('button', { name: 'Choose the file…' })).toBeFocused()
  await choose(other, 'tuesday.handset', bytes, () => other.keyboard.press('Enter'))
  await expect(traceOf(other)).toContainText('tuesday.handset')
  await expect(other).toHaveURL(link)
  await expect(deskOf(other).inspector.chosen.or(deskOf(other).inspector.root).first()).toBeVisible()
  await other.context().close()

  await page.goto(link.replace(/\/trace\/.*/, '/trace/AAAAAAAAAAAAAAAAAAAAAA/e/12?name=lost.handset'))
  await expect(deskOf(page).gate).toHaveText('This link leads to the trace lost.handset')
  await choose(page, 'other.handset', bytes, () => page.getByRole('button', { name: 'Choose the file…' }).click())
  await expect(page.getByRole('alert')).toContainText('other.handset is open. It is another file than the link names')
  await expect(page).toHaveURL(/\/trace\/(?!AAAA)[\w-]{22}(\/.*)?\?name=other\.handset$/)
})
