import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { texts } from '../../src-renderer/ui/texts.ts'
import { expect, test } from './support/bench.ts'
import { desk as deskOf } from './support/pages/desk.ts'
import { readable } from './support/readable.ts'

const dropFile = async (page: Page, name: string, bytes: Uint8Array): Promise<void> => {
  const held = await page.evaluateHandle(
    ([name, base64]) => {
      const held = new DataTransfer()
      held.items.add(new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name))
      return held
    },
    [name, Buffer.from(bytes).toString('base64')] as const,
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer: held })
}

const saveTrace = async (page: Page): Promise<{ readonly name: string; readonly bytes: Buffer }> => {
  const save = page.getByRole('button', { name: 'Save trace' })
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  const name = download.suggestedFilename()
  await expect(page.getByRole('status').filter({ hasText: name })).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  return { name, bytes: readFileSync(await download.path()) }
}

test('a saved trace is dropped, shown and left again; no other file is shown', async ({ open, page, bench }) => {
  await bench.registered()
  const desk = await open()
  const { name, bytes } = await saveTrace(page)
  expect(name).toMatch(/^\w+-\d{4}-\d\d-\d\d-\d{4}\.handset$/)
  const workspace = JSON.stringify(await bench.control.call('workspace.export'))
  for (const [name, content, sentence] of [
    ['notes.txt', Buffer.from('hello'), 'This file is no trace of Handset'],
    ['main.json', Buffer.from(workspace), 'This file holds a workspace, not a trace'],
    ['cut.handset', bytes.subarray(0, bytes.length - 40), 'This trace is damaged'],
  ] as const) {
    await dropFile(page, name, content)
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toContainText(name)
  }
  await expect(desk.statusBar).toBeVisible()
  await bench.control.call('workspace.reset', { body: {} })

  await dropFile(page, 'from-a-colleague.handset', bytes)
  const trace = page.locator('[data-part="trace"]')
  await expect(trace.getByText('Trace, read-only')).toBeVisible()
  await expect(trace).toContainText('from-a-colleague.handset')
  await expect(trace.locator('[data-part="timeline"]')).toContainText('Registers passkey')
  await expect(desk.statusBar).toBeHidden()
  await trace.getByText('Registers passkey').click()
  await expect(trace.locator('[data-part="inspector"]')).toBeVisible()
  await expect(trace.getByRole('tab', { name: 'Edit', exact: true })).toHaveCount(0)
  await readable(page, 'en')('a trace')

  // The keys of the workspace do nothing here.
  await page.keyboard.press('f')
  await expect.poll(async () => (await bench.control.call('clock.get')).frozen).toBe(false)

  await trace.getByRole('button', { name: 'Back to the workspace' }).click()
  await expect(trace).toBeHidden()
  await expect(desk.statusBar).toBeVisible()
})

test('a trace that is dropped where no session is open is answered with what to do @long', async ({ bench, page }) => {
  const [plain = ''] = (await bench.invite()).split('#')
  await page.goto(plain)
  await expect(page.getByRole('heading', { name: texts.gate.none.title })).toBeVisible()
  await dropFile(page, 'a.handset', Buffer.from('x'))
  await expect(page.getByRole('alert')).toHaveText(texts.gate.dropped)
})

test('a trace dropped during a presentation is shown when that has ended @long', async ({ open, page, bench }) => {
  await bench.registered()
  await open()
  const { bytes } = await saveTrace(page)
  await page.getByRole('button', { name: 'Present' }).click()
  const stage = page.locator('[data-part="presenter"]')
  await expect(stage).toBeVisible()
  await dropFile(page, 'later.handset', bytes)
  const trace = page.locator('[data-part="trace"]')
  await expect(trace).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(trace).toContainText('later.handset')
})

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
  const { bytes } = await saveTrace(page)
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
  const { bytes } = await saveTrace(page)
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
