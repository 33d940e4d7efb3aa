import { gzipSync } from 'node:zlib'
import type { RunReport } from '../../core/contract/run-report.ts'
import type { ReportSuite } from '../../core/contract/suite-findings.ts'
import { type Viewer, viewerPage } from '../../views/report/html-template.ts'

/** Maximum number of characters of data in a page; traces beyond that stay separate files. */
const MAX_BASE64 = 3.5 * 1024 * 1024

export type NamedTrace = { readonly name: string; readonly bytes: Uint8Array }

export const runPage = (report: RunReport, traces: readonly NamedTrace[], viewer: Viewer): string => {
  const data = new Map([['run', packed(report)]])
  let left = MAX_BASE64
  for (const { name, bytes } of traces) {
    const text = base64Of(bytes)
    left -= text.length
    if (left < 0) break
    data.set(`trace:${name}`, text)
  }
  return viewerPage({ title: `Handset run, seed ${report.seed}`, viewer, data })
}

export const suitePage = (suite: ReportSuite, viewer: Viewer): string =>
  viewerPage({ title: `Handset suite, ${suite.config}`, viewer, data: new Map([['suite', packed(suite)]]) })

export const tracePage = (title: string, bytes: Uint8Array, viewer: Viewer): string =>
  viewerPage({ title, viewer, data: new Map([['trace:', base64Of(bytes)]]) })

const packed = (report: RunReport | ReportSuite): string => base64Of(gzipSync(JSON.stringify(report)))

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
