import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { parseOne } from '../support/parse-one.ts'
import { expectReplays, recordTroubled } from './troubled.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

// test/long/recorded-faults.test.ts takes each fault.
it('what drawn faults struck is recorded as it came about, each before its call', async () => {
  const text = await recordTroubled(bench.client, {
    arm: [
      { fault: 'status-goes-back', probability: 0.5 },
      { fault: 'html-page', probability: 0.3 },
      { fault: 'length-twice', probability: 0.2 },
    ],
  })
  expect(text).not.toContain('probability')
  await expectReplays(bench.client, text)
})

it('drawn conditions are recorded as they came about', async () => {
  const text = await recordTroubled(bench.client, { conditions: [{ rp: { fail_percent: 40, lose_percent: 30 } }] })
  expect(text).not.toContain('percent')
  await expectReplays(bench.client, text)
})

it('drawn conditions of one user keep their scope, beside those that are counted', async () => {
  const text = await recordTroubled(bench.client, {
    conditions: [
      { rp: { fail_percent: 50, fail_code: 42901 }, scope: { user_id: 'u-1' } },
      { rp: { lose_next: 2, only: ['assertion.result'] } },
    ],
  })
  await expectReplays(bench.client, text)
})

it('a recording that begins later arms what was left then', async () => {
  const text = await recordTroubled(bench.client, {
    late: true,
    arm: [{ fault: 'content-type-missing', times: 9, only: ['attestation.result', 'assertion.result'] }],
    conditions: [{ rp: { fail_next: 7 } }, { rp: { lose_next: 8, only: ['attestation.result', 'assertion.result'] } }],
  })
  const { setup } = parseOne(text)
  const armed = setup.flatMap(({ word, input }) => (word === 'arm_service' || word === 'conditions' ? [input] : []))
  expect(armed).toEqual([
    { rp: { lose_next: 3, only: ['attestation.result', 'assertion.result'] } },
    { fault: 'content-type-missing', times: 6, only: ['attestation.result', 'assertion.result'] },
  ])
  await expectReplays(bench.client, text)
})
