import type { LoadReport } from '../../core/contract/load-report.ts'
import { loadPage } from '../../views/report/load-page.ts'
import type { ResultsFolder } from '../run/results-folder.ts'
import type { LoadReportKind } from './settings.ts'

/** Each file whole or not at all; the first problem, if there was one. */
export const writeLoadReports = (
  report: LoadReport,
  { kinds, folder }: { readonly kinds: readonly LoadReportKind[]; readonly folder: ResultsFolder },
): string | undefined => {
  for (const kind of kinds) {
    const text = kind === 'html' ? loadPage(report) : `${JSON.stringify(report, undefined, 2)}\n`
    const written = folder.write(`load.${kind}`, text)
    if (!written.ok) return written.error
  }
  return undefined
}
