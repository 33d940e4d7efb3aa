import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { monotonicMicros } from '../../src-main/harness/clock.ts'
import { runScenario, type StepReport } from '../../src-main/harness/run-scenario.ts'
import { parseScenario } from '../../src-main/harness/scenario.ts'
import { foldTimeline } from '../../src-renderer/bench/fold-timeline.ts'
import { newTimeline } from '../../src-renderer/bench/timeline.ts'
import { scenarioOf } from '../../src-renderer/inspector/scenario-of.ts'
import { ALICE, cast, register, START, startTestBench, type TestBench } from '../support/bench.ts'
import { taken } from '../support/taken.ts'

let bench: TestBench
let players: { readonly rp: string; readonly phone: string }
beforeEach(async () => {
  bench = await startTestBench({ clock: { now: START, frozen: true } })
  players = await cast(bench.client)
})
afterEach(() => bench.close())

/** The newest message as a scenario, made from the events alone. */
const copied = async (): Promise<string> => {
  const { events } = await bench.client.call('events.list', {})
  const message = events.reduce(foldTimeline, newTimeline()).groups.at(-1)?.message
  if (message === undefined) throw new Error('there is no message')
  return scenarioOf(message, { name: 'Alice’s phone', storage: 'cloud' }) ?? ''
}

const replay = async (text: string): Promise<readonly StepReport[]> => {
  const reports: StepReport[] = []
  await runScenario(taken(parseScenario(text)), {
    client: bench.client,
    start: START,
    micros: monotonicMicros,
    pause: (ms) => setTimeout(ms),
    stop: new AbortController().signal,
    onStep: (report) => void reports.push(report),
  })
  return reports.filter(({ ok }) => !ok)
}

it('an answer that a fault held back is replayed with its own delay', async () => {
  const { client } = bench
  const params = { id: players.phone }
  await client.call('phones.arm', { params, body: { fault: 'answer-late', parameters: { delay_ms: 45_000 } } })
  expect(await register(client, players)).toMatchObject({ status: 'bind' })
  const { last_seq: after } = await client.call('events.list', { query: { limit: 1, latest: true } })
  await client.call('clock.advance', { body: { ms: 45_000 } })
  await client.call('events.wait', { body: { match: { kind: 'message', to: 'success' }, after } })
  const text = await copied()
  expect(text).toContain('arm: { phone: phone, fault: answer-late, parameters: {"delay_ms":45000} }')
  expect(await replay(text)).toEqual([])
  // The delay is what makes it so.
  expect(await replay(text.replace('{ ms: 45000 }', '{ ms: 44999 }').replace('{ s: 5 }', '{ ms: 50 }'))).toMatchObject([
    { word: 'expect' },
  ])
})

it('a push that a fault held back is opened when it has come', async () => {
  const { client } = bench
  const params = { id: players.phone }
  await register(client, players)
  await client.call('phones.arm', { params, body: { fault: 'push-late', parameters: { delay_ms: 20_000 } } })
  const { last_seq: after } = await client.call('events.list', { query: { limit: 1, latest: true } })
  const { msg_id } = await client.call('simulator.sign-in', {
    params: { rp: players.rp },
    body: { ...ALICE, method: 'push', poll: false },
  })
  await client.call('events.wait', { body: { match: { kind: 'phone', struck: { msg_id } }, after } })
  await client.call('clock.advance', { body: { ms: 20_000 } })
  await client.call('events.wait', { body: { match: { kind: 'phone', change: 'pushed' }, after } })
  await client.call('phones.open', { params, body: { msg_id } })
  await client.call('phones.approve', { params, body: {} })
  expect(await replay(await copied())).toEqual([])
})
