import type { FieldProblem } from '../../core/contract/errors.ts'
import { type RpSuite, rpSuiteSchema } from '../../core/contract/rp-suite.ts'
import type { FileProblem } from '../../core/contract/scenario/file-problems.ts'
import { findProblem, fits } from '../../core/contract/validate.ts'
import { isObject } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { regexProblem } from '../../testing/scenario/patterns/mismatch.ts'
import { readDocument } from '../../testing/scenario/read-document.ts'
import { namesIn } from '../../testing/suite/placeholders.ts'

export const readRpSuite = (text: string): Result<RpSuite, FileProblem> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const { value } = document.value
  if (!fits(value, rpSuiteSchema)) {
    const problem = findProblem(value, rpSuiteSchema)
    return err(unfit(problem ?? { code: 'field_unfit', params: { field: '', expected: { code: 'something_else' } } }))
  }
  const problem = patternProblem(value, '') ?? nameProblem(value)
  return problem === undefined ? ok(value) : err(unfit(problem))
}

const unfit = (problem: FieldProblem): FileProblem => ({ code: 'unfit', params: { problem }, at: [] })

/** Fields with a regular expression: for texts of a page, or for values in an answer. */
const PATTERNS: ReadonlySet<string> = new Set(['registered', 'signed_in', 'failed', 'refused', 'text', 'address'])

const patternProblem = (value: unknown, field: string): FieldProblem | undefined => {
  if (Array.isArray(value)) return firstOf(value.map((each, i) => () => patternProblem(each, `${field}[${i}]`)))
  if (!isObject(value)) return undefined
  return firstOf(
    Object.entries(value).map(([key, each]) => () => {
      const at = field === '' ? key : `${field}.${key}`
      const isPageWord = field === 'page' || !['registered', 'signed_in', 'failed'].includes(key)
      const isReading =
        key !== 'address' || !field.startsWith('calls.') || field.endsWith('.read') || field.endsWith('.address')
      if (typeof each !== 'string' || !PATTERNS.has(key) || !isPageWord || !isReading) return patternProblem(each, at)
      const error = regexProblem(each)
      if (error === undefined) return undefined
      const expected = { code: 'regular_expression', params: { error } } as const
      return { code: 'field_unfit', params: { field: at, expected, got: JSON.stringify(each) } }
    }),
  )
}

const firstOf = (looks: readonly (() => FieldProblem | undefined)[]): FieldProblem | undefined => {
  for (const look of looks) {
    const problem = look()
    if (problem !== undefined) return problem
  }
  return undefined
}

const OF_RP = ['base_url', 'access_key_id', 'secret_key', 'rp_id'] as const
const OF_USER = ['name', 'user_id', 'username'] as const

/** Finds an unknown name in braces, which the RP would receive unchanged. */
const nameProblem = ({ start, before, ca, calls, page, user_id }: RpSuite): FieldProblem | undefined => {
  const kept = [...keptNames(calls), ...keptNames(page), ...keptNames(before)]
  const parts: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['start', start, OF_RP],
    ['ca', ca, OF_RP],
    ['user_id', user_id, ['name', 'digits']],
    ['before', before, [...OF_RP, ...OF_USER, ...kept]],
    ['calls', calls === undefined ? undefined : withoutReadings(calls), [...OF_USER, 'ids', 'id', ...kept]],
    ['page.register', page?.register, [...OF_USER, ...kept]],
    ['page.sign_in', page?.sign_in, [...OF_USER, ...kept]],
    ['page.push', page?.push, [...OF_USER, ...kept]],
    ['page.sign_out', page?.sign_out, [...OF_USER, ...kept]],
  ]
  for (const [field, part, known] of parts) {
    const stranger = namesIn(part).find((name) => !known.includes(name))
    if (stranger === undefined) continue
    const expected = { code: 'one_of', params: { values: known.map((name) => `{${name}}`) } } as const
    return { code: 'field_unfit', params: { field, expected, got: JSON.stringify(`{${stranger}}`) } }
  }
  return undefined
}

/** Removes regular expressions, whose braces have another meaning. */
const withoutReadings = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutReadings)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !['read', 'address', 'keep', 'refused'].includes(key))
      .map(([key, each]) => [key, withoutReadings(each)]),
  )
}

const keptNames = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(keptNames)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'keep' && isObject(each) ? Object.keys(each) : keptNames(each),
  )
}
