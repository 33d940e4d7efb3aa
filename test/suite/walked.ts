import { serviceFaultOf } from '../../src-main/contract/service-faults.ts'
import type { FaultFinding, Trial } from '../../src-main/contract/suite-findings.ts'
import { monotonicMicros } from '../../src-main/harness/clock.ts'
import { connectHandset } from '../../src-main/sdk/handset.ts'
import { httpDriver } from '../../src-main/suite/http-driver.ts'
import { trialsOf, walkFaults } from '../../src-main/suite/walk.ts'
import { startTestBench } from '../support/bench.ts'
import { startCareful } from '../support/sample-rp/careful.mjs'
import { startCareless } from '../support/sample-rp/careless.mjs'
import { sampleSuite } from './sample-suite.ts'

const SAMPLES = { careful: startCareful, careless: startCareless }

/** Walks faults against one of the sample RPs on a bench of its own. */
export const walked = async (
  sample: keyof typeof SAMPLES,
  { trials = trialsOf(), parallel = 8 }: { readonly trials?: readonly Trial[]; readonly parallel?: number } = {},
): Promise<readonly FaultFinding[]> => {
  const { bench, close } = await startTestBench()
  const workspace = await connectHandset({ controlUrl: bench.controlUrl, token: bench.token })
  const { baseUrl, accessKeyId, secretKey } = await workspace.rp()
  const rp = await SAMPLES[sample]({ baseUrl, accessKeyId, secretKey })
  const suite = sampleSuite(rp.url)
  try {
    return await walkFaults({
      workspace,
      driver: httpDriver(suite),
      patienceMs: (suite.patience_s ?? 0) * 1000,
      parallel,
      prefix: 'suite',
      trials,
      micros: monotonicMicros,
    })
  } finally {
    await rp.close()
    await close()
  }
}

/** What the table says of an RP that is not careful: a second story, in a registration, signs nobody in. */
export const fallen = ({ fault, story }: Trial): FaultFinding['verdict'] => {
  const row = serviceFaultOf(fault)
  return row.harm === 'admits' && story === row.story ? 'let_in' : 'broke'
}
