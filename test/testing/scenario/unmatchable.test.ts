import { expect, it } from 'vitest'
import { parseScenarios } from '../../../src-main/testing/scenario/parse-scenario.ts'
import { refused } from '../../support/taken.ts'

const file = (...steps: readonly string[]): string =>
  `name: x\nphones: { a: {} }\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`

/** The field of the one problem. */
const fieldOf = (step: string): string => {
  const problem = refused(parseScenarios(file(step)))
  if (problem.code !== 'unfit') throw new Error(problem.code)
  return problem.params.problem.params.field.replace('steps[0].', '')
}

const counted = (match: string): string => `expect_events: { of: ${match}, count: 0, since: start }`

it.each([
  ['{ kind: message, too: success }', 'too'],
  ['{ kidn: message }', 'kidn'],
  ['{ kind: mesage }', 'kind'],
  ['{ to: sucess }', 'to'],
  ["{ to: { matchs: 'succ' } }", 'to.matchs'],
  ["{ to: { matches: 'sucess' } }", 'to.matches'],
  ["{ to: { glob: 'sucess*' } }", 'to.glob'],
  ['{ to: { contains: sucess } }', 'to.contains'],
  ['{ kind: { any_of: [message, pussh] } }', 'kind.any_of[1]'],
  ['{ to: { any_of: [success, failed] } }', 'to.any_of[1]'],
  ['{ to: { not: sucess } }', 'to.not'],
  ['{ to: { equals: sucess } }', 'to.equals'],
  ['{ to: { present: false }, kind: message }', 'to.present'],
  ['{ to: { at_least: 1 } }', 'to.at_least'],
  ['{ to: { length: many } }', 'to.length'],
  ['{ to: { matches: succ, matchs: x } }', 'to.matchs'],
  ['{ kind: message, from: success }', 'from'],
  ['{ kind: message, from: init, to: success }', 'to'],
  ['{ kind: delivery, state: bind }', 'state'],
  ['{ kind: exchange, response: { cod: 0 } }', 'response.cod'],
  ['{ kind: exchange, response: { status: { at_most: -1 } } }', 'response.status.at_most'],
  ['{ kind: exchange, response: { headers: { each: { length: x } } } }', 'response.headers.each.length'],
  ["{ kind: exchange, response: { body: { matchs: 'x' } } }", 'response.body.matchs'],
  ['{ kind: phone, struck: { faults: [bad-chalenge] } }', 'struck.faults[0]'],
  ['{ kind: phone, struck: { faults: { contains: bad-chalenge } } }', 'struck.faults.contains'],
  ['{ kind: phone, phone: { screen: { kind: succes } } }', 'phone.screen.kind'],
  ['{ kind: setting, detail: { matchs: x } }', 'detail.matchs'],
  ['{ change: pushed, to: success }', ''],
])('events that no bench can record: %s', (match, field) => {
  const below = (outer: string): string => [outer, field].filter((part) => part !== '').join('.')
  const fields = match.slice(2, -2)
  expect(fieldOf(counted(match))).toBe(below('expect_events.of'))
  expect(fieldOf(`no_event: { ${fields}, within: { ms: 1 } }`)).toBe(below('no_event'))
  expect(fieldOf(`wait: { ${fields}, until: { s: 1 } }`)).toBe(below('wait'))
  expect(fieldOf(`expect_events: { in_order: [{ kind: push }, ${match}] }`)).toBe(below('expect_events.in_order[1]'))
})

