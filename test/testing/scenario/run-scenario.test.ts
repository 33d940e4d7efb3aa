import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { createControlClient } from '../../../src-main/sdk/client.ts'
import { fillReferences, findReferences } from '../../../src-main/testing/scenario/variables.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { parseOne } from '../../support/parse-one.ts'
import { playScenario } from '../../support/play-scenario.ts'
import { shippedFiles, shippedScenarios } from '../../support/shipped-scenarios.ts'

const bench = benchOfFile()

const play = (text: string) => playScenario(bench.client, parseOne(`name: x\n${text}`))
const FAILS = 'check: { value: 1, is: 2 }'
const GOES = 'check: { value: 1, is: 1 }'

it('a teardown runs after a failure, to its end, and its own failures count', async () => {
  const { ok, reports } = await play(`steps: [{ ${FAILS} }, { ${GOES} }]\nteardown: [{ ${FAILS} }, { ${GOES} }]`)
  expect(ok).toBe(false)
  expect(reports.map(({ number, part, ok: good }) => [number, part, good])).toEqual([
    [1, 'steps', false],
    [2, 'teardown', false],
    [3, 'teardown', true],
  ])
  expect((await play(`steps: [{ ${GOES} }]\nteardown: [{ ${FAILS} }]`)).ok).toBe(false)
})

it('a step that called the control interface needs no further call to know the last event', async () => {
  const asked: string[] = []
  const client = createControlClient({
    ...{ controlUrl: bench.bench.controlUrl, token: bench.bench.token },
    fetch: (url, init) => {
      asked.push(new URL(url).pathname.replace(/^.*\/control\/v1/, ''))
      return fetch(url, init)
    },
  })
  const { reports } = await playScenario(client, parseOne(`name: x\nsteps: [{ advance: { ms: 1 } }, { ${GOES} }]`))
  // The step that only looks asks by itself: what it looked at may have been done by others.
  expect(asked.filter((path) => path === '/events')).toHaveLength(1)
  const [advanced, looked] = reports
  expect(advanced?.to_seq).toBeGreaterThan(advanced?.from_seq ?? Number.NaN)
  expect(looked).toMatchObject({ from_seq: advanced?.to_seq, to_seq: advanced?.to_seq })
})

it('a step that failed tells what went wrong in its workspace, and the same event once', async () => {
  const waits = `{ register: { user_id: u, username: u } }`
  const fails = `{ register: { user_id: '', username: u } }`
  const many = (await play(`steps: [${waits}, { expect: { status: success, until: { ms: 250 } } }]`)).reports.at(-1)
  expect(many?.why).toHaveLength(1)
  expect(many?.events).toHaveLength(1)
  const { reports } = await play(`steps: [${fails}]`)
  expect(reports[0]?.why?.[0]).toContain('40002')
  expect((await play(`steps: [{ ${GOES} }]`)).reports[0]?.why).toBe(undefined)
})

it('steps do not run when the setup failed', async () => {
  const { ok, reports } = await play(`setup: [{ ${FAILS} }]\nsteps: [{ ${GOES} }]\nteardown: [{ ${GOES} }]`)
  expect(ok).toBe(false)
  expect(reports.map(({ part }) => part)).toEqual(['setup', 'teardown'])
})

const BEGIN = 'register: { user_id: u, username: u }'
const MESSAGE = '{ kind: message, to: init }'

const TIMED_OUT = '{ kind: message, to: timeout }'
const TWICE = `${BEGIN} }, { ${BEGIN}`
const EXPIRED = `${BEGIN} }, { expire: {}`
const NO_MESSAGE = 'no_event: { kind: message, within: { ms: 20 } }'
const counted = (rest: string) => `expect_events: { of: ${MESSAGE}, ${rest} }`
const ordered = (...events: readonly string[]) => `expect_events: { in_order: [${events}], since: start }`
const fitting = (glob: string) => `wait: { kind: message, url: { glob: '${glob}' }, until: { ms: 20 } }`

it.each([
  [
    'a negation of what never came',
    '{ control: { call: overview } }',
    'no_event: { kind: clock, within: { ms: 20 } }',
    true,
  ],
  ['a negation of what the step before did', BEGIN, NO_MESSAGE, false],
  ['a negation of what was before that', `${BEGIN} }, { ${GOES} }, { advance: { ms: 1 }`, NO_MESSAGE, true],
  ['a count that is right', BEGIN, counted('count: 1'), true],
  ['a count that is too high', BEGIN, counted('count: 2, until: { ms: 20 }'), false],
  ['a count that was passed', BEGIN, counted('count: 0, until: { s: 60 }'), false],
  ['a count since the start', TWICE, counted('count: 2, since: start'), true],
  ['a count since the step before', TWICE, counted('count: 1'), true],
  ['an order that is right', EXPIRED, ordered(MESSAGE, TIMED_OUT), true],
  ['an order that is turned round', EXPIRED, ordered(TIMED_OUT, MESSAGE), false],
  ['a pattern that fits', BEGIN, fitting('http*#r*'), true],
  ['a pattern that does not', BEGIN, fitting('http*#a*'), false],
  ['a wait behind a look', `${BEGIN} }, { ${GOES}`, 'wait: { kind: message, until: { ms: 20 } }', true],
])('%s', async (_title, before, look, good) => {
  const first = before.startsWith('{') ? before : `{ ${before} }`
  const { ok, last } = await play(`steps: [${first}, { ${look} }]`)
  expect({ ok, word: last?.word }).toEqual({ ok: good, word: look.split(':')[0] })
})

