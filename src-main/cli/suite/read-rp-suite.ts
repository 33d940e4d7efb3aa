import { type RpSuite, rpSuiteSchema } from '../../contract/rp-suite.ts'
import { findProblem, fits } from '../../contract/validate.ts'
import { en } from '../../messages/en/en.ts'
import { textOf } from '../../messages/text.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { readDocument } from '../../scenario/read-document.ts'

/** How an RP is spoken to, from YAML or JSON. Refusals name the field. */
export const readRpSuite = (text: string): Result<RpSuite, string> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const { value } = document.value
  if (fits(value, rpSuiteSchema)) return ok(value)
  const problem = findProblem(value, rpSuiteSchema)
  return err(problem === undefined ? 'it does not fit.' : textOf(en.reasons, problem))
}
