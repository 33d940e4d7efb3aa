import { type FieldProblem, unfit } from '../core/contract/errors.ts'
import { rpSuiteSchema } from '../core/contract/rp-suite.ts'
import type { FileProblem } from '../core/contract/scenario/file-problems.ts'
import type { Schema, ValueOf } from '../core/contract/schema.ts'
import { findProblems, fitsSchema } from '../core/contract/validate.ts'
import { webauthnServerSchema } from '../core/contract/webauthn-server.ts'
import { isObject } from '../core/protocol/json.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { placeholderNames } from '../testing/calls/placeholders.ts'
import { CREDENTIAL_NAMES } from '../testing/check/webauthn/credential-names.ts'
import { regexProblem } from '../testing/scenario/patterns/mismatch.ts'
import { readDocument, toFileProblem } from '../testing/scenario/read-document.ts'

type Part = readonly [field: string, sent: unknown, names: readonly string[]]

/**
 * Reads a description of a server's calls from YAML or JSON. Refusals name the field and its place. `partsOf`: the names
 * in braces that each part may have.
 */
const readCalls =
  <S extends Schema>(schema: S, partsOf: (value: ValueOf<S>) => readonly Part[]) =>
  (text: string): Result<ValueOf<S>, FileProblem> => {
    const document = readDocument(text)
    if (!document.ok) return document
    const { value } = document.value
    const problems = fitsSchema(value, schema)
      ? [...patternProblems(value, ''), ...nameProblems(partsOf(value))]
      : findProblems(value, schema)
    const problem = toFileProblem(document.value, problems)
    return problem === undefined ? ok(value as ValueOf<S>) : err(problem)
  }

/** Fields whose values are regular expressions. */
const PATTERNS: ReadonlySet<string> = new Set(['registered', 'signed_in', 'failed', 'refused', 'text', 'address'])
/** Fields sent to the server as written; not checked as patterns. */
const SENT: ReadonlySet<string> = new Set(['json', 'form', 'headers'])

const patternProblems = (value: unknown, field: string): readonly FieldProblem[] => {
  if (Array.isArray(value)) return value.flatMap((each, i) => patternProblems(each, `${field}[${i}]`))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) => {
    const at = field === '' ? key : `${field}.${key}`
    // Below `keep`, names are the user's own.
    const isName = /(?<!\bkeep\.)\bkeep$/.test(field)
    const isPageWord = field === 'page' || !['registered', 'signed_in', 'failed'].includes(key)
    // The address of a call's QR code is a member of the answer.
    const isReading = key !== 'address' || !/^calls\.\w+(\[\d+\])?$/.test(field)
    const isPattern = isName ? field === 'page.keep' : PATTERNS.has(key) && isPageWord && isReading
    if (SENT.has(key) && !isName) return []
    if (typeof each !== 'string' || !isPattern) return patternProblems(each, at)
    const error = regexProblem(each)
    if (error === undefined) return []
    return [unfit(at, { code: 'regular_expression', params: { error } }, each)]
  })
}

const OF_RP = ['base_url', 'access_key_id', 'secret_key', 'rp_id'] as const
const OF_USER = ['name', 'user_id', 'username'] as const
const OF_WEBAUTHN = ['user_id', 'display_name', 'attestation', 'user_verification', 'authenticator_selection'] as const

export const readRpSuite = readCalls(rpSuiteSchema, ({ start, before, ca, calls, page, user_id }) => {
  const kept = [...keptNames(calls), ...keptNames(page), ...keptNames(before)]
  return [
    ['start', start, OF_RP],
    ['ca', ca, OF_RP],
    ['user_id', user_id, ['name', 'digits']],
    ['before', before, [...OF_RP, ...OF_USER, ...kept]],
    ['calls', sentBy(calls), [...OF_USER, 'ids', 'id', ...kept]],
    ...(['register', 'sign_in', 'push', 'sign_out'] as const).map(
      (name): Part => [`page.${name}`, page?.[name], [...OF_USER, ...kept]],
    ),
  ]
})

export const readWebauthnServer = readCalls(webauthnServerSchema, ({ before, calls, user_id }) => {
  const { registration, sign_in, ...others } = calls
  const known = [...OF_WEBAUTHN, ...keptNames(calls), ...keptNames(before)]
  return [
    ['user_id', user_id, ['name']],
    ['before', sentBy(before), known],
    ['calls', sentBy(others), known],
    ['calls.registration', sentBy(registration), [...CREDENTIAL_NAMES, ...known]],
    ['calls.sign_in', sentBy(sign_in), [...CREDENTIAL_NAMES, ...known]],
  ]
})

/** Finds unknown names in braces, which the server would receive unchanged. */
const nameProblems = (parts: readonly Part[]): readonly FieldProblem[] =>
  parts.flatMap(([field, part, known]) => {
    const strangers = placeholderNames(part).filter((name) => !known.includes(name))
    const expected = { code: 'one_of', params: { values: known.map((name) => `{${name}}`) } } as const
    return strangers.map((name) => unfit(field, expected, `{${name}}`))
  })

/** The parts of calls that are sent. Other fields are regular expressions, whose braces mean something else. */
const sentBy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sentBy)
  if (!isObject(value)) return undefined
  if ('path' in value) return [value.path, value.json, value.form, value.headers]
  return Object.values(value).map(sentBy)
}

const keptNames = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(keptNames)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'keep' && isObject(each) ? Object.keys(each) : keptNames(each),
  )
}
