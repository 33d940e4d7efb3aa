import { afterAll, beforeAll, expect, it } from 'vitest'
import { en } from '../../src-main/messages/en/en.ts'
import { textOf } from '../../src-main/messages/text.ts'
import { zh } from '../../src-main/messages/zh/zh.ts'
import { callAsPhone, messageId, scanAndApprove, signIn } from '../foreign/phone.ts'
import { callAsRp } from '../foreign/rp.ts'
import { ALICE, cast, START, startTestBench, type TestBench } from '../support/bench.ts'
import { parseOne } from '../support/parse-one.ts'
import { failuresOf, playScenario } from '../support/play-scenario.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

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
  const { id, base_url, app_url } = await bench.client.call('workspaces.create', { body: {} })
  const client = bench.client.workspace(id)
  const { rps } = await client.call('rps.list')
  const { key, secret } = await client.call('keys.create', { params: { rp: rps[0]?.id ?? '' }, body: {} })
  const rp = { baseUrl: base_url, accessKeyId: key.id, secretKey: secret }
  const phone = await signIn(app_url, { name: 'Li Wei', phone: '13812345678' })
  const begun = await callAsRp(rp, 'POST', '/rp/attestation/options', ALICE)
  await scanAndApprove(phone, begun.data.url)
  await callAsRp(rp, 'GET', `/rp/attestation/result?msg_id=${messageId(begun.data.url)}`)
  const refused = await callAsRp(rp, 'POST', '/rp/assertion/options', { ...ALICE, method: 'qrcode' })
  await callAsPhone(phone, 'POST', `/messages/${messageId(refused.data.url)}/bind`, {})
  await callAsPhone(phone, 'POST', `/messages/${messageId(refused.data.url)}/reject`, { reason: 'busy' })
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
