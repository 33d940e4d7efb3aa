import { expect, test } from 'vitest'
import type { ServiceFaultName } from '../../src-main/contract/service-faults.ts'
import { fallen, walked } from './walked.ts'

/** One of each kind of story and stage; test/long/service-faults.test.ts walks all. */
const SOME: readonly ServiceFaultName[] = [
  'user-in-other-case',
  'success-again',
  'list-empty',
  'members-twice',
  'gzip-unasked',
]

test('a careful RP holds under faults of the service', async () => {
  const findings = await walked('careful', { faults: SOME })
  expect(findings).toEqual(SOME.map((fault) => ({ fault, verdict: 'held', why: '' })))
})

test('a careless RP falls for them as the table says', async () => {
  const findings = await walked('careless', { faults: SOME })
  expect(findings.map(({ fault, verdict }) => [fault, verdict])).toEqual(SOME.map((fault) => [fault, fallen(fault)]))
})
