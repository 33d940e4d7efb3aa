import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { loadPage } from '../../src-main/report/load-page.ts'
import { sampleLoadReport } from '../report/sample-load-report.ts'
import { openAlone } from './support/alone.ts'

test('the report of a load opens from a disk, loads nothing, and axe finds nothing @long', async ({ page }, info) => {
  const file = info.outputPath('load.html')
  writeFileSync(file, loadPage(sampleLoadReport))
  const standsAlone = await openAlone(page, pathToFileURL(file).href)
  await expect(page.getByRole('img', { name: 'Latency by the time of arrival' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Sign-in 1060/ })).toBeVisible()
  await standsAlone('the report of a load')
  await page.setViewportSize({ width: 360, height: 700 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
