import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICE_FAULT_NAMES } from '../../src-main/core/contract/service-faults.ts'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { missingPrograms } from '../support/missing-programs.ts'
import { isNightly } from '../support/parts.ts'
import { failuresOf, playScenario } from '../support/play-scenario.ts'
import { shipped } from '../support/shipped-runs.ts'
import { shippedFiles, shippedScenarios } from '../support/shipped-scenarios.ts'
import { expectSameAgain } from '../views/recording/recorded-run.ts'
import { expectReplays, recordTroubled } from '../views/recording/troubled.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

const FILES = [
  'several-rps/one-phone.yaml',
  'credentials/snapshot.yaml',
  'conditions/lost-result.yaml',
  'conditions/phone-without-service.yaml',
  'credentials/one-of-two-deleted.yaml',
  'credentials/deleted-and-restored.yaml',
  'devices/lost-phone.yaml',
  'devices/wiped-phone.yaml',
  'events/push-arrives-once.yaml',
  'expiry/too-late-to-approve.yaml',
  'expiry/one-of-two.yaml',
  'forged/registration.yaml',
  'forged/verification-required.yaml',
  'refusal/phone-refuses-by-itself.yaml',
  'refusal/second-phone-comes-too-late.yaml',
  'refusal/swiped-away.yaml',
  'registration/two-phones.yaml',
  'sign-in/push-waits-for-a-phone-that-is-off.yaml',
]

it.each(FILES)('what is recorded of %s passes and does the same again', async (file) => {
  const scenarios = shippedScenarios(file)
  expect(scenarios).not.toEqual([])
  for (const scenario of scenarios) await expectSameAgain(bench.client, scenario)
})

/** They hold a call open for longer than a test may wait. */
const SLOW: ReadonlySet<string> = new Set([
  'no-answer',
  'body-stalls',
  'body-gigantic',
  'slow-drip',
  'protocol-switched',
])

/** Every other fault is counted, and those between are drawn; in the nightly part each is both. */
const STRUCK = SERVICE_FAULT_NAMES.filter((name) => !SLOW.has(name)).flatMap((fault, i) =>
  ([{ times: 3 }, { probability: 0.5 }] as const)
    .filter((_, nth) => isNightly || i % 2 === nth)
    .map((how) => ({ fault, ...how })),
)

it.each(STRUCK)('what happened under $fault plays back', async (fault) =>
  expectReplays(bench.client, await recordTroubled(bench.client, { arm: [fault] })),
)

const NOT_REPEATABLE = shippedFiles.filter((file) => !shipped.repeatable.includes(file))
const hasPython = missingPrograms(['python3']).length === 0

// repeat-runs.test.ts plays the others.
it.each(NOT_REPEATABLE.filter((file) => hasPython || !file.startsWith('your-own-rp/')))('%s passes', async (file) => {
  for (const scenario of shippedScenarios(file)) {
    expect(failuresOf(await playScenario(bench.client, scenario)), scenario.name).toEqual([])
  }
})
