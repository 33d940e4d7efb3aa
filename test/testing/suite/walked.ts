import { monotonicMicros } from '../../../src-main/bench/harness/clock.ts'
import { findTrialRow } from '../../../src-main/core/contract/rp-checks.ts'
import { isServiceFaultName, serviceFaultOf } from '../../../src-main/core/contract/service-faults.ts'
import type { FaultFinding, Trial } from '../../../src-main/core/contract/suite-findings.ts'
import { connectHandset } from '../../../src-main/sdk/handset.ts'
import { httpDriver } from '../../../src-main/testing/suite/http-driver.ts'
import type { RpDriver, Visitor } from '../../../src-main/testing/suite/rp-driver.ts'
import { listTrials, walkFaults } from '../../../src-main/testing/suite/walk.ts'
import { startTestBench } from '../../support/bench.ts'
import { startCareful } from '../../support/sample-rp/careful.mjs'
import { startCareless } from '../../support/sample-rp/careless.mjs'
import { sampleSuite } from './sample-suite.ts'

type Configured = { readonly baseUrl: string; readonly accessKeyId: string; readonly secretKey: string }

type Walking = {
  readonly trials?: readonly Trial[]
  readonly parallel?: number
  /** In what a careful RP is not careful. */
  readonly mistakes?: readonly string[]
  readonly patience_s?: number
  readonly driven?: (driver: RpDriver) => RpDriver
}

const careful = (paceMs?: number) => (options: Configured & Pick<Walking, 'mistakes'>) =>
  startCareful({ ...options, paceMs, hears: () => undefined })

const SAMPLES = {
  careful: careful(),
  quick: careful(20),
  slow: careful(2000),
  careless: (options: Configured) => startCareless(options),
  brittle: (options: Configured) => startCareless({ ...options, isBrittle: true }),
}

/** Walks faults against one of the sample RPs on a bench of its own. */
export const walked = async (
  sample: keyof typeof SAMPLES,
  { trials = listTrials(), parallel = 8, mistakes = [], patience_s = 10, driven = (driver) => driver }: Walking = {},
): Promise<readonly FaultFinding[]> => {
  const { bench, close } = await startTestBench()
  const workspace = await connectHandset({ controlUrl: bench.controlUrl, token: bench.token })
  await workspace.profile.set({ message_ttl_s: 30 })
  const { baseUrl, accessKeyId, secretKey } = await workspace.rp()
  const rp = await SAMPLES[sample]({ baseUrl, accessKeyId, secretKey, mistakes })
  const suite = sampleSuite(rp.url)
  const { sign_in } = suite.calls
  const push = { path: sign_in.path, json: { ...sign_in.json, method: 'push' }, address: 'url', keep: sign_in.keep }
  try {
    return await walkFaults({
      workspace,
      driver: driven(httpDriver({ ...suite, calls: { ...suite.calls, push } })),
      patienceMs: patience_s * 1000,
      parallel,
      trials,
      micros: monotonicMicros,
      ownsClock: true,
    })
  } finally {
    await rp.close()
    await close()
  }
}

/** A driver whose visitors do something otherwise. */
export const visitorWith =
  (change: (own: Visitor) => Partial<Visitor>) =>
  (driver: RpDriver): RpDriver => ({
    ...driver,
    open: (hears) => {
      const rp = driver.open(hears)
      const changed = (own: Visitor): Visitor => ({ ...own, ...change(own) })
      return { ...rp, visitor: (kept) => changed(rp.visitor(kept)) }
    },
  })

/** Faults of the service alone, in the stories that the sample RPs offer. */
export const ofFaults = (trials: readonly Trial[]): readonly Trial[] =>
  trials.filter(({ fault, story }) => isServiceFaultName(fault) && !story.startsWith('push-'))

/** Whether the careless RP lets somebody in: a second story, in a registration, signs nobody in. */
export const admits = ({ fault, story }: Trial): boolean =>
  findTrialRow(fault).harm === 'admits' && isServiceFaultName(fault) && story === serviceFaultOf(fault).story
