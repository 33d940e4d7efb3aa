import { expect, test } from 'vitest'
import type { Trial } from '../../src-main/contract/suite-findings.ts'
import { trialsOf } from '../../src-main/suite/walk.ts'
import { fallen, walked } from './walked.ts'

/** One of each kind of story and stage; test/long/service-faults.test.ts walks all. */
const SOME: readonly Trial[] = trialsOf([
  'user-in-other-case',
  'success-again',
  'list-empty',
  'members-twice',
  'gzip-unasked',
])

test('a careful RP holds under faults of the service', async () => {
  const findings = await walked('careful', { trials: SOME })
  expect(findings.map(({ took_ms: _, ...finding }) => finding)).toEqual(
    SOME.map((trial) => ({ ...trial, verdict: 'held' })),
  )
})

test('a careless RP falls for them as the table says', async () => {
  const findings = await walked('careless', { trials: SOME })
  expect(findings.map(({ fault, story, verdict }) => ({ fault, story, verdict }))).toEqual(
    SOME.map((trial) => ({ ...trial, verdict: fallen(trial) })),
  )
})
