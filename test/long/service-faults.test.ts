import { expect, test } from 'vitest'
import { isServiceFaultName, serviceFaultOf } from '../../src-main/core/contract/service-faults.ts'
import type { FaultFinding, Trial } from '../../src-main/core/contract/suite-findings.ts'
import { listTrials } from '../../src-main/testing/suite/walk.ts'
import { isNightly } from '../support/parts.ts'
import { admits, ofFaults, walked } from '../testing/suite/walked.ts'

/** What has to do with pages: test/foreign-rps has RPs that show what they are told as markup. */
const ON_PAGES: ReadonlySet<string> = new Set(['svc-user-with-markup', 'error-with-markup', 'list-with-markup'])
/** Where a careful RP makes no call that could be struck. */
const SPARED: ReadonlySet<string> = new Set(['success-again', 'list-empty', 'list-refused'])

/** Each fault in its own story, among which is every story; in the nightly part in each of its stories. */
const ALL = ofFaults(listTrials()).filter(
  ({ fault, story }) => isNightly || (isServiceFaultName(fault) && story === serviceFaultOf(fault).story),
)
const named = ({ fault, story }: Trial): string => `${fault}, ${story}`

/** A busy machine may be too slow for several at a time: what failed without its fault is played again alone. */
const walkedAll = async (sample: 'careful' | 'careless' | 'brittle', trials: readonly Trial[]) => {
  const first = await walked(sample, { trials })
  const failed = first.filter(({ reason }) => reason?.code === 'twin_failed')
  const alone = failed.map(({ fault, story }) => ({ fault, story }))
  const again = alone.length === 0 ? [] : await walked(sample, { trials: alone, parallel: 1 })
  return first.map((each) => again.find(({ fault, story }) => fault === each.fault && story === each.story) ?? each)
}

test('a careful RP holds under every fault of the service', async () => {
  const careful = await walkedAll('careful', ALL)
  const others = careful.filter(({ verdict }) => verdict !== 'held')
  expect(others.map(({ fault, verdict }) => [fault, verdict])).toEqual(
    ALL.filter(({ fault }) => SPARED.has(fault)).map(({ fault }) => [fault, 'not_struck']),
  )
})

test('a careless RP or a brittle one falls for each fault', async () => {
  const careless = await walkedAll('careless', ALL)
  const lets = careless.filter(({ verdict }) => verdict === 'let_in').map(named)
  expect(lets).toEqual(ALL.filter(admits).map(named))
  const isHeld = ({ verdict }: FaultFinding): boolean => verdict === 'held'
  const left = careless.filter(isHeld).filter(({ fault }) => !ON_PAGES.has(fault))
  const brittle = await walkedAll(
    'brittle',
    left.map(({ fault, story }) => ({ fault, story })),
  )
  expect(brittle.filter(({ verdict }) => verdict !== 'broke')).toEqual([])
  // A fault that no RP can fall for would be a check that cannot fail.
  const untried = careless.filter(({ verdict }) => !['held', 'let_in', 'broke'].includes(verdict))
  expect(untried).toEqual([])
})
