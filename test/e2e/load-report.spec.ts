import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { loadPage } from '../../src-main/report/load-page.ts'
import { sampleLoadReport } from '../report/sample-load-report.ts'
import { ALL_RULES, expectAccessible } from './support/axe.ts'

test('the report of a load opens from a disk, asks nobody for anything, and axe finds nothing', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-load-report-'))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  try {
    const file = join(folder, 'load.html')
    writeFileSync(file, loadPage(sampleLoadReport))
    const address = pathToFileURL(file).href
    await page.goto(address)
    await expect(page.getByRole('img', { name: 'Latency by the time of arrival' })).toBeVisible()
    await expect(page.getByRole('row', { name: /^Sign-in 1060/ })).toBeVisible()
    await expectAccessible(page, 'the report of a load', { rules: ALL_RULES, colours: true })
    expect(asked).toEqual([address])
    await page.setViewportSize({ width: 360, height: 700 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
