import { expect, test } from 'vitest'
import { readConfig } from '../../src-main/cli/bench-options.ts'
import { readRpSuite, readWebauthnServer } from '../../src-main/cli/read-calls.ts'
import { type FileProblem, fileProblemText } from '../../src-main/core/contract/scenario/file-problems.ts'
import { parseScenarios } from '../../src-main/testing/scenario/parse-scenario.ts'
import { refused } from '../support/taken.ts'

// What the terminal says of a file: these are about the sentences themselves.

test.each([
  ['rps: [{name: A, rp_id: a.example, origin: x}]', '"rps[0].origin" is not known here.'],
  ['rps: [{name: A}]', '"rps[0].rp_id" is missing.'],
  [
    'rps: [{name: A, rp_id: a.example, origins: [x]}]',
    '"rps[0].origins[0]" must be an origin such as "https://shop.example"; got "x".',
  ],
  [
    'rps: [{name: A, rp_id: x-.example}]',
    '"rps[0].rp_id" must be a domain such as "shop.example", lower case, without scheme and port; got "x-.example".',
  ],
  ['rps: [{name: A, rp_id: a.example, origins: []}]', '"rps[0].origins" must '],
  ['rps: [{name: A, rp_id: a.example}, {name: A, rp_id: b.example}]', '"rps[1].name" repeats that of rps[0]: "A".'],
  [
    'rps: [{name: A, rp_id: a, keys: [{id: k, secret: s}]}, {name: B, rp_id: b, keys: [{id: k, secret: t}]}]',
    '"rps[1].keys[0].id" repeats that of rps[0].keys[0]: "k".',
  ],
  [
    `rps: [{name: A, rp_id: a, keys: [{id: k, secret: "${'s'.repeat(257)}"}]}]`,
    '"rps[0].keys[0].secret" must be a text of 1 to 256 characters without control characters; got "•••".',
  ],
  ['phones: [{name: P}, {name: P}]', '"phones[1].name" repeats that of phones[0]: "P".'],
  ['phones: [{name: 3}]', '"phones[0].name" must be a text of 1 to 64 characters on one line, not only spaces; got 3.'],
  ['profile: {message_ttl_s: 1}', '"profile.message_ttl_s" must be a whole number from 5 to 3600; got 1.'],
  [
    'clock: {now: tomorrow}',
    '"clock.now" must be a time such as 2030-01-01T12:00:00Z, from 1970 to 9999; got "tomorrow".',
  ],
  ['seed: [', 'line 2, column 1: '],
  ['seed: *s', 'line 1, column 7: *s names nothing; '],
  ['- 1', 'The document must be a JSON object; got [1].'],
])('[cli.config] a configuration file with %j names what is wrong', (text, sentence) => {
  expect(fileProblemText(refused(readConfig(`${text}\n`)))).toContain(sentence)
})

const step = (text: string): string => `name: x\nsteps:\n  - ${text}`

test.each([
  ['steps: [{scan: {phone: a}}]', 'line 1, column 1: "name" is missing.'],
  ['name: x\n---\nname: y', 'a second document begins here; expected one.'],
  ['name: x\nstep: []', 'line 1, column 1: "steps" is missing. "step" is not known here. Did you mean steps?'],
  [step('scann: {phone: a}'), 'line 3, column 5: "steps[0].scann" is not known here. Did you mean scan?'],
  [
    step('scan:\n    phone: a'),
    'line 3, column 5: "steps[0].scan" must be a mapping: indent its fields further than its name; got null.',
  ],
  [step('scan: {phone: a}'), 'line 3, column 12: there is no phone "a".'],
  [step('advance: {s: 1}\n    scan: {}'), 'line 3, column 5: "steps[0]" must be one word with what belongs to it'],
  [step('expect: {status: init, until: 3}'), 'line 3, column 28: "steps[0].expect.until" must be {s: SECONDS}'],
  [step('expect: {status: init, message: m}'), 'line 3, column 28: no earlier step names a message "m" with "as".'],
  [
    step('advance: {s: 1}\n    refused: 0'),
    'line 4, column 5: "steps[0].refused" must be a code of the error table, such as 40403; got 0.',
  ],
  [step('advance: {}'), 'line 3, column 5: "steps[0].advance" must be {s: SECONDS}'],
  [step('wait: {}'), 'line 3, column 5: "steps[0].wait" must be a mapping with fields of an event'],
  [step('profile: {}'), 'line 3, column 5: "steps[0].profile" must be a mapping with something to change; got {}.'],
  ['name: x\nsteps: &s\n  - wait: *s', 'line 3, column 11: *s is inside what it names'],
  [`name: x\nsteps: ${'['.repeat(5000)}`, 'this is nested too deeply.'],
  [
    [
      'name: x',
      'a: &a [1,1,1,1,1,1,1,1,1]',
      ...'bcdefghij'.split('').map((n, i) => `${n}: &${n} [${Array(9).fill(`*${'abcdefghi'[i]}`).join()}]`),
    ].join('\n'),
    'line 7, column 32: with *e this is more than 100000 values; expected fewer.',
  ],
])('a scenario with a mistake names its line', (text, sentence) => {
  expect(fileProblemText(refused(parseScenarios(text)))).toContain(sentence)
})

