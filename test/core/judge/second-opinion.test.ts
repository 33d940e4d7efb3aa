import { beforeAll, expect, it, vi } from 'vitest'
import { FAILURE_WORDS, type FailureWord } from '../../../src-main/core/contract/judge/failure-words.ts'
import { secondOpinion } from '../../../src-main/service/second-opinion/second-opinion.ts'
import { genuineRegistration, genuineStatements } from '../../support/ceremony/genuine.ts'
import { judgedRegistration } from '../../support/ceremony/verdicts.ts'
import { causeOf, causeTitles } from '../../support/second-opinion/causes.ts'
import { type Comparison, compareMany, compareOne } from '../../support/second-opinion/compare.ts'
import { reportOf } from '../../support/second-opinion/report.ts'

// `npm run second-opinion` runs 20,000.
const COUNT = 300
const SEED = 1

let comparisons: readonly Comparison[] = []
const those = (outcome: Comparison['outcome']) => comparisons.filter((one) => one.outcome === outcome)

beforeAll(async () => {
  comparisons = await compareMany(COUNT, SEED)
})

it('of 300 ceremonies with one thing changed, none is accepted by the judge and refused by the second verifier', () => {
  expect(those('it refuses')).toEqual([])
})

it('of 300 ceremonies with one thing changed, many are refused by both, and many accepted by both', () => {
  expect(those('both refuse').length).toBeGreaterThan(COUNT / 4)
  expect(those('both accept').length).toBeGreaterThan(COUNT / 10)
})

it('of 300 ceremonies with one thing changed, those that only the judge refuses have a cause each', () => {
  const found = new Set(those('we refuse').map(({ cause }) => causeOf(cause as FailureWord)))
  expect(found.size).toBeGreaterThan(3)
  expect([...found].every((cause) => causeTitles.includes(cause))).toBe(true)
})

it('of 300 ceremonies with one thing changed, those that are good throughout are accepted by the judge', () => {
  const untouched = comparisons.filter(({ kind }) => kind.endsWith(': unchanged'))
  expect(untouched.length).toBeGreaterThan(10)
  expect(untouched.filter(({ outcome }) => outcome === 'we refuse' || outcome === 'both refuse')).toEqual([])
})

it('of 300 ceremonies with one thing changed: every one is counted in the report', () => {
  const report = reportOf(comparisons, SEED)
  expect(report).toContain(`the same ${COUNT} ceremonies (seed ${SEED})`)
  const sum = [...report.slice(0, report.indexOf('## ')).matchAll(/\| (\d+) \|$/gm)].map(([, n]) => Number(n))
  expect(sum.reduce((total, n) => total + n, 0)).toBe(COUNT)
})

it('the same seed and number give the same ceremony, whatever came before', async () => {
  const again = await compareOne(SEED, 42)
  expect(again.kind).toBe(comparisons[42]?.kind)
  expect(again.outcome).toBe(comparisons[42]?.outcome)
})

it('every failure word belongs to a cause', () => {
  for (const word of FAILURE_WORDS) expect(causeTitles).toContain(causeOf(word))
})

/** By name: what the two say of every genuine statement that another library can be asked about. */
const heard = async () => {
  const rows: (readonly [string, { ours: boolean; theirs: boolean }])[] = []
  for (const statement of genuineStatements) {
    const input = genuineRegistration(statement)
    // The library reads the real clock for certificates.
    vi.useFakeTimers({ toFake: ['Date'], now: input.now })
    const relaxed = { ...input, relaxed: statement.outcome.verifies_with ?? [] }
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
