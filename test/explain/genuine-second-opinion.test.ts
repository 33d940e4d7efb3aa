import { expect, it, vi } from 'vitest'
import { switchesOf } from '../../src-main/service/ceremony/expectations.ts'
import { secondOpinion } from '../../src-main/service/judge/second-opinion.ts'
import { genuineRegistration, genuineStatements } from '../support/ceremony/genuine.ts'
import { judgedRegistration } from '../support/ceremony/verdicts.ts'

/** By name: what the two say of every genuine statement that another library can be asked about. */
const heard = async () => {
  const rows: (readonly [string, { ours: boolean; theirs: boolean }])[] = []
  for (const statement of genuineStatements) {
    const input = genuineRegistration(statement)
    // The library reads the real clock for certificates.
    vi.useFakeTimers({ toFake: ['Date'], now: input.now })
    const relaxed = { ...input, switches: switchesOf(statement.outcome.verifies_with ?? []) }
    const verdict = await judgedRegistration(relaxed)
    const opinion = await secondOpinion(relaxed, { wall: input.now })
    if (opinion.heard) rows.push([statement.name, { ours: verdict.accepted, theirs: opinion.accepts }])
  }
  return rows
}

it('other libraries judge genuine statements as we do with the rules relaxed', async () => {
  const rows = await heard()
  expect(rows).toHaveLength(21)
  expect(rows.filter(([, { ours, theirs }]) => ours !== theirs)).toEqual([])
})
