import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { builtPageFolder, loadViewer } from '../../src-main/bench/control/page.ts'
import { main } from '../../src-main/cli/main.ts'
import { runPage, suitePage } from '../../src-main/cli/run/viewer-pages.ts'
import { addSentences } from '../../src-main/cli/suite/findings-text.ts'
import type { AttemptReport, RunReport } from '../../src-main/core/contract/run-report.ts'
import { loadPage } from '../../src-main/views/report/load-page.ts'
import { BROKE, HELD, LET_IN, NOT_OFFERED, walk } from '../testing/suite/made-walk.ts'
import { sampleLoadReport } from '../views/report/sample-load-report.ts'
import { openAlone } from './support/alone.ts'
import { ROOT } from './support/page-is-built.ts'

const SCENARIO = `name: Wrong challenge & <b>
phones:
  alice: { account: { name: Alice, phone: '13812345678' } }
steps:
  - register: { user_id: u-1, username: alice }
  - arm: { phone: alice, fault: challenge-wrong }
  - scan: { phone: alice }
  - approve: { phone: alice }
  - expect: { status: success }
`

const terminal = { out: () => undefined, error: () => undefined, color: false, width: 100 }
const stop = new AbortController().signal
const environment = { terminal, version: '1.2.3', root: ROOT, env: {}, platform: 'linux', stop } as const

let folder: string

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'handset-report-'))
  const file = join(folder, 'a.yaml')
  writeFileSync(file, SCENARIO)
  await expect(main(['run', file, '--report', 'html,json,junit', '--out', folder], environment)).resolves.toBe(1)
})

test.afterAll(() => rmSync(folder, { recursive: true }))

test('the report of a run opens from a disk, shows why a scenario failed, and loads nothing', async ({ page }) => {
  expect(readFileSync(join(folder, 'agent-report.md'), 'utf8')).toMatch(/^# ✗ 1 failed\n/)
  const standsAlone = await openAlone(page, pathToFileURL(join(folder, 'report.html')).href)
  await expect(page.getByRole('heading', { name: 'Wrong challenge & <b>' })).toBeVisible()
  await expect(page.locator('dd[data-bad]')).toHaveText('{"status":"fail"}')
  await expect(page.getByText('Fault of the phone: challenge-wrong')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Codes and phone screens' }).locator('figure').last()).toBeInViewport({
    ratio: 0.9,
  })
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  await expect(page.locator('[data-part="timeline"]')).toContainText('Registers passkey')
  await expect(page.locator('[data-part="inspector"]')).toContainText('challenge_mismatch')
  await page.getByRole('tab', { name: 'Request' }).click()
  await expect(page.locator('[data-part="inspector-body"]')).toContainText('clientDataJSON')
  await page.getByRole('searchbox', { name: 'Filter scenarios' }).fill('nothing like it')
  await expect(page.getByRole('navigation').getByRole('listitem')).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Filter scenarios' }).fill('wrong')
  await expect(page.getByRole('navigation').getByRole('listitem')).toHaveCount(1)
  await standsAlone('the report')
})

