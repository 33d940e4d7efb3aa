import { expect, it } from 'vitest'
import { fileProblemText } from '../../../src-main/core/contract/scenario/file-problems.ts'
import { parseScenarios } from '../../../src-main/testing/scenario/parse-scenario.ts'
import { refused } from '../../support/taken.ts'

/** The sentences that an author reads of a mistake. */
const HEAD = 'name: x\n'
const PHONE = 'phones: { a: {} }\n'

/** What stands below the name, or a step alone, and what is said of it. */
const WRONG: Readonly<Record<string, readonly [text: string, sentence: string]>> = {
  'a variable that nothing defines': [
    `steps:\n  - check: { value: '\${nmae}', is: 1 }\nvars: { name: 1 }`,
    'line 3, column 5: there is no variable "nmae". Did you mean name?',
  ],
  'a variable that is saved only later': [
    `steps:\n  - check: { value: '\${id}', is: 1 }\n  - free_port: { as: id }`,
    'there is no variable "id"',
  ],
  'a reference without a name': [`check: { value: '\${a b}', is: 1 }`, 'a b} is not a variable'],
  'a variable of a name that every scenario has': [`vars: { rp: 1 }`, 'line 2, column 9: "rp" cannot name a variable.'],
  'a value that is saved twice under a given name': [
    `vars: { a: 1 }\nsteps:\n  - free_port: { as: b }\n    save: { a: /x }`,
    'line 5, column 13: "a" has a value already',
  ],
  'a variable with a value that the step does not take': [
    `vars: { n: many }\nsteps:\n  - expect_credentials: { user_id: u, count: '\${n}' }`,
    'line 4, column 39: "steps[0].expect_credentials.count" must be',
  ],
  'cases without a row': [`cases: []`, 'line 2, column 1: "cases" must be a list of at least 1 entry; got [].'],
  'cases with an empty row': [`cases: [{}]`, '"cases[0]" must be'],
  'a row that lacks a variable': [
    `cases: [{ a: 1 }, { b: 1 }]\nsteps:\n  - check: { value: '\${a}', is: 1 }`,
    '(in row 2 of "cases")',
  ],
  'two rows of one name': [
    `cases: [{ name: one, a: 1 }, { name: one, a: 2 }]`,
    'line 2, column 30: another row has the name "x: one", too.',
  ],
  'a skip without a reason': [`skip: true`, 'line 2, column 1: "skip" must be a text; got true.'],
  'an only with an empty reason': [`only: ''`, '"only" must be a text that is not empty'],
  'a tag with a space': [`tags: [a b]`, '"tags[0]" must be 1 to 64 letters'],
  'an unknown RP': [
    `register: { user_id: u, username: u, rp: shop }`,
    'line 3, column 42: there is no RP "shop". Known are: none.',
  ],
  'an unknown snapshot': [`restore: { snapshot: a }`, 'no earlier step names a snapshot "a" with "as".'],
  'an unknown mark': [
    `expect_events: { of: { kind: push }, count: 1, since: a }`,
    'no earlier step names a mark "a" with "as". Known are: start.',
  ],
  'a program that was not started': [`end_program: {}`, 'there is no program "program".'],
  'a call of the control interface that there is not': [
    `control: { call: phones.gett }`,
    '"steps[0].control.call" must be one of',
  ],
  'a call of the bench beyond the workspace': [
    `control: { call: workspaces.close, params: { id: main } }`,
    '"steps[0].control.call" must be one of',
  ],
  'a call without what its path needs': [
    `control: { call: phones.get }`,
    'line 3, column 5: "steps[0].control.params.id" is missing.',
  ],
  'a call with a wrong body': [`control: { call: clock.advance, body: { ms: soon } }`, '"steps[0].control.body'],
  'a bad regular expression': [
    `${PHONE}steps:\n  - wait: { kind: { matches: '(' } }`,
    'line 4, column 21: "steps[0].wait.kind.matches" must be a regular expression (Invalid regular expression',
  ],
  'a save that is no pointer': [`free_port: { as: p }\n    save: { q: port }`, '"steps[0].save.q" must be'],
  'counts without what is counted': [
    `expect_events: { count: 1 }`,
    '"steps[0].expect_events" must be {of, count}, or {in_order}',
  ],
  'two bodies of a call': [
    `http: { url: u, json: 1, body: x }`,
    '"steps[0].http" must be {url, json}, or {url, form}, or {url, body}',
  ],
  'an include of nothing': [`include: a.yaml`, 'line 3, column 5: a.yaml cannot be included here.'],
}

it.each(Object.entries(WRONG))('%s is refused with its place', (_title, [text, sentence]) => {
  const steps = /^(vars|cases|skip|only|tags):/.test(text)
    ? `${text}\nsteps:\n  - advance: { s: 1 }`
    : `steps:\n  - ${text}`
  const below = text.includes('steps:') ? text : steps
  expect(fileProblemText(refused(parseScenarios(HEAD + below)))).toContain(sentence)
})
