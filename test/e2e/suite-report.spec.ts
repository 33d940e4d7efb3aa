import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { suitePage } from '../../src-main/cli/run/viewer-pages.ts'
import { told } from '../../src-main/cli/suite/write-reports.ts'
import { loadViewer } from '../../src-main/control/load-viewer.ts'
import { pageFolderOf } from '../../src-main/control/page.ts'
import { BROKE, HELD, LET_IN, NOT_OFFERED, walk } from '../suite/made-walk.ts'
import { openAlone } from './support/alone.ts'
import { ROOT } from './support/page-is-built.ts'

test('the report of a suite stands alone, and shows first what let a wrong user in', async ({ page }, info) => {
  const viewer = loadViewer(pageFolderOf(ROOT))
  if (!viewer.ok) throw new Error(viewer.error)
  const file = info.outputPath('suite.html')
  const report = { ...walk([HELD, NOT_OFFERED, BROKE, LET_IN]), restored: 1 }
  writeFileSync(file, suitePage(told(report), viewer.value))
  const standsAlone = await openAlone(page, pathToFileURL(file).href)
  await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('data-verdict', 'let_in')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Let somebody in 1',
    'Broke 1',
    'Held 1',
    'Skipped 1',
  ])
  const worst = page.getByRole('region', { name: 'Let somebody in' })
  await expect(worst.getByRole('heading', { level: 3 })).toHaveCount(1)
  await expect(worst.locator('tbody tr')).toHaveText(/user-of-another.*"mallory & <b>".*alice.*sign-in-approved/)
  await expect(page.getByRole('region', { name: 'Broke' })).toContainText('<!doctype html>')
  await expect(page.getByRole('region', { name: 'Held' })).toContainText('not-http')
  await expect(page.getByRole('region', { name: 'Skipped' })).toContainText('The RP does not offer this.')
  await page.getByRole('link', { name: 'Skipped' }).click()
  await expect(page.getByRole('region', { name: 'Skipped' })).toBeInViewport()
  await standsAlone('the report of a suite')
})