const MANY = `name: x
tag: [a]
profile: { message_ttl_s: 1 }
teardown:
  - advance: {}
steps:
  - scann: { phone: a, as: m }
  - free_port: { as: 1, asx: 2 }
  - expect: { message: m, status: ok }
  - register: { user_id: 1, as: n }
  - expect: { message: n, status: init }
  - expect: { message: o, status: init }
  - advance: {}`

test.each([
  [
    ...['scenario', parseScenarios, MANY],
    [
      'line 2, column 1: "tag"',
      'line 3, column 12: "profile.message_ttl_s"',
      'line 5, column 5: "teardown[0].advance"',
      'line 7, column 5: "steps[0].scann"',
      'line 8, column 18: "steps[1].free_port.as"',
      'line 8, column 25: "steps[1].free_port.asx"',
      'line 9, column 27: "steps[2].expect.status"',
      'line 10, column 5: "steps[3].register.username"',
      'line 10, column 17: "steps[3].register.user_id"',
      'line 12, column 15: no earlier step names a message "o"',
      'and 1 more.',
    ],
  ],
  [
    ...['scenario whose included file cannot be read', parseScenarios],
    step('include: a.yaml\n  - expect: { message: m, status: init }\n  - advance: {}'),
    ['line 3, column 5: a.yaml', 'line 5, column 5: "steps[2].advance"'],
  ],
  [
    ...['configuration', readConfig, 'rps: [{ name: A }, { name: 3, rp_id: b, origin: 1 }]\nclock: { x: 1 }'],
    [
      'line 1, column 7: "rps[0].rp_id"',
      'line 1, column 22: "rps[1].name"',
      'line 1, column 41: "rps[1].origin"',
      'line 2, column 10: "clock.x"',
    ],
  ],
  [
    ...['configuration of two kinds', readConfig, 'phones: [{ name: P }, { name: P }]\nclock: { now: never }'],
    ['line 1, column 25: "phones[1].name"', 'line 2, column 10: "clock.now"'],
  ],
  [
    ...['suite configuration', readRpSuite, 'url: http://a.example\ncalls: { a: 1 }'],
    ['line 2, column 1: "calls.register"', 'line 2, column 1: "calls.sign_in"', 'line 2, column 1: "calls.who"'],
  ],
  [
    ...['webauthn configuration', readWebauthnServer, 'urll: http://a.example\ncalls: { registration: 1 }'],
    [
      'line 1, column 1: "url"',
      'line 2, column 1: "calls.registration_options"',
      'line 2, column 1: "calls.sign_in_options"',
      'line 2, column 1: "calls.sign_in"',
      'line 2, column 10: "calls.registration"',
    ],
  ],
  ['file that is not YAML', readConfig, 'a: *b c\nd: e: f\n', ['line 1, column ', 'line 2, column ']],
] as const)('all mistakes of a %s are told, each with its place and sorted', (_title, read, text, places) => {
  const lines = fileProblemText(refused<FileProblem>(read(text))).split('\n')
  expect(lines.map((line, i) => (line.startsWith(places[i] ?? '\n') ? places[i] : line))).toEqual(places)
})
