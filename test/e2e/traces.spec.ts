import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { texts } from '../../src-renderer/ui/texts.ts'
import { ALL_RULES, expectAccessible } from './support/axe.ts'
import { expect, test } from './support/bench.ts'

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

type Saved = { readonly name: string; readonly bytes: Buffer }

const saveByButton = (page: Page): Promise<Saved> =>
  savedBy(page, () => page.getByRole('button', { name: 'Save trace' }).click())

const savedBy = async (page: Page, save: () => Promise<void>): Promise<Saved> => {
  const [download] = await Promise.all([page.waitForEvent('download'), save()])
  const name = download.suggestedFilename()
  await expect(page.getByRole('status').filter({ hasText: name })).toBeVisible()
  return { name, bytes: readFileSync(await download.path()) }
}

test('a saved trace is dropped, shown and left again; no other file is shown', async ({ open, page, bench }) => {
  await bench.registered()
  const desk = await open()
  const { name, bytes } = await saveByButton(page)
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
  await expectAccessible(page, 'a trace', { rules: ALL_RULES, colours: true })

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
  const { bytes } = await saveByButton(page)
  await page.getByRole('button', { name: 'Present' }).click()
  const stage = page.locator('[data-part="presenter"]')
  await expect(stage).toBeVisible()
  await dropFile(page, 'later.handset', bytes)
  const trace = page.locator('[data-part="trace"]')
  await expect(trace).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(trace).toContainText('later.handset')
})