it('an event that comes within the time of a negation ends it', async () => {
  const phone = 'phones: { a: { behaviour: { answer: reject, delay_ms: 0 } } }\n'
  const { last } = await play(
    `${phone}steps:\n  - ${BEGIN}\n  - scan: { phone: a }\n  - no_event: { kind: message, to: fail, within: { s: 20 } }`,
  )
  expect(last?.problem).toMatchObject({ code: 'event_came', params: { within_ms: 20_000 } })
})

it.each([
  [
    'a variable that has no such part fails the step that uses it',
    `vars: { a: { b: 1 } }\nsteps: [{ check: { value: '\${a.c}', is: 1 } }]`,
    { number: 1, problem: { code: 'no_value', params: { reference: 'a.c' } } },
  ],
  [
    'one of the head fails before the first step',
    `vars: { a: { b: 1 } }\nphones: { p: { name: '\${a.c}' } }\nsteps: [{ ${GOES} }]`,
    { number: 0, problem: { code: 'no_value', params: { reference: 'a.c' } } },
  ],
  [
    'a saved value of the wrong type is refused by the step that takes it',
    `steps: [{ control: { call: clock.get }, save: { f: /frozen } }, { expect_credentials: { user_id: u, count: '\${f}' } }]`,
    { problem: { code: 'bad_input' } },
  ],
  [
    'a pattern from a variable is looked at when it is used',
    `steps: [{ check: { value: '(', is: { present: true } }, save: { p: '' } }, { check: { value: a, is: { matches: '\${p}' } } }]`,
    { problem: { code: expect.stringMatching(/^bad_(regex|pattern)$/) } },
  ],
])('%s', async (_, text, last) => {
  expect((await play(text)).last).toMatchObject(last)
})

it('an answer that is not as expected fails the step, and a refusal does not count as one', async () => {
  const differs = await play('steps: [{ control: { call: clock.get }, answer: { speed: 7 } }]')
  expect(differs.last?.problem).toMatchObject({ code: 'differs', params: { at: '/speed', expected: 7, received: 1 } })
  const refused = await play(
    'steps: [{ control: { call: phones.get, params: { id: none } }, answer: { present: false } }]',
  )
  expect(refused.last?.problem?.code).toBe('refused')
})

it('steps use the RP that they name, with its own key and its own users', async () => {
  const text = `rps: { shop: { rp_id: shop.example }, bank: {} }
phones: { a: {} }
steps:
  - register: { user_id: u, username: u, rp: bank }
  - scan: { phone: a }
  - approve: { phone: a }
  - expect: { status: success }
  - expect_credentials: { user_id: u, rp: bank, count: 1 }
  - expect_credentials: { user_id: u, rp: shop, count: 0 }
  - expect_credentials: { user_id: u, count: 0 }
  - check: { value: '\${rps.bank.rp_id} \${rp.rp_id}', is: bank.example shop.example }
`
  expect((await play(text)).reports.filter(({ ok }) => !ok)).toEqual([])
})

const ask = async (worker: Worker, message: 'end' | 'look'): Promise<unknown> => {
  worker.postMessage(message)
  return (await once(worker, 'message'))[0]
}

it.skipIf(process.platform === 'win32')('a scenario that ends leaves the programs of other threads alone', async () => {
  const file = new URL('../../support/program-worker.ts', import.meta.url)
  const [first, second] = [new Worker(file), new Worker(file)]
  expect(await Promise.all([first, second].map((worker) => once(worker, 'message')))).toEqual([
    ['started'],
    ['started'],
  ])
  expect(await ask(first, 'end')).toBe('ended')
  expect(await ask(second, 'look')).toBe('runs')
  expect(await ask(second, 'end')).toBe('ended')
})

it('more than forty scenarios ship, each of one subject, named as a sentence and with tags', () => {
  expect(shippedFiles.length).toBeGreaterThan(40)
  const scenarios = shippedFiles.flatMap(shippedScenarios)
  expect(scenarios.filter(({ tags }) => tags.length === 0).map(({ name }) => name)).toEqual([])
  expect(scenarios.filter(({ name }) => !/^[A-Z].* .* /.test(name)).map(({ name }) => name)).toEqual([])
  expect(scenarios.filter(({ only, skip }) => (only ?? skip) !== undefined)).toEqual([])
  const names = scenarios.map(({ name }) => name)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

const values: Readonly<Record<string, unknown>> = {
  name: 'alice',
  count: 3,
  object: { a: [1] },
  sly: `\${name} $\${name} \${missing}`,
  dollar: '$&$1$$',
}
const fill = (value: unknown) => fillReferences(value, (reference) => values[reference] ?? `?${reference}?`)

it.each([
  [`a \${name} b`, 'a alice b'],
  [`\${count}`, 3],
  [`\${count} `, '3 '],
  [`\${object}`, { a: [1] }],
  [`=\${object}`, '={"a":[1]}'],
  [`$\${name}`, `\${name}`],
  [`a $\${name} \${name}`, `a \${name} alice`],
  [`\${name`, `\${name`],
  ['$name {name}', '$name {name}'],
  [`\${dollar}!`, '$&$1$$!'],
  [
    { a: [`\${name}`], x: `\${count}` },
    { a: ['alice'], x: 3 },
  ],
  [null, null],
])('%j becomes %j', (value, filled) => {
  expect(fill(value)).toEqual(filled)
})

it('what a variable holds is never read as a reference', () => {
  expect(fill(`\${sly}`)).toBe(`\${name} $\${name} \${missing}`)
  expect(fill(`<\${sly}>`)).toBe(`<\${name} $\${name} \${missing}>`)
})

it('a value knows what it refers to', () => {
  expect(findReferences([`\${a}`, { b: `x \${c.d} $\${e}` }, 1])).toEqual(['a', 'c.d'])
})
