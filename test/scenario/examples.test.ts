import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { failuresOf, playScenario } from '../support/play-scenario.ts'
import { shippedFiles, shippedScenarios } from '../support/shipped-scenarios.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

it('more than forty scenarios ship, each of one subject, named as a sentence and with tags', () => {
  expect(shippedFiles.length).toBeGreaterThan(40)
  const scenarios = shippedFiles.flatMap(shippedScenarios)
  expect(scenarios.filter(({ tags }) => tags.length === 0).map(({ name }) => name)).toEqual([])
  expect(scenarios.filter(({ name }) => !/^[A-Z].* .* /.test(name)).map(({ name }) => name)).toEqual([])
  expect(scenarios.filter(({ only, skip }) => (only ?? skip) !== undefined)).toEqual([])
  const names = scenarios.map(({ name }) => name)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

/** One of each subject; `npm test -- long` plays all of them. */
const SOME = [
  'credentials/snapshot.yaml',
  'events/order-of-a-sign-in.yaml',
  'forged/disarmed.yaml',
  'refusal/finger-not-recognised.yaml',
  'several-rps/disabled-key.yaml',
  'several-rps/unsigned-call.yaml',
]

it.each(SOME)('%s passes', async (file) => {
  for (const scenario of shippedScenarios(file)) {
    expect(failuresOf(await playScenario(bench.client, scenario)), scenario.name).toEqual([])
  }
})
