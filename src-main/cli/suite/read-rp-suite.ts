import type { FieldProblem } from '../../contract/reasons.ts'
import { type RpSuite, rpSuiteSchema } from '../../contract/rp-suite.ts'
import type { FileProblem } from '../../contract/scenario/file-problems.ts'
import { findProblem, fits } from '../../contract/validate.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { regexProblem } from '../../scenario/patterns/bounded-regex.ts'
import { readDocument } from '../../scenario/read-document.ts'

/** How an RP is spoken to, from YAML or JSON. Refusals name the field. */
export const readRpSuite = (text: string): Result<RpSuite, FileProblem> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const { value } = document.value
  if (fits(value, rpSuiteSchema)) return withGoodPatterns(value)
  const problem = findProblem(value, rpSuiteSchema)
  return err(unfit(problem ?? { code: 'field_unfit', params: { field: '', expected: { code: 'something_else' } } }))
}

const PATTERNS = ['registered', 'signed_in', 'failed'] as const

const unfit = (problem: FieldProblem): FileProblem => ({ code: 'unfit', params: { problem }, at: [] })

const withGoodPatterns = (suite: RpSuite): Result<RpSuite, FileProblem> => {
  const { page } = suite
  for (const key of page === undefined ? [] : PATTERNS) {
    const source = page?.[key] ?? ''
    const error = regexProblem(source)
    if (error === undefined) continue
    const expected = { code: 'regular_expression', params: { error } } as const
    return err(unfit({ code: 'field_unfit', params: { field: `page.${key}`, expected, got: JSON.stringify(source) } }))
  }
  return ok(suite)
}
