import { expect, it } from 'vitest'
import { realClock } from '../../../src-main/bench/harness/clock.ts'
import { en } from '../../../src-main/core/messages/en/en.ts'
import { zh } from '../../../src-main/core/messages/zh/zh.ts'
import { textOf } from '../../../src-main/core/protocol/coded.ts'
import { ALICE, cast, START, type TestBench } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { parseOne } from '../../support/parse-one.ts'
import { failuresOf, playScenario } from '../../support/play-scenario.ts'
import { msgIdOf, rpClient } from '../../support/service/rp-client.ts'
import { makeSoftKey, registrationResponse } from '../../support/service/soft-key.ts'
import { softPhone } from '../../support/service/soft-phone.ts'
import { shippedScenarios } from '../../support/shipped-scenarios.ts'
import { expectSameAgain, playSeeded, recordRun } from './recorded-run.ts'
import { expectReplays, recordTroubled } from './troubled.ts'

const bench = benchOfFile()

// test/long/recorded-scenarios.test.ts takes one of each subject.
it('a recorded scenario of a sign-in by push passes and does the same again', () =>
  expectSameAgain(bench.client, only('sign-in/by-push.yaml')))

it('a recorded scenario that begins after two phones of one account were made, makes both again', async () => {
  const run = await playSeeded(bench.client, parseOne(TWO_PHONES))
  const read = run.events.findLast(
    (event) => event.kind === 'exchange' && event.request.target.includes('/attestation/'),
  )
  const begun = read?.seq ?? 0
  const text = recordRun(run, begun)
  expect(text).toContain('same_account_as: alice,')
  expect((await playSeeded(bench.client, parseOne(text))).failed).toEqual([])
})

it('a recorded scenario can be played where a fault of the service changed the status', async () => {
  const run = await playSeeded(bench.client, parseOne(CAPITALS))
  expect(run.failed).toEqual([])
  const text = recordRun(run)
  expect(text).toContain('status: FAIL')
  expect((await playSeeded(bench.client, parseOne(text))).failed).toEqual([])
})

it.each([
  ['a person does', 'reject: {', 'approve: {'],
  ['the service answers', 'steps:\n', 'steps:\n  - arm_service: { fault: success-with-error }\n'],
])('a recorded scenario fails where %s otherwise than was recorded', async (_, was, is) => {
  const text = recordRun(await playSeeded(bench.client, only('refusal/user-says-no.yaml')))
  expect(text).toContain('expect: { status: fail, error: user_rejected')
  const { failed } = await playSeeded(bench.client, parseOne(text.replace(was, is)))
  expect(failed.map(({ word }) => word)).toEqual(['expect'])
})

const TWO_PHONES = `name: Two phones of one account
phones:
  alice: { account: { name: Alice, phone: '13812345678' } }
  tablet: { same_account_as: alice }
steps:
  - register: { user_id: u-1, username: u-1 }
  - scan: { phone: alice }
  - approve: { phone: alice }
  - expect: { status: success }
  - sign_in: { user_id: u-1, username: u-1, method: push }
  - open: { phone: alice }
  - reject: { phone: alice }
  - expect: { status: fail, error: user_rejected }
`

const CAPITALS = `name: A status in capitals
phones:
  alice: { account: { name: Alice, phone: '13812345678' } }
steps:
  - arm_service: { fault: fail-in-capitals }
  - register: { user_id: u-1, username: u-1, as: first }
  - scan: { phone: alice }
  - reject: { phone: alice }
  - control: { call: simulator.poll, params: { rp: '\${rp.id}', msg_id: '\${messages.first.msg_id}' } }
    answer: { status: FAIL }
`

const only = (file: string) => {
  const [scenario] = shippedScenarios(file)
  if (scenario === undefined) throw new Error(`there is no ${file}`)
  return scenario
}

// test/long/recorded-scenarios.test.ts takes each fault.
it('what drawn faults struck is recorded as it came about, each before its call', async () => {
  const text = await recordTroubled(bench.client, {
    arm: [
      { fault: 'status-goes-back', probability: 0.5 },
      { fault: 'html-page', probability: 0.3 },
      { fault: 'length-twice', probability: 0.2 },
    ],
  })
  expect(text).not.toContain('probability')
  await expectReplays(bench.client, text)
})

it('drawn conditions are recorded as they came about', async () => {
  const text = await recordTroubled(bench.client, { conditions: [{ rp: { fail_percent: 40, lose_percent: 30 } }] })
  expect(text).not.toContain('percent')
  await expectReplays(bench.client, text)
})