it.each([
  counted('{ kind: message, to: success }'),
  counted('{ kind: message, error: a_word_of_another_phone }'),
  counted("{ to: { matches: 'succ' }, from: { any_of: [init, bind] } }"),
  counted('{ to: { contains: ucce, not: fail } }'),
  counted('{ kind: { any_of: [message, push] }, msg_id: { present: true } }'),
  counted('{ kind: { not: { any_of: [exchange, device] } } }'),
  counted('{ kind: message, error: { present: false } }'),
  counted(`{ kind: message, to: '\${phones.a.name}' }`),
  counted(
    "{ kind: exchange, request: { target: { glob: '/app/*' }, route: { matches: bind } }, response: { code: { not: 0 } } }",
  ),
  counted('{ kind: exchange, response: { headers: { contains: [x-a, { matches: b }] } } }'),
  counted('{ kind: phone, phone: { screen: { kind: { any_of: [refused, problem] }, word: offline } } }'),
  counted('{ kind: setting, detail: { anything: { equals: { matchs: x, length: 1 } } } }'),
  'control: { call: simulator.poll, params: { rp: r, msg_id: m } }\n    answer: { status: FAIL }',
  'expect: { status: fail }\n    answer: { status: FAIL, polls: 1 }',
  'expect_credentials: { user_id: u, credentials: [{ credential_name: 7 }] }',
  'expect_phone: { phone: a, network: { not: offline }, screen: { kind: home }, prompts: [] }',
  'expect_phone: { phone: a, credentials: { length: { at_least: 1 } }, faults: { each: { left: { at_least: 1 } } } }',
  'expect_phone: { phone: a, device_id: { present: false } }',
  'http: { url: u }\n    answer: { status: { any_of: [200, 201] }, json: { note: x, batches: { each: { contains: y } } } }',
  'http: { url: u }\n    answer: { json: { equals: { length: 3, width: 2 } }, headers: { location: { glob: "*" } } }',
  'check: { value: { matchs: 1 }, is: { equals: { matchs: 1 } } }',
  'control: { call: messages.list }\n    answer: { messages: { each: { state: { not: timeout } } } }',
  `arm: { phone: a, fault: '\${phones.a.name}' }`,
  'arm: { phone: a, fault: bad-chalenge }\n    refused: 40906',
  'profile: { mesage_ttl_s: 60 }\n    refused: 40001',
])('%s can be', (step) => {
  const parsed = parseScenarios(file(step))
  expect(parsed.ok ? undefined : parsed.error).toBeUndefined()
})

it.each([
  ['expect_phone: { phone: a, netwrk: online }', 'expect_phone.netwrk'],
  ['expect_phone: { phone: a, network: { not: ofline } }', 'expect_phone.network.not'],
  ['expect_phone: { phone: a, screen: { kind: asks } }', 'expect_phone.screen.kind'],
  ['expect_phone: { phone: a, credentials: { equals: [{ nam: x }] } }', 'expect_phone.credentials.equals[0].id'],
  ['expect: { status: fail, error: { not: { matchs: x } } }', 'expect.error.not.matchs'],
  ['expect: { status: fail, user_id: { equls: x } }', 'expect.user_id.equls'],
  ['expect_credentials: { user_id: u, credentials: [{ name: x }] }', 'expect_credentials.credentials[0].name'],
  ['browser: { expect: { matchs: x } }', 'browser.expect.matchs'],
  ['browser: { expect_url: { any_of: [{ globe: x }] } }', 'browser.expect_url.any_of[0].globe'],
  ['check: { value: 1, is: { matches: x, more: 1 } }', 'check.is.more'],
  ['check: { value: 1, is: { not: { lenght: 1 } } }', 'check.is.not.lenght'],
  ['http: { url: u }\n    answer: { stauts: 200 }', 'answer.stauts'],
  ['http: { url: u }\n    answer: { status: { not: 2000 } }', 'answer.status.not'],
  ['http: { url: u }\n    answer: { json: { user: { matchs: x } } }', 'answer.json.user.matchs'],
  ['control: { call: messages.list }\n    answer: { messages: { each: { sate: fail } } }', 'answer.messages.each.sate'],
  [
    'control: { call: messages.list }\n    answer: { messages: { each: { state: { not: failed } } } }',
    'answer.messages.each.state.not',
  ],
  ['approve: { phone: a }\n    answer: { screen: { kind: { not: refusd } } }', 'answer.screen.kind.not'],
  ['advance: { s: 1 }\n    answer: { nwo: 1 }', 'answer.nwo'],
  ['expect: { status: fail }\n    answer: { stauts: fail }', 'answer.stauts'],
  ['arm: { phone: a, fault: bad-chalenge }', 'arm.fault'],
  ['disarm: { phone: a, fault: bad-chalenge }', 'disarm.fault'],
  ['control: { call: phones.arm, params: { id: x }, body: { fault: bad-chalenge } }', 'control.body.fault'],
  ['profile: { mesage_ttl_s: 60 }', 'profile.mesage_ttl_s'],
])('%s cannot be: %s', (step, field) => {
  expect(fieldOf(step)).toBe(field)
})

it('a setting of the head that there is not is refused with its line', () => {
  const problem = refused(parseScenarios('name: x\nprofile:\n  mesage_ttl_s: 60\nsteps:\n  - advance: { s: 1 }\n'))
  expect(problem).toMatchObject({ code: 'unfit', at: [{ line: 3 }] })
})
