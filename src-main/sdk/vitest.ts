import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test as base } from 'vitest'
import {
  type BenchFixtures,
  explainError,
  handsetFixture,
  openScratch,
  phoneFixtures,
  type ScratchFixtures,
  type TestReport,
} from './test-fixtures.ts'

type Fixtures = BenchFixtures &
  ScratchFixtures & {
    /** Folder for reports of failed tests: `handset-reports`. Vitest accepts attachments only while a test runs. */
    readonly handsetReports: string
  }

/** File systems allow names of 255 bytes; the hash, a number and the ending need room. */
const MAX_BYTES = 120

/**
 * File name for a test's report. Titles may differ only in symbols, in case or near the end, or not at all, so the name
 * includes the test's `id`, which is the same in each run.
 */
export const reportFileName = ({ title, id }: { readonly title: string; readonly id: string }): string => {
  const words = title.toWellFormed().replace(/[^\p{L}\p{N}]+/gu, '-')
  // As a stream, the decoder leaves out a character that was cut.
  const readable = new TextDecoder().decode(Buffer.from(words).subarray(0, MAX_BYTES), { stream: true })
  return `${readable}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`
}

/** Vitest's test, with phones. */
export const test = base.extend<Fixtures>({
  handsetOptions: [{}, { scope: 'worker', injected: true }],
  handset: [handsetFixture, { scope: 'worker' }],
  handsetIsolation: 'shared',
  handsetReports: 'handset-reports',
  phoneOptions: {},
  handsetScratch: async ({ handset, handsetIsolation, handsetReports, task }, use) => {
    const title = `${task.file.name} ${task.fullTestName}`
    const scratch = await openScratch(handset, { isolation: handsetIsolation, title, testName: task.name })
    await use(scratch)
    if (task.result?.state === 'fail') {
      const failure = (task.result.errors ?? []).map(({ message }) => message).join('\n\n')
      const name = reportFileName({ title, id: task.id })
      const reports = await scratch.reports({ failure })
      const pages = keepReports(join(handsetReports, name), reports)
      explainError(task.result.errors?.at(-1), reports, pages)
    }
    await scratch.remove()
  },
  workspace: async ({ handsetScratch }, use) => use(handsetScratch.workspace),
  ...phoneFixtures,
})

const keepReports = (path: string, reports: readonly TestReport[]): readonly string[] => {
  mkdirSync(dirname(path), { recursive: true })
  return reports.map(({ html, markdown, trace }, i) => {
    const file = `${path}${i === 0 ? '' : `-${i + 1}`}`
    writeFileSync(`${file}.html`, html)
    writeFileSync(`${file}.agent-report.md`, markdown)
    writeFileSync(`${file}.handset`, trace)
    return `${file}.html`
  })
}
