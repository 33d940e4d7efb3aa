import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { parseOne } from '../support/parse-one.ts'
import { shippedScenarios } from '../support/shipped-scenarios.ts'
import { expectSameAgain, playSeeded, recordRun } from './recorded-run.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

describe('a recorded scenario', () => {
  // test/long/recorded-scenarios.test.ts takes one of each subject.
  it('of a sign-in by push passes and does the same again', () =>
    expectSameAgain(bench.client, only('sign-in/by-push.yaml')))

  it('that begins after two phones of one account were made, makes both again', async () => {
    const run = await playSeeded(bench.client, parseOne(TWO_PHONES))
    const read = run.events.findLast(
      (event) => event.kind === 'exchange' && event.request.target.includes('/attestation/'),
    )
    const begun = read?.seq ?? 0
    const text = recordRun(run, begun)
    expect(text).toContain('same_account_as: alice,')
    expect((await playSeeded(bench.client, parseOne(text))).failed).toEqual([])
  })

  it('can be played where a fault of the service changed the status', async () => {
    const run = await playSeeded(bench.client, parseOne(CAPITALS))
    expect(run.failed).toEqual([])
    const text = recordRun(run)
    expect(text).toContain('status: FAIL')
    expect((await playSeeded(bench.client, parseOne(text))).failed).toEqual([])
  })

  it('fails where a person does otherwise than was recorded', async () => {
    const text = recordRun(await playSeeded(bench.client, only('refusal/user-says-no.yaml')))
    expect(text).toContain('expect: { status: fail, error: user_rejected')
    const { failed } = await playSeeded(bench.client, parseOne(text.replace('reject: {', 'approve: {')))
    expect(failed.map(({ word }) => word)).toEqual(['expect'])
  })

  it('fails where the service answers otherwise than it did', async () => {
    const text = recordRun(await playSeeded(bench.client, only('refusal/user-says-no.yaml')))
    const lying = text.replace('steps:\n', 'steps:\n  - arm_service: { fault: success-with-error }\n')
    const { failed } = await playSeeded(bench.client, parseOne(lying))
    expect(failed.map(({ word }) => word)).toEqual(['expect'])
  })
})

const TWO_PHONES = `name: Two phones of one account
phones:
  alice: { account: { name: Alice, phone: '13812345678' } }
  tablet: { same_account_as: alice }
steps:
  - register: { user_id: u-1, username: u-1 }
  - scan: { phone: alice }
  - approve: { phone: alice }
  - expect: { status: success }
  - sign_in: { user_id: u-1, username: u-1, method: push }
  - open: { phone: alice }
  - reject: { phone: alice }
  - expect: { status: fail, error: user_rejected }
`

const CAPITALS = `name: A status in capitals
phones:
  alice: { account: { name: Alice, phone: '13812345678' } }
steps:
  - arm_service: { fault: fail-in-capitals }
  - register: { user_id: u-1, username: u-1, as: first }
  - scan: { phone: alice }
  - reject: { phone: alice }
  - control: { call: simulator.poll, params: { rp: '\${rp.id}', msg_id: '\${messages.first.msg_id}' } }
    answer: { status: FAIL }
`

const only = (file: string) => {
  const [scenario] = shippedScenarios(file)
  if (scenario === undefined) throw new Error(`there is no ${file}`)
  return scenario
}
