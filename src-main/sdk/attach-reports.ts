import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TestInfo } from '@playwright/test'
import type { TestReport } from './scratch.ts'

type Attaching = Pick<TestInfo, 'attachments' | 'errors' | 'outputPath'>

/**
 * Each report as one file in the folder of the test: `attach` would copy it, and what is attached as bytes is printed
 * whole into the console. The last line of the error says where the first one is.
 */
export const attachReports = (test: Attaching, reports: readonly TestReport[]): void => {
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
  if (error !== undefined && pages.length > 0) endWith(error, `handset: what happened is in ${pages.join(' and ')}`)
}

type TestError = TestInfo['errors'][number]

/** Reporters print the one or the other. */
const endWith = (error: TestError, line: string): void => {
  if (error.message !== undefined) error.message = `${error.message}\n\n${line}`
  if (error.stack !== undefined) error.stack = `${error.stack}\n\n${line}`
}
