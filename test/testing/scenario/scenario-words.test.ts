import { describe, expect, it } from 'vitest'
import { type Expected, errors, type Refusal, refuseField } from '../../../src-main/core/contract/errors.ts'
import type { StepWord } from '../../../src-main/core/contract/scenario.ts'
import { en } from '../../../src-main/core/messages/en/en.ts'
import { refusalText } from '../../../src-main/core/messages/refusal-text.ts'
import { scenarioWords } from '../../../src-main/testing/scenario/run-step.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { parseOne } from '../../support/parse-one.ts'
import { playScenario } from '../../support/play-scenario.ts'

const bench = benchOfFile()

const HEAD = `name: Under test
phones:
  alice: { name: Alice’s phone, account: { name: Alice, phone: '13812345678' } }
steps:
`
/** The steps begin on this line of the file. */
const FIRST = HEAD.split('\n').length

const play = (steps: readonly string[], head = HEAD) =>
  playScenario(bench.client, parseOne(head + steps.map((step) => `  - ${step}\n`).join('')))

/** All steps but the last go well. */
const fails = async (steps: readonly string[]) => {
  const { ok, reports, last } = await play(steps)
  expect(reports.filter((report) => report.ok).map(({ number }) => number)).toEqual(steps.slice(1).map((_, i) => i + 1))
  expect({ ok, line: last?.line }).toEqual({ ok: false, line: FIRST + steps.length - 1 })
  return { expected: last?.expected, received: last?.received, events: last?.events }
}

const REGISTER = 'register: { user_id: u, username: alice }'
const REGISTERED = [REGISTER, 'scan: { phone: alice }', 'approve: { phone: alice }']
const SIGN_IN = 'sign_in: { user_id: u, username: alice, method: push }'
const REMOVED = `control: { call: phones.delete, params: { id: "\${phones.alice.id}" } }`
/** A value that is known only when the step runs. */
const saved = (value: string): string => `{ check: { value: ${value}, is: ${value} }, save: { word: '' } }`
const SOON = 'until: { ms: 50 }'

/** What comes, and what was expected where that is not success. */
type Failing = readonly [steps: readonly string[], received: RegExp | string, expected?: RegExp]

const exactly = (refusal: Refusal): string => `${errors[refusal.name].code} ${refusalText(en, refusal)}`
const unfit = (field: string, expected: Expected, got: string): string =>
  exactly(refuseField({ code: 'field_unfit', params: { field, expected, got } }))
const NOT_ASKED = exactly({ name: 'phone_refused', word: 'no_such_prompt' })
const NO_FAULT = exactly({
  name: 'not_found',
  word: 'no_such_fault',
  reason: { code: 'got', params: { got: 'nonsense' } },
})

/** They do nothing that could go wrong. */
const NEVER_FAIL = ['mark', 'end_program', 'free_port', 'snapshot'] as const
type NeverFails = (typeof NEVER_FAIL)[number]

