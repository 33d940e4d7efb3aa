import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { failuresOf, playScenario } from '../support/play-scenario.ts'
import { shippedFiles, shippedScenarios } from '../support/shipped-scenarios.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

it.each(shippedFiles.filter((file) => hasPython || !file.startsWith('your-own-rp/')))(
  '%s passes',
  { timeout: 120_000 },
  async (file) => {
    for (const scenario of shippedScenarios(file)) {
      expect(failuresOf(await playScenario(bench.client, scenario)), scenario.name).toEqual([])
    }
  },
)
