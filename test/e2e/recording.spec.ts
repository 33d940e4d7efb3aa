import { readFileSync } from 'node:fs'
import { parseScenarios } from '../../src-main/scenario/parse-scenario.ts'
import { expect, test } from './support/bench.ts'

test('what is done on the page while it records is saved as a scenario', async ({ open, bench }) => {
  const phone = await bench.addPhone('Alice')
  const desk = await open()
  const { page } = desk
  const record = page.getByRole('button', { name: 'Record a scenario' })
  await record.click()
  const save = page.getByRole('button', { name: 'End the recording and save it as a scenario' })
  await expect(save).toHaveAttribute('aria-pressed', 'true')
  await bench.register(phone)
  await expect(desk.timeline.group('Register alice by QR code')).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(download.suggestedFilename()).toMatch(/^recorded-.*\.yaml$/)
  const parsed = parseScenarios(readFileSync(await download.path(), 'utf8'))
  expect(parsed.ok && parsed.value[0]?.steps.map(({ word }) => word)).toEqual([
    'register',
    'scan',
    'approve',
    'expect',
    'home',
  ])
  await expect(record).toBeVisible()
})