/** One step for each word that cannot go well, and what is told then. */
const FAILING: Readonly<Record<Exclude<StepWord, NeverFails>, Failing>> = {
  register: [
    [`register: { user_id: '', username: alice }`],
    unfit('user_id', { code: 'name', params: { count: 128 } }, '""'),
  ],
  sign_in: [['sign_in: { user_id: nobody, username: x, method: qrcode }'], /^40403 /],
  scan: [[REGISTER, 'set_phone: { phone: alice, network: offline }', 'scan: { phone: alice }'], /offline/],
  open: [
    [...REGISTERED, 'arm: { phone: alice, fault: push-lost }', SIGN_IN, `open: { phone: alice, ${SOON} }`],
    /other events?: /,
    /^a push on this phone within 50 ms$/,
  ],
  approve: [['approve: { phone: alice }'], NOT_ASKED],
  reject: [['reject: { phone: alice }'], NOT_ASKED],
  set_phone: [['set_phone: { phone: alice, model: none }'], /^\d{5} /],
  arm: [[saved('nonsense'), `arm: { phone: alice, fault: '\${word}' }`], NO_FAULT],
  arm_service: [
    ['arm_service: { fault: html-page, parameters: { pause_ms: 1 } }'],
    refusalText(en, refuseField({ code: 'field_unknown', params: { field: 'parameters.pause_ms', known: [] } })),
  ],
  expect: [
    [REGISTER, 'expect: { status: success, user_id: u }'],
    /^{"status":"init","user_id":""}$/,
    /^{"status":"success","user_id":"u"}$/,
  ],
  expect_credentials: [[...REGISTERED, 'expect_credentials: { user_id: u, count: 2 }'], /^1$/, /^\/count is 2$/],
  clock: [['clock: { speed: -1 }'], unfit('speed', { code: 'number', params: { least: 0.001, most: 100_000 } }, '-1')],
  advance: [['advance: { s: -1 }'], /^40002 /],
  profile: [
    [saved('1'), `profile: { message_ttl_s: '\${word}' }`],
    unfit('message_ttl_s', { code: 'whole_number', params: { least: 5, most: 3600 } }, '1'),
  ],
  conditions: [
    ['conditions: { rp: { fail_next: -1 } }'],
    unfit('rp.fail_next', { code: 'whole_number', params: { least: 0, most: 1_000_000 } }, '-1'),
  ],
  wait: [
    [REGISTER, `wait: { kind: message, to: bind, ${SOON} }`],
    /^\d+ other events?: .*registration begins/,
    /^an event with {"kind":"message","to":"bind"} within 50 ms$/,
  ],
  delete_credential: [['delete_credential: { user_id: u }'], /none$/, /^credential_name/],
  dismiss: [[`dismiss: { phone: alice, ${SOON} }`], /./, /^a push on this phone within 50 ms$/],
  fail_fingerprint: [['fail_fingerprint: { phone: alice }'], NOT_ASKED],
  home: [[REMOVED, 'home: { phone: alice }'], /^404/],
  new_phone: [['new_phone: { as: bob, model: none }'], /^\d{5} /],
  remove_phone: [[REMOVED, 'remove_phone: { phone: alice }'], /^404/],
  sign_out_phone: [['lose_phone: { phone: alice }', 'sign_out_phone: { phone: alice }'], /lost/],
  sign_in_phone: [['lose_phone: { phone: alice }', 'sign_in_phone: { phone: alice }'], /lost/],
  wipe_phone: [['lose_phone: { phone: alice }', 'wipe_phone: { phone: alice }'], /lost/],
  lose_phone: [[REMOVED, 'lose_phone: { phone: alice }'], /^404/],
  sync_phone: [['sign_out_phone: { phone: alice }', 'sync_phone: { phone: alice }'], /^409/],
  forget_credential: [['forget_credential: { phone: alice }'], /none$/, /^credential_name/],
  disarm: [['disarm: { phone: alice, fault: origin-wrong }'], /^\[\]$/, /origin-wrong/],
  expect_phone: [['expect_phone: { phone: alice, network: offline }'], /^"online"$/, /^\/network is "offline"$/],
  expire: [[...REGISTERED, 'expect: { status: success }', 'expire: {}'], /^409/],
  restore: [
    [
      'snapshot: { as: before }',
      '{ control: { call: snapshots.list }, save: { kept: /snapshots/0/id } }',
      `control: { call: snapshots.delete, params: { id: "\${kept}" } }`,
      'restore: { snapshot: before }',
    ],
    /^404/,
  ],
  control: [['control: { call: phones.get, params: { id: none } }'], /^404/],
  no_event: [
    [REGISTER, 'no_event: { kind: message, to: init }'],
    /^event \d+: /,
    /^no event with {"kind":"message","to":"init"} within 500 ms$/,
  ],
  expect_events: [
    [REGISTER, 'expect_events: { of: { kind: message }, count: 2 }'],
    /^1, among \d+ other events: /,
    /^2 events with {"kind":"message"}$/,
  ],
  http: [['http: { url: "http://127.0.0.1:1/" }'], /./, /^an answer from http:\/\/127/],
  exec: [['exec: { program: no-such-program }'], /ENOENT/, /starts$/],
  expect_output: [
    ['exec: { program: echo, args: [hello], ready: ended }', `expect_output: { line: bye, ${SOON} }`],
    /hello/,
    /matches bye within 50 ms$/,
  ],
  browser: [['browser: { expect: hello }'], /none/, /^a page "page"/],
  check: [['check: { value: 1, is: 2 }'], /^1$/, /^2$/],
}

it.each(Object.entries(FAILING))(
  'a step that cannot go well: %s fails, and says what was expected, what came and where',
  async (word, [steps, received, expected = /^success$/]) => {
    const told = await fails(steps)
    expect(told.expected).toMatch(expected)
    expect(told.received).toMatch(received)
    expect(steps.at(-1)?.split(':')[0]).toBe(word)
  },
)

it('a step that cannot go well exists for every word', () => {
  expect([...Object.keys(FAILING), ...NEVER_FAIL].toSorted()).toEqual(Object.keys(scenarioWords).toSorted())
})

