import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test as base, type PlaywrightWorkerOptions, type TestInfo } from '@playwright/test'
import type { Phone } from './phone.ts'
import {
  type BenchFixtures,
  explainError,
  handsetFixture,
  openScratch,
  phoneFixtures,
  type ScratchFixtures,
  type TestReport,
} from './test-fixtures.ts'

export { expect } from '@playwright/test'

const traceMode = (trace: PlaywrightWorkerOptions['trace']): string => (typeof trace === 'string' ? trace : trace.mode)

/** True if Playwright keeps the trace of this test also when it passes. */
const keepsTrace = (mode: string, retry: number): boolean =>
  mode === 'on' || (mode === 'on-first-retry' && retry === 1) || (mode === 'on-all-retries' && retry > 0)

const ACTIONS = ['scan', 'waitForPush', 'approve', 'reject', 'failFingerprint', 'arm', 'disarm', 'change'] as const

/** Each action of the phone is a step of the test; a trace also has the screen to which it led. */
const withSteps = (
  phone: Phone,
  { phoneName, isTraced }: { readonly phoneName: string; readonly isTraced: boolean },
): Phone => {
  const whose = phone.name === phoneName ? '' : ` (${phone.name})`
  const stepOf = (name: (typeof ACTIONS)[number]) => {
    const act = phone[name] as (...args: readonly unknown[]) => Promise<unknown>
    return (...args: readonly unknown[]) =>
      base.step(
        `phone.${name}${whose}`,
        async (step) => {
          try {
            return await act(...args)
          } finally {
            const shown = isTraced ? await phone.state().catch(() => undefined) : undefined
            const body = JSON.stringify(shown?.screen, null, 2)
            if (shown !== undefined) await step.attach('screen', { body, contentType: 'application/json' })
          }
        },
        { box: true },
      )
  }
  return { ...phone, ...Object.fromEntries(ACTIONS.map((name) => [name, stepOf(name)])) }
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
  explainError(test.errors.at(-1), reports, pages)
}

/** Playwright's test, with phones. */
export const test = base.extend<ScratchFixtures, BenchFixtures>({
  handsetOptions: [{}, { option: true, scope: 'worker' }],
  handset: [handsetFixture, { scope: 'worker' }],
  handsetIsolation: ['shared', { option: true }],
  phoneOptions: [{}, { option: true }],
  handsetScratch: [
    async ({ handset, handsetIsolation, trace }, use, testInfo) => {
      const title = testInfo.titlePath.join(' › ')
      const scratch = await openScratch(handset, { isolation: handsetIsolation, title, testName: testInfo.title })
      await use(scratch)
      if (testInfo.status !== testInfo.expectedStatus || keepsTrace(traceMode(trace), testInfo.retry)) {
        const failure = testInfo.errors.map(({ message = '' }) => message).join('\n\n')
        attachReports(testInfo, await scratch.reports({ failure }))
      }
      await scratch.remove()
    },
    { box: true },
  ],
  workspace: async ({ handsetScratch: { phoneName, workspace }, trace }, use) => {
    const phone: typeof workspace.phone = async (options) =>
      withSteps(await workspace.phone(options), { phoneName, isTraced: traceMode(trace) !== 'off' })
    await use({ ...workspace, phone })
  },
  ...phoneFixtures,
})