it('drawn conditions of one user keep their scope, beside those that are counted', async () => {
  const text = await recordTroubled(bench.client, {
    conditions: [
      { rp: { fail_percent: 50, fail_code: 42901 }, scope: { user_id: 'u-1' } },
      { rp: { lose_next: 2, only: ['assertion.result'] } },
    ],
  })
  await expectReplays(bench.client, text)
})

it('a recording that begins later arms what was left then', async () => {
  const text = await recordTroubled(bench.client, {
    late: true,
    arm: [{ fault: 'content-type-missing', times: 9, only: ['attestation.result', 'assertion.result'] }],
    conditions: [{ rp: { fail_next: 7 } }, { rp: { lose_next: 8, only: ['attestation.result', 'assertion.result'] } }],
  })
  const { setup } = parseOne(text)
  const armed = setup.flatMap(({ word, input }) => (word === 'arm_service' || word === 'conditions' ? [input] : []))
  expect(armed).toEqual([
    { rp: { lose_next: 3, only: ['attestation.result', 'assertion.result'] } },
    { fault: 'content-type-missing', times: 6, only: ['attestation.result', 'assertion.result'] },
  ])
  await expectReplays(bench.client, text)
})

/** A workspace with the demo RP and a phone that has registered, as its last user left it. */
const usedWorkspace = async () => {
  const { id } = await bench.client.call('workspaces.create', { body: {} })
  const client = bench.client.workspace(id)
  const { rp, phone } = await cast(client)
  const params = { id: phone }
  const ask = async (way: 'register' | 'sign-in') => {
    const body = { ...ALICE, poll: false }
    return way === 'register'
      ? client.call('simulator.register', { params: { rp }, body })
      : client.call('simulator.sign-in', { params: { rp }, body: { ...body, method: 'qrcode' } })
  }
  const approve = async ({ url, msg_id }: { readonly url: string; readonly msg_id: string }) => {
    await client.call('phones.scan', { params, body: { url } })
    await client.call('phones.approve', { params, body: {} })
    await client.call('simulator.poll', { params: { rp, msg_id } })
  }
  await approve(await ask('register'))
  return { client, rp, params, ask, approve }
}

const lastSeq = async (client: TestBench['client']) =>
  (await client.call('events.list', { query: { limit: 1, latest: true } })).last_seq

it('what happened after an event becomes steps, and what was there before becomes the setup', async () => {
  const { client, ask, approve } = await usedWorkspace()
  await client.call('clock.put', { body: { frozen: true } })
  const after = await lastSeq(client)
  await approve(await ask('sign-in'))
  const { scenario, steps, more } = await client.call('events.scenario', { query: { after, name: 'A sign-in' } })
  expect({ steps, more }).toEqual({ steps: 4, more: false })
  const { setup, steps: recorded } = parseOne(scenario)
  expect(setup.map(({ word }) => word)).toEqual(['clock', 'register', 'scan', 'approve', 'expect'])
  expect(recorded.map(({ word }) => word)).toEqual(['sign_in', 'scan', 'approve', 'expect'])
  expect(failuresOf(await playScenario(bench.client, parseOne(scenario)))).toEqual([])
})

it('a clock that is put back to real time is recorded as that, and plays back so', async () => {
  const { client } = await usedWorkspace()
  await client.call('clock.put', { body: { now: START, frozen: true, speed: 5 } })
  await client.call('clock.put', { body: { real: true } })
  const after = await lastSeq(client)
  const clocksIn = (text: string) => {
    const { setup, steps } = parseOne(text)
    return [setup, steps].map((part) => part.flatMap(({ word, input }) => (word === 'clock' ? [input] : [])))
  }
  const whole = (await client.call('events.scenario', { query: {} })).scenario
  expect(clocksIn(whole)[1]).toEqual([{ now: START, frozen: true, speed: 5 }, { real: true }])
  await client.call('phones.create', { body: { name: 'Later' } })
  const later = (await client.call('events.scenario', { query: { after } })).scenario
  expect(clocksIn(later)).toEqual([[], []])
  const played = await playScenario(bench.client, parseOne(whole))
  expect(failuresOf(played)).toEqual([])
})

it('a workspace that was reset has an unset clock', async () => {
  const { client } = await usedWorkspace()
  await client.call('clock.put', { body: { now: START, frozen: true } })
  await client.call('workspace.reset', { body: {} })
  const after = await lastSeq(client)
  await client.call('phones.create', { body: { name: 'Later' } })
  const { scenario } = await client.call('events.scenario', { query: { after } })
  expect(parseOne(scenario).setup.filter(({ word }) => word === 'clock')).toEqual([])
})

