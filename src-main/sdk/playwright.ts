import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test as base, type TestInfo } from '@playwright/test'
import type { Handset, StartOptions } from './handset.ts'
import {
  benchForTests,
  explainError,
  openScratch,
  phoneNameOf,
  type ScratchFixtures,
  type TestReport,
} from './test-fixtures.ts'

export { expect } from '@playwright/test'

type WorkerFixtures = {
  /** How a bench is started; ignored if HANDSET_CONTROL_URL names one. */
  readonly handsetOptions: StartOptions
  /** The bench. */
  readonly handset: Handset
}

type Attaching = Pick<TestInfo, 'attachments' | 'errors' | 'outputPath'>

/**
 * Writes each report as one file in the test's folder: `attach` would copy it, and reports attached as bytes are
 * printed to the console. The error says where the files are.
 */
const attachReports = (test: Attaching, reports: readonly TestReport[]): void => {
  const keep = (name: string, file: string, contentType: string, content: string | Buffer): string => {
    const path = test.outputPath(file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    test.attachments.push({ name, path, contentType })
    return path
  }
  const pages = reports.map(({ html, markdown, trace }, i) => {
    const number = i === 0 ? '' : `-${i + 1}`
    const page = keep('handset', `handset${number}.html`, 'text/html', html)
    keep('agent-report.md', `agent-report${number}.md`, 'text/markdown', markdown)
    keep('trace.handset', `trace${number}.handset`, 'application/gzip', trace)
    return page
  })
  const [error] = test.errors.slice(-1)
  if (error !== undefined) explainError(error, reports, pages)
}

/** Playwright's test, with phones. */
export const test = base.extend<ScratchFixtures, WorkerFixtures>({
  handsetOptions: [{}, { option: true, scope: 'worker' }],
  handset: [
    async ({ handsetOptions }, use) => {
      const handset = await benchForTests(process.env, handsetOptions)
      await use(handset)
      await handset.close()
    },
    { scope: 'worker' },
  ],
  handsetIsolation: ['shared', { option: true }],
  phoneOptions: [{}, { option: true }],
  handsetScratch: [
    async ({ handset, handsetIsolation }, use, testInfo) => {
      const title = testInfo.titlePath.join(' › ')
      const scratch = await openScratch(handset, { isolation: handsetIsolation, title })
      await use(scratch)
      if (testInfo.status !== testInfo.expectedStatus) {
        const failure = testInfo.errors.map(({ message = '' }) => message).join('\n\n')
        attachReports(testInfo, await scratch.reports({ failure }))
      }
      await scratch.remove()
    },
    { box: true },
  ],
  workspace: async ({ handsetScratch }, use) => use(handsetScratch.workspace),
  service: async ({ workspace }, use) => use(workspace.service),
  phone: async ({ workspace, phoneOptions }, use, testInfo) =>
    use(await workspace.phone({ name: phoneNameOf(testInfo.title), ...phoneOptions })),
})
