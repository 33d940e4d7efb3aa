import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { RunReport } from '../../contract/run-report.ts'
import type { ToldSuite } from '../../contract/suite-findings.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { inPage, type ViewerPage, viewerPage } from '../../report/viewer-page.ts'

export type Viewer = ViewerPage['viewer']

/** The page's timeline and inspector as one script, which is there once the page is built. */
export const loadViewer = (root: string): Result<Viewer, string> => {
  const folder = join(root, 'out/renderer/viewer')
  try {
    const script = inPage(readFileSync(join(folder, 'viewer.js'), 'utf8'))
    const style = readFileSync(join(folder, 'viewer.css'), 'utf8')
    return ok({ script, style, sha256: createHash('sha256').update(script).digest('base64') })
  } catch {
    return err(`the page is not built, and its timeline goes into HTML. Build it with "npm run build" in ${root}.`)
  }
}

/** What a page may weigh with everything in it; traces beyond that stay files beside it. */
const MOST_BASE64 = 3.5 * 1024 * 1024

export type TracedPart = { readonly name: string; readonly bytes: Uint8Array }

/** A run with the traces of what failed, in one file. */
export const runPage = (report: RunReport, traces: readonly TracedPart[], viewer: Viewer): string => {
  const data = new Map([['run', packed(report)]])
  let left = MOST_BASE64
  for (const { name, bytes } of traces) {
    const text = base64Of(bytes)
    left -= text.length
    if (left < 0) break
    data.set(`trace:${name}`, text)
  }
  return viewerPage({ title: `Handset run, seed ${report.seed}`, viewer, data })
}

/** A walk of the service’s faults against an RP. */
export const suitePage = (suite: ToldSuite, viewer: Viewer): string =>
  viewerPage({ title: `Handset suite, ${suite.config}`, viewer, data: new Map([['suite', packed(suite)]]) })

/** One trace alone. */
export const tracePage = (title: string, bytes: Uint8Array, viewer: Viewer): string =>
  viewerPage({ title, viewer, data: new Map([['trace:', base64Of(bytes)]]) })

const packed = (report: RunReport | ToldSuite): string => base64Of(gzipSync(JSON.stringify(report)))

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