it.each(Object.entries(FAILING))('%s fails where it must be refused with another code', async (_word, [steps]) => {
  const before = steps.slice(0, -1)
  const { expected } = await fails([...before, `${steps.at(-1)}\n    refused: 41501`])
  expect(expected).toBe('refused with 41501')
})

const armed = (fault: string) => [`arm: { phone: alice, fault: ${fault} }`, ...SCANNED]
const SCANNED = [REGISTER, 'scan: { phone: alice }']
const APPROVE = 'approve: { phone: alice }'

it.each([
  [40001, armed('upload-not-json'), APPROVE],
  [40110, armed('signed-out-while-answering'), APPROVE],
  [40301, armed('answered-from-another-phone'), APPROVE],
  [40402, armed('answered-at-other-endpoint'), APPROVE],
  [41002, [REGISTER, 'advance: { to: next-expiry }'], 'scan: { phone: alice }'],
  [50301, [REGISTER, 'conditions: { app: { fail_percent: 100 } }'], 'scan: { phone: alice }'],
])('a phone’s step that the service refuses is expected by the service’s own code: %i', async (code, before, step) => {
  const { last } = await play([...before, `${step}\n    refused: ${code}`])
  expect(last).toMatchObject({ ok: true, told: { code: 'refused', params: { problem: { params: { code } } } } })
  const { expected, received } = await fails([...before, `${step}\n    refused: 40906`])
  expect({ expected, received }).toEqual({
    expected: 'refused with 40906',
    received: expect.stringMatching(`^${code} `),
  })
})

it('a phone’s step that the service refuses is expected as 40906 where the phone did not get as far as the service', async () => {
  const offline = [REGISTER, 'set_phone: { phone: alice, network: offline }']
  expect((await play([...offline, 'scan: { phone: alice }\n    refused: 40906'])).ok).toBe(true)
})

const SUCCESS = `wait: { kind: message, to: success, ${SOON} }`

it('a wait finds what the step before it did, and nothing that was before that', async () => {
  expect((await play([...REGISTERED, SUCCESS])).ok).toBe(true)
  await fails([...REGISTERED, SIGN_IN, SUCCESS])
  await fails([...REGISTERED, 'expect: { status: success }', SUCCESS])
})

it('a wait looks on from what the wait before it found: two waits are two events', async () => {
  const BOUND = `wait: { kind: message, from: init, to: bind, ${SOON} }`
  expect((await play([REGISTER, 'scan: { phone: alice }', BOUND])).ok).toBe(true)
  await fails([REGISTER, 'scan: { phone: alice }', BOUND, BOUND])
  const ASKED = `wait: { kind: phone, change: asked, ${SOON} }`
  expect((await play([REGISTER, 'scan: { phone: alice }', BOUND, ASKED])).ok).toBe(true)
})

it('a wait in vain can be what is wanted', async () => {
  const { last } = await play([REGISTER, `${SUCCESS}\n    refused: 40905`])
  expect(last).toMatchObject({ word: 'wait', ok: true })
})

const OPEN = `open: { phone: alice, ${SOON} }`

it('open finds the second push as well as the first', async () => {
  const ONCE = [SIGN_IN, 'open: { phone: alice }', 'approve: { phone: alice }', 'expect: { status: success }']
  expect((await play([...REGISTERED, ...ONCE, ...ONCE])).ok).toBe(true)
})

it('open finds a push that came before the step before it', async () => {
  expect((await play([...REGISTERED, SIGN_IN, 'expect: { status: init }', OPEN])).ok).toBe(true)
})

it('open fails when the second push is lost, though the first one is still there', async () => {
  const LOST = 'arm: { phone: alice, fault: push-lost }'
  await fails([...REGISTERED, SIGN_IN, 'wait: { kind: phone, change: pushed }', LOST, SIGN_IN, OPEN])
})

it('open opens the push of the message that is named', async () => {
  const first = SIGN_IN.replace(' }', ', as: first }')
  const pushed = 'wait: { kind: phone, change: pushed }'
  const named = 'open: { phone: alice, message: first }'
  const steps = [...REGISTERED, first, pushed, SIGN_IN, pushed, named, 'approve: { phone: alice }']
  expect((await play([...steps, 'expect: { status: success, message: first }'])).ok).toBe(true)
  await fails([...steps, 'expect: { status: success }'])
})

