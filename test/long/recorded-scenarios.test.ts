import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICE_FAULT_NAMES } from '../../src-main/core/contract/service-faults.ts'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { shippedScenarios } from '../support/shipped-scenarios.ts'
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

it.each(FILES)('what is recorded of %s passes and does the same again', { timeout: 120_000 }, async (file) => {
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

it.each(SERVICE_FAULT_NAMES.filter((name) => !SLOW.has(name)))(
  'what happened under %s plays back, whether it was counted or drawn',
  async (fault) => {
    for (const how of [{ times: 3 }, { probability: 0.5 }] as const) {
      const scenario = await recordTroubled(bench.client, { arm: [{ fault, ...how }] })
      await expectReplays(bench.client, scenario)
    }
  },
)
