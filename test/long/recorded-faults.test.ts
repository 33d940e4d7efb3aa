import { afterAll, beforeAll, it } from 'vitest'
import { SERVICE_FAULT_NAMES } from '../../src-main/contract/service-faults.ts'
import { expectReplays, recordTroubled } from '../recording/troubled.ts'
import { startTestBench, type TestBench } from '../support/bench.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

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