it('a message that was under way when the recording began is a comment, and so is what became of it', async () => {
  const { client, rp, params, ask } = await usedWorkspace()
  const { url, msg_id } = await ask('sign-in')
  const after = await lastSeq(client)
  await client.call('phones.scan', { params, body: { url } })
  await client.call('simulator.poll', { params: { rp, msg_id } })
  const { scenario } = await client.call('events.scenario', { query: { after } })
  expect(scenario.match(/^ {2}# /gm)).toHaveLength(3)
  expect(parseOne(scenario).steps.map(({ word }) => word)).toEqual(['mark'])
  expect(failuresOf(await playScenario(bench.client, parseOne(scenario)))).toEqual([])
})

it('no secret lands in the file: neither keys nor tokens nor what a phone sealed', async () => {
  const { client, rp } = await usedWorkspace()
  const { secret } = await client.call('keys.create', { params: { rp }, body: {} })
  const { keys } = await client.call('keys.list', { params: { rp } })
  const { scenario } = await client.call('events.scenario', { query: {} })
  for (const word of [secret, bench.bench.token, 'sealed', 'proof', ...keys.map(({ id }) => id)])
    expect(scenario).not.toContain(word)
})

it('what no step can do is a comment in the file, in the language that is asked for', async () => {
  const { client } = await usedWorkspace()
  const { addresses } = await client.call('overview')
  const url = `${addresses.base_url}/rp/credentials?user_id=u-1`
  await fetch(url)
  const params = { method: 'GET', target: url.slice(new URL(url).origin.length), refused: 40101 }
  for (const [language, texts] of Object.entries({ en, zh })) {
    const { scenario } = await client.call('events.scenario', { query: { language: language as 'en' | 'zh' } })
    expect(scenario).toContain(`\n  # ${textOf(texts.recordingNotes, { code: 'unsigned_call', params })}\n`)
    expect(failuresOf(await playScenario(bench.client, parseOne(scenario)))).toEqual([])
  }
})

it('a foreign RP and a foreign phone app become the RP and a phone of the scenario', async () => {
  const { id } = await bench.client.call('workspaces.create', { body: {} })
  const client = bench.client.workspace(id)
  const { rps } = await client.call('rps.list')
  const { key, secret } = await client.call('keys.create', { params: { rp: rps[0]?.id ?? '' }, body: {} })
  const running = { port: bench.bench.port, prefix: '/fido', wall: realClock }
  const rp = rpClient(running, { key: { id: key.id, secret }, workspace: id })
  const phone = await softPhone(running, { workspace: id })
  const begun = msgIdOf(await rp.register('u-1'))
  const { rp: site, public_key } = (await phone.bind(begun)).json.data
  const response = registrationResponse(makeSoftKey(), public_key, { origin: site.origins[0] })
  await phone.attest(begun, { response, storage: 'chip' })
  await rp.registrationResult(begun)
  const refused = msgIdOf(await rp.authenticate('u-1'))
  await phone.bind(refused)
  await phone.reject(refused, { reason: 'busy' })
  const { scenario } = await client.call('events.scenario', { query: {} })
  const { steps, phones } = parseOne(scenario)
  expect(Object.keys(phones)).toEqual(['li'])
  expect(steps.map(({ word }) => word)).toEqual([
    ...['register', 'scan', 'approve', 'expect'],
    ...['sign_in', 'scan', 'reject', 'wait'],
  ])
  expect(scenario).not.toContain(secret)
  expect(failuresOf(await playScenario(bench.client, parseOne(scenario)))).toEqual([])
})

it('a text of an RP that looks like a variable or like YAML is a text in the file', async () => {
  const { client, rp } = await usedWorkspace()
  const after = await lastSeq(client)
  const user = { user_id: `\${rp.secret_key}`, username: '# {a: "b"}\\' }
  await client.call('simulator.register', { params: { rp }, body: { ...user, poll: false } })
  const { scenario } = await client.call('events.scenario', { query: { after } })
  const begun = "wait: { kind: message, to: init, user_id: '$${rp.secret_key}', username: { contains: a } }"
  const replayed = await playScenario(bench.client, parseOne(`${scenario}  - ${begun}\n`))
  expect(failuresOf(replayed)).toEqual([])
})

it('a setup in which there is nothing but comments is an empty list', async () => {
  const { id } = await bench.client.call('workspaces.create', { body: {} })
  const client = bench.client.workspace(id)
  const { rp } = await cast(client)
  await client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  const after = await lastSeq(client)
  await client.call('clock.advance', { body: { ms: 1000 } })
  const { scenario } = await client.call('events.scenario', { query: { after } })
  expect(scenario).toContain('#')
  expect(parseOne(scenario).setup).toEqual([])
})
