import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadScenarios } from '../../src-main/scenario/load-scenarios.ts'
import { parseScenarios } from '../../src-main/scenario/parse-scenario.ts'
import { taken } from '../support/taken.ts'

const HEAD = 'name: x\n'
const PHONE = `${HEAD}phones: { a: {} }\n`

it.each([
  [
    'a variable that nothing defines',
    `${HEAD}steps:\n  - check: { value: '\${nmae}', is: 1 }\nvars: { name: 1 }`,
    'line 3, column 5: there is no variable "nmae". Did you mean name?',
  ],
  [
    'a variable that is saved only later',
    `${HEAD}steps:\n  - check: { value: '\${id}', is: 1 }\n  - free_port: { as: id }`,
    'there is no variable "id"',
  ],
  ['a reference without a name', `${HEAD}steps:\n  - check: { value: '\${a b}', is: 1 }`, 'a b} is no variable'],
  [
    'a variable of a name that every scenario has',
    `${HEAD}vars: { rp: 1 }\nsteps:\n  - advance: { s: 1 }`,
    'line 2, column 9: "rp" cannot name a variable.',
  ],
  [
    'a value that is saved twice under a given name',
    `${HEAD}vars: { a: 1 }\nsteps:\n  - free_port: { as: b }\n    save: { a: /x }`,
    'line 5, column 13: "a" has a value already',
  ],
  [
    'a variable with a value that the step does not take',
    `${HEAD}vars: { n: many }\nsteps:\n  - expect_credentials: { user_id: u, count: '\${n}' }`,
    'line 4, column 39: "steps[0].expect_credentials.count" must be',
  ],
  [
    'cases without a row',
    `${HEAD}cases: []\nsteps:\n  - advance: { s: 1 }`,
    'line 2, column 1: "cases" must be a list of at least 1 entry; got [].',
  ],
  ['cases with an empty row', `${HEAD}cases: [{}]\nsteps:\n  - advance: { s: 1 }`, '"cases[0]" must be'],
  [
    'a row that lacks a variable',
    `${HEAD}cases: [{ a: 1 }, { b: 1 }]\nsteps:\n  - check: { value: '\${a}', is: 1 }`,
    '(in row 2 of "cases")',
  ],
  [
    'two rows of one name',
    `${HEAD}cases: [{ name: one, a: 1 }, { name: one, a: 2 }]\nsteps:\n  - advance: { s: 1 }`,
    'line 2, column 30: another row has the name "x: one", too.',
  ],
  [
    'a skip without a reason',
    `${HEAD}skip: true\nsteps:\n  - advance: { s: 1 }`,
    'line 2, column 1: "skip" must be a text; got true.',
  ],
  [
    'an only with an empty reason',
    `${HEAD}only: ''\nsteps:\n  - advance: { s: 1 }`,
    '"only" must be a text that is not empty',
  ],
  ['a tag with a space', `${HEAD}tags: [a b]\nsteps:\n  - advance: { s: 1 }`, '"tags[0]" must be 1 to 64 letters'],
  [
    'an unknown RP',
    `${HEAD}steps:\n  - register: { user_id: u, username: u, rp: shop }`,
    'line 3, column 42: there is no RP "shop". Known are: none.',
  ],
  [
    'an unknown snapshot',
    `${HEAD}steps:\n  - restore: { snapshot: a }`,
    'no earlier step names a snapshot "a" with "as".',
  ],
  [
    'an unknown mark',
    `${HEAD}steps:\n  - expect_events: { of: { kind: push }, count: 1, since: a }`,
    'no earlier step names a mark "a" with "as". Known are: start.',
  ],
  ['a program that was not started', `${HEAD}steps:\n  - end_program: {}`, 'there is no program "program".'],
  [
    'a call of the control interface that there is not',
    `${HEAD}steps:\n  - control: { call: phones.gett }`,
    '"steps[0].control.call" must be one of',
  ],
  [
    'a call of the bench beyond the workspace',
    `${HEAD}steps:\n  - control: { call: workspaces.close, params: { id: main } }`,
    '"steps[0].control.call" must be one of',
  ],
  [
    'a call without what its path needs',
    `${HEAD}steps:\n  - control: { call: phones.get }`,
    'line 3, column 5: "steps[0].control.params.id" is missing.',
  ],
  [
    'a call with a wrong body',
    `${HEAD}steps:\n  - control: { call: clock.advance, body: { ms: soon } }`,
    '"steps[0].control.body',
  ],
  [
    'a call with a misspelt field',
    `${HEAD}steps:\n  - control: { call: keys.patch, params: { rp: r, key: k }, body: { state: disabled, sate: 1 } }`,
    '"steps[0].control.body.sate" is not known here. Did you mean state?',
  ],
  [
    'a bad regular expression',
    `${PHONE}steps:\n  - wait: { kind: { matches: '(' } }`,
    'line 4, column 5: "matches" must be a regular expression',
  ],
  [
    'a save that is no pointer',
    `${HEAD}steps:\n  - free_port: { as: p }\n    save: { q: port }`,
    '"steps[0].save.q" must be',
  ],
  [
    'counts without what is counted',
    `${HEAD}steps:\n  - expect_events: { count: 1 }`,
    '"steps[0].expect_events" must be {of, count}, or {in_order}',
  ],
  [
    'two bodies of a call',
    `${HEAD}steps:\n  - http: { url: u, json: 1, body: x }`,
    '"steps[0].http" must be {url, json}, or {url, form}, or {url, body}',
  ],
  ['an include of nothing', `${HEAD}steps:\n  - include: a.yaml`, 'line 3, column 5: a.yaml cannot be included here.'],
])('%s is refused with its place', (_title, text, sentence) => {
  expect(parseScenarios(text)).toEqual({ ok: false, error: expect.stringContaining(sentence) })
})

