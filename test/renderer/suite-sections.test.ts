import { expect, test } from 'vitest'
import { byAct, byReason, findingsWith, worstVerdict } from '../../src-renderer/viewer/suite-view.tsx'
import { BROKE, HELD, LET_IN, NOT_OFFERED, WARNED, walk } from '../testing/suite/made-walk.ts'

test.each([
  ['let_in', [HELD, BROKE, LET_IN, NOT_OFFERED]],
  ['broke', [HELD, BROKE, NOT_OFFERED]],
  ['warned', [HELD, WARNED, NOT_OFFERED]],
  ['held', [HELD, NOT_OFFERED]],
  ['skipped', [NOT_OFFERED]],
  ['skipped', []],
] as const)('a walk is %s by the worst of its findings', (conclusion, findings) => {
  expect(worstVerdict(walk(findings))).toBe(conclusion)
})

test('findings have the order of the walk, those of other verdicts left out', () => {
  const another = { ...BROKE, fault: 'gateway-page' } as const
  expect(findingsWith(walk([another, HELD, LET_IN, BROKE]), 'broke')).toEqual([another, BROKE])
})

test('findings that one change of the RP mends stand together, the largest group first', () => {
  const faults = ['user-of-another', 'html-page', 'redirect', 'gateway-page', 'redirect-for-good', 'body-null'] as const
  const groups = byAct(faults.map((fault) => ({ ...BROKE, fault, reason: { code: 'reopened' } })))
  expect(groups.map(({ common, findings }) => [common, findings.map(({ fault }) => fault)])).toEqual([
    ['passing', ['html-page', 'gateway-page', 'body-null']],
    ['redirect', ['redirect', 'redirect-for-good']],
    ['user', ['user-of-another']],
  ])
})

test('what was not tried stands by why, and what was tried is not among it', () => {
  const failing = (code: 'not_seen' | 'reopened') =>
    ({ ...NOT_OFFERED, verdict: 'vacuous', reason: { code: 'twin_failed', params: { reason: { code } } } }) as const
  const groups = byReason([LET_IN, failing('reopened'), NOT_OFFERED, failing('not_seen'), BROKE, NOT_OFFERED, HELD])
  expect(groups).toEqual([
    { common: { code: 'not_offered' }, findings: [NOT_OFFERED, NOT_OFFERED] },
    { common: failing('reopened').reason, findings: [failing('reopened')] },
    { common: failing('not_seen').reason, findings: [failing('not_seen')] },
  ])
})
