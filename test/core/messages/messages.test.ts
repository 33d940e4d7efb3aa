import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FAULT_NAMES } from '../../../src-main/core/contract/faults.ts'
import { CHECKS } from '../../../src-main/core/contract/judge/checks.ts'
import type { EvidenceWords } from '../../../src-main/core/contract/judge/evidence.ts'
import { FAILURE_WORDS } from '../../../src-main/core/contract/judge/failure-words.ts'
import { en } from '../../../src-main/core/messages/en/en.ts'
import { failureText } from '../../../src-main/core/messages/failure-text.ts'
import { serviceFaultStories as chineseStories } from '../../../src-main/core/messages/zh/service-faults.ts'
import { suiteFindings as chineseFindings } from '../../../src-main/core/messages/zh/suite-findings.ts'
import { zh } from '../../../src-main/core/messages/zh/zh.ts'
import { textOf } from '../../../src-main/core/protocol/coded.ts'
import { OTHER_CHINESE_WORDS } from '../../support/other-chinese-words.ts'

/** A text that needs parameters is tried with these, whatever their names: words by their codes, else a number. */
const SOME: Readonly<Record<string, unknown>> = {
  values: ['"a"', '"b"'],
  type: 'text',
  fault: 'truncated',
  field: 'x',
  part: 'issuer',
  expected: { code: 'object' },
  form: 'JSON',
  unknown: { field: 'x', known: ['a'] },
  member: 'rp',
  kind: 'access_key',
  came: [{ seq: 1, text: 'x' }],
  problem: { code: 'field_missing', params: { field: 'x' } },
  host: '::1',
  cause: { code: 'database_says', params: { message: 'x' } },
  why: 'malformed_options',
  what: 'reveal',
  of: 'phones',
  ended: { exit_code: 1 },
  set: ['user_present'],
  reason: { code: 'gave_up' },
  ...Object.fromEntries(
    ['known', 'words', 'forms', 'methods', 'wanted', 'made', 'others'].map((name) => [name, ['a', 'b']]),
  ),
}
/** What has another meaning in one table. */
const OWN: Readonly<Record<string, typeof SOME>> = {
  suiteFindings: { problem: { code: 'no_program', params: { program: 'x', error: 'x' } } },
}
const anyParams = (table: string) =>
  new Proxy({}, { get: (_, name) => ({ ...SOME, ...OWN[table] })[String(name)] ?? 7 })

const textsOf = (messages: object): readonly (readonly [string, string])[] =>
  Object.entries(messages).flatMap(([table, entries]: [string, object]) =>
    Object.entries(entries).map(
      ([code, entry]) =>
        [`${table}.${code}`, typeof entry === 'function' ? String(entry(anyParams(table))) : entry] as const,
    ),
  )

/** With those that only the viewer of reports loads. */
const chinese = textsOf({ ...zh, suiteFindings: chineseFindings, serviceFaultStories: chineseStories })

it('the messages are Chinese throughout in Chinese', () => {
  expect(chinese.filter(([, text]) => !/\p{Script=Han}/u.test(text))).toEqual([])
})

it('the messages have the full stops and commas of Chinese', () => {
  expect(chinese.filter(([, text]) => /\p{Script=Han}[,.;:?!()]|[,.;:?!()]\p{Script=Han}/u.test(text))).toEqual([])
})

it('the messages have one word for one thing in Chinese', () => {
  const others = /您|请求体|作用域|已签标头|信赖方|凭证|密匙|回应|账号|登陆/u
  expect(chinese.filter(([, text]) => others.test(text) || OTHER_CHINESE_WORDS.test(text))).toEqual([])
})

it('the messages leave a space between Chinese and Latin', () => {
  expect(chinese.filter(([, text]) => /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u.test(text))).toEqual([])
})

it.each(['errors', 'advice', 'failures', 'notes', 'results', 'phoneProblems', 'signingMistakes'] as const)(
  'the messages end each sentence of %s with a full stop',
  (table) => {
    const without = (texts: object, stop: string) => Object.values(texts).filter((text) => !text.endsWith(stop))
    expect([...without(en[table], '.'), ...without(zh[table], '。')]).toEqual([])
  },
)

it.each(['steps', 'checks', 'faults'] as const)('the messages have no full stop in a title of %s', (table) => {
  expect([...Object.values(en[table]), ...Object.values(zh[table])].filter((text) => /[.。]$/.test(text))).toEqual([])
})

it.each([
  ['English', en.faults],
  ['Chinese', zh.faults],
])('the messages have one line about each fault, and no two say the same: %s', (_, titles) => {
  expect(new Set(Object.values(titles)).size).toBe(FAULT_NAMES.length)
  expect(Object.values(titles).filter((title) => !/^[^\n]{2,100}$/.test(title))).toEqual([])
})

const folder = join(import.meta.dirname, '../../../src-main/core/judge')
const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n')

it.each([
  ['checks', CHECKS],
  ['evidence', Object.keys(en.evidence)],
  ['notes', Object.keys(en.notes)],
  ['failures', FAILURE_WORDS],
])('the codes of the judge are all used: %s', (_, names) => {
  expect(names.filter((name) => !code.includes(`'${name}'`))).toEqual([])
})

it('a text made of a code takes in the parameters that travel with it', () => {
  const told: EvidenceWords = { code: 'more_than', params: { count: 5 } }
  expect(textOf(en.evidence, told)).toContain('5')
  expect(textOf(zh.evidence, told)).toContain('5')
})

it.each(['nonsense', 'constructor'])('a text made of a code is the code itself where no table has it: %s', (code) => {
  expect(textOf(en.failures, { code })).toBe(code)
})

it('the text of a failed result is the word, a colon and its sentence', () => {
  expect(failureText(en, 'challenge_mismatch')).toBe(`challenge_mismatch: ${en.failures.challenge_mismatch}`)
})

it('the text of a failed result says of a word that only the phone knows that it is the phone’s', () => {
  expect(failureText(en, 'battery_low')).toBe(`battery_low: ${en.results.reason_of_phone}`)
})

it.each(['', 'user_rejected: I do not know this site.'])('the text of a failed result leaves "%s" alone', (error) => {
  expect(failureText(en, error)).toBe(error)
})