describe('expect', () => {
  const LATER = 'set_phone: { phone: alice, behaviour: { answer: approve, delay_ms: 700 } }'
  const SCANNED = [LATER, REGISTER, 'scan: { phone: alice }']

  it('reads once: what takes longer fails', async () => {
    const { received } = await fails([...SCANNED, 'expect: { status: success }'])
    expect(received).toBe('{"status":"bind"}')
  })

  it('with until reads until it is so', async () => {
    expect((await play([...SCANNED, 'expect: { status: success, until: { s: 20 } }'])).ok).toBe(true)
  })

  it('with until ends with the time, and says so', async () => {
    const { expected, received } = await fails([REGISTER, `expect: { status: bind, ${SOON} }`])
    expect({ expected, received }).toEqual({
      expected: '{"status":"bind"} within 50 ms',
      received: '{"status":"init"}',
    })
  })

  it('with until does not go on when the result is another one for good', async () => {
    const REJECTED = [REGISTER, 'scan: { phone: alice }', 'reject: { phone: alice }']
    const { received } = await fails([...REJECTED, 'expect: { status: success, until: { s: 600 } }'])
    expect(received).toBe('{"status":"fail"}')
  })

  it('may be refused, as the second read of a result is', async () => {
    const twice = ['expect: { status: success }', 'expect: { status: success }']
    expect((await play([...REGISTERED, ...twice.slice(0, 1), `${twice[1]}\n    refused: 41001`])).ok).toBe(true)
    const { received } = await fails([...REGISTERED, ...twice])
    expect(received).toMatch(/^41001 /)
  })
})

it.each(['expect: { status: success }', 'expect_credentials: { user_id: u, count: 1 }'])(
  'each step goes through the interface that it is named after: %s fails when every call of the RP fails',
  async (step) => {
    const { received } = await fails([...REGISTERED, 'conditions: { rp: { fail_percent: 100 } }', step])
    expect(received).toMatch(/^50301 /)
  },
)

it('each step goes through the interface that it is named after: expect_credentials has its exchange with the service', async () => {
  const { reports } = await play([
    ...REGISTERED,
    'expect_credentials: { user_id: u, count: 1 }',
    'wait: { kind: exchange, cause: none, until: { ms: 10 } }',
  ])
  expect(reports.at(-1)?.received).toMatch(/GET \S*\/rp\/credentials\?user_id=u/)
})

it.each([
  [`profile: { message_ttl_s: '\${n}' }\nvars: { n: 1 }`, 'profile', /^40002 /],
  ['phones: { bob: { model: none } }', 'phones', /^\d{5} /],
  ['phones: { bob: { colour: red } }', 'phones', /^40002 /],
])('a head with %s fails before the first step, with its line', async (head, word, received) => {
  const { ok, reports } = await play([REGISTER], `name: Head\n${head}\nsteps:\n`)
  expect(ok).toBe(false)
  expect(reports).toMatchObject([{ number: 0, word, line: 2, ok: false, received: expect.stringMatching(received) }])
})

it('a second phone of an account is named by the short name of the first', async () => {
  const head = HEAD.replace('steps:', '  tablet: { name: Alice’s tablet, same_account_as: alice }\nsteps:')
  const signIn = ['sign_in: { user_id: u, username: alice, method: push }', 'open: { phone: tablet }']
  const { ok, last } = await play(
    [
      REGISTER,
      'scan: { phone: alice }',
      'approve: { phone: alice, storage: cloud }',
      ...signIn,
      'approve: { phone: tablet }',
      'expect: { status: success }',
    ],
    head,
  )
  expect({ ok, last: last?.word }).toEqual({ ok: true, last: 'expect' })
})

it('a match that no event can have fails at once, also where its variable is known only then', async () => {
  for (const step of [
    `wait: { kind: message, to: '\${word}' }`,
    `no_event: { to: { not: '\${word}' } }`,
    `expect_events: { of: { to: '\${word}' }, count: 0 }`,
    `{ wait: { to: '\${word}' }, refused: 40905 }`,
  ]) {
    const { ok, last } = await play([saved('sucess'), step])
    expect({ ok, received: last?.received }).toEqual({ ok: false, received: expect.stringMatching(/"sucess"/) })
  }
})

it('arming says that an attempt which has begun goes on without the fault', async () => {
  const arm = 'arm: { phone: alice, fault: origin-wrong }'
  const { last } = await play([REGISTER, 'scan: { phone: alice }', arm])
  expect(last).toMatchObject({ ok: true, told: { code: 'armed', params: { left: 1, begun: 1 } } })
  const before = await play([REGISTER, arm])
  expect(before.last).toMatchObject({ told: { code: 'armed', params: { left: 1 } } })
})