test('faults are purple wherever they show, and reports say what was sent @long', async ({ page }) => {
  const said = /Fault of the phone: challenge-wrong\. .* Sent \S.* · honest \S/
  expect(readFileSync(join(folder, 'agent-report.md'), 'utf8')).toMatch(said)
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toMatch(said)
  await page.goto(pathToFileURL(join(folder, 'report.html')).href)
  const told = page.locator('dd [data-fault]')
  await expect(told).toHaveText(said)
  const row = page.locator('[data-part="timeline"] [data-struck]')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('challenge-wrong')
  await expect(page.locator('[data-part="explained-head"]')).toContainText(/Sent .+ · honest ./)
  for (const [colorScheme, fault] of [
    ['light', 'rgb(125, 42, 151)'],
    ['dark', 'rgb(215, 155, 234)'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(told).toHaveCSS('color', fault)
    await expect(row.getByText('challenge-wrong')).toHaveCSS('color', fault)
  }
})

test('a report without traces shows the steps, and breaks long paths behind slashes @long', async ({ page }) => {
  const report: RunReport = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
  const path = 'a-long-folder-of-a-team/src-main-and-more/scenario-examples-of-the-team/b.yaml'
  const untraced = ({ trace: _, ...attempt }: AttemptReport) => attempt
  const scenarios = report.scenarios.map((scenario) => ({
    ...scenario,
    id: `${path}@1`,
    file: path,
    attempts: scenario.attempts.map(untraced),
  }))
  const viewer = loadViewer(builtPageFolder(ROOT))
  if (!viewer.ok) throw new Error(viewer.error)
  const file = join(folder, 'paths.html')
  writeFileSync(file, runPage({ ...report, scenarios }, [], viewer.value))
  await page.goto(pathToFileURL(file).href)
  await expect(page.getByText('RP asks to register alice')).toBeVisible()
  const shown = page.getByRole('navigation').locator('small')
  await expect(shown).toHaveText(path)
  // The lines on which each part of it stands.
  const lines = () =>
    shown.locator('span').evaluateAll((parts) =>
      parts.map((part) => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return Array.from(range.getClientRects(), ({ top }) => top)
      }),
    )
  await expect.poll(async () => (await lines()).filter(({ length }) => length !== 1)).toEqual([])
  await expect.poll(async () => new Set((await lines()).flat()).size).toBeGreaterThan(1)
})

test('a trace as one HTML file opens from a disk, shows all its parts and loads nothing @long', async ({ page }) => {
  const [trace = ''] = readdirSync(join(folder, 'traces'))
  const file = join(folder, 'trace.html')
  await expect(main(['show', join(folder, 'traces', trace), '--html', file], environment)).resolves.toBe(0)
  const standsAlone = await openAlone(page, pathToFileURL(file).href)
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  await expect(page.locator('[data-part="timeline"]')).toContainText('Registers passkey')
  await expect(page.locator('[data-part="inspector"]')).toContainText('challenge_mismatch')
  await standsAlone('a trace in a file')
})

test('a report of 1,000 scenarios, 200 failed, has less than 5 MB and lists them all @long', async ({ page }) => {
  const report: RunReport = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
  const [bad] = report.scenarios
  const trace = bad?.attempts[0]?.trace ?? ''
  const bytes = readFileSync(join(folder, trace))
  const names = Array.from({ length: 200 }, (_, i) => `traces/${i}.handset`)
  const scenarios = Array.from({ length: 1000 }, (_, i) => ({
    ...(bad as RunReport['scenarios'][number]),
    id: `a.yaml@${i}`,
    outcome: i < 200 ? ('failed' as const) : ('passed' as const),
    attempts: (bad?.attempts ?? []).map((attempt) => ({ ...attempt, trace: names[i] ?? '' })),
  }))
  const viewer = loadViewer(builtPageFolder(ROOT))
  if (!viewer.ok) throw new Error(viewer.error)
  const many = { ...report, scenarios, counts: { ...report.counts, passed: 800, failed: 200 } }
  const file = join(folder, 'many.html')
  writeFileSync(
    file,
    runPage(
      many,
      names.map((name) => ({ name, bytes })),
      viewer.value,
    ),
  )
  expect(statSync(file).size).toBeLessThan(5_000_000)
  await page.goto(pathToFileURL(file).href)
  await expect(page.getByRole('navigation').getByRole('listitem')).toHaveCount(1000)
  await expect(page.locator('[data-part="timeline"]')).toContainText('Registers passkey', { timeout: 60_000 })
})

test('the report of a suite stands alone, and shows first what let a wrong user in', async ({ page }, info) => {
  const viewer = loadViewer(builtPageFolder(ROOT))
  if (!viewer.ok) throw new Error(viewer.error)
  const file = info.outputPath('suite.html')
  const report = { ...walk([HELD, NOT_OFFERED, BROKE, LET_IN]), restored: 1 }
  writeFileSync(file, suitePage(addSentences(report), viewer.value))
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