it('cases give one scenario for each row, each with its name and values', () => {
  const text = `name: A \${what}\nvars: { common: 1 }\ncases: [{ what: push }, { what: code }]\nsteps:\n  - check: { value: '\${what} \${common}', is: x }`
  const scenarios = taken(parseScenarios(text))
  expect(scenarios.map(({ name, row }) => [name, row])).toEqual([
    ['A push', 1],
    ['A code', 2],
  ])
  expect(scenarios.map(({ vars }) => vars)).toEqual([
    { common: 1, what: 'push' },
    { common: 1, what: 'code' },
  ])
})

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handset-include-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = (all: Readonly<Record<string, string>>): string => {
  const at = mkdtempSync(join(folder, 'a-'))
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(at, name)), { recursive: true })
    writeFileSync(join(at, name), text)
  }
  return at
}

const including = (file: string) => `${HEAD}steps:\n  - include: ${file}\n`

it('the steps of an included file stand in its place, with its lines and its variables', () => {
  const at = files({
    'a.yaml': `${HEAD}steps:\n  - include: { file: in/b.steps.yaml, vars: { v: 2 } }\n  - advance: { s: 3 }\n`,
    'in/b.steps.yaml': `# before\n- check: { value: '\${v}', is: 2 }\n`,
  })
  const [scenario] = taken(loadScenarios(join(at, 'a.yaml')))
  expect(scenario?.steps).toMatchObject([
    { word: 'check', line: 2, file: 'in/b.steps.yaml', scopes: [{ v: 2 }] },
    { word: 'advance', line: 4, scopes: [] },
  ])
})

it.each([
  [
    'itself by way of another',
    { 'a.yaml': including('b.yaml'), 'b.yaml': '- include: c.yaml', 'c.yaml': '- include: b.yaml' },
    'b.yaml includes c.yaml includes b.yaml: a circle',
  ],
  [
    'more than eight levels',
    {
      'a.yaml': including('1.yaml'),
      ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i + 1}.yaml`, `- include: ${i + 2}.yaml`])),
    },
    'more than 8 levels',
  ],
  ['a file outside the folder', { 'a.yaml': including('../b.yaml') }, '../b.yaml lies outside the scenario’s folder.'],
  ['an absolute path', { 'a.yaml': including('/etc/hostname') }, '/etc/hostname lies outside the scenario’s folder.'],
  ['a file that is not there', { 'a.yaml': including('b.yaml') }, 'there is no file b.yaml.'],
  ['a folder', { 'a.yaml': including('b'), 'b/c.yaml': '' }, 'b is a folder'],
  [
    'a whole scenario',
    { 'a.yaml': including('b.yaml'), 'b.yaml': `${HEAD}steps: []` },
    'b.yaml: line 1, column 1: The document must be a list',
  ],
  [
    'a wrong step',
    { 'a.yaml': including('b.yaml'), 'b.yaml': '- advance: { s: 1 }\n- advanc: { s: 1 }' },
    'b.yaml: line 2, column 3: "[1].advanc" is not known here. Did you mean advance?',
  ],
  [
    'too much',
    { 'a.yaml': including('b.yaml'), 'b.yaml': `# ${'x'.repeat(5_000_000)}\n- advance: { s: 1 }` },
    'expected at most 4194304',
  ],
])('a file that includes %s is refused', (_title, all, sentence) => {
  const at = files(all)
  expect(loadScenarios(join(at, 'a.yaml'))).toEqual({ ok: false, error: expect.stringContaining(sentence) })
})

it.skipIf(process.platform === 'win32')('a link does not lead an include out of the folder', () => {
  const outside = files({ 'b.yaml': '- advance: { s: 1 }' })
  const at = files({ 'a.yaml': including('b.yaml') })
  symlinkSync(join(outside, 'b.yaml'), join(at, 'b.yaml'))
  expect(loadScenarios(join(at, 'a.yaml'))).toEqual({ ok: false, error: expect.stringContaining('outside') })
})
