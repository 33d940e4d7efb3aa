import { type ServiceFaultName, serviceFaultOf } from '../../src-main/contract/service-faults.ts'
import { connectHandset } from '../../src-main/sdk/handset.ts'
import { httpDriver } from '../../src-main/suite/http-driver.ts'
import { type FaultFinding, walkFaults } from '../../src-main/suite/walk.ts'
import { startTestBench } from '../support/bench.ts'
import { startCareful } from '../support/sample-rp/careful.mjs'
import { startCareless } from '../support/sample-rp/careless.mjs'
import { sampleSuite } from './sample-suite.ts'

const SAMPLES = { careful: startCareful, careless: startCareless }

/** Walks faults against one of the sample RPs on a bench of its own. */
export const walked = async (
  sample: keyof typeof SAMPLES,
  { faults, parallel = 8 }: { readonly faults?: readonly ServiceFaultName[]; readonly parallel?: number } = {},
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
      ...(faults === undefined ? {} : { faults }),
    })
  } finally {
    await rp.close()
    await close()
  }
}

/** What the table says of an RP that is not careful. */
export const fallen = (fault: ServiceFaultName): FaultFinding['verdict'] =>
  serviceFaultOf(fault).harm === 'admits' ? 'let_in' : 'broke'
