import type { CarefulAct } from '../../src-main/core/contract/service-fault.ts'
import {
  careOf,
  type FindingReason,
  type ToldFinding,
  type ToldSuite,
  TRIED,
} from '../../src-main/core/contract/suite-findings.ts'

export type Verdict = ToldFinding['verdict']

/** The worst first; what was not tried says nothing about the RP. */
export const VERDICTS = [
  'let_in',
  'broke',
  'warned',
  'held',
  'not_struck',
  'vacuous',
  'skipped',
] as const satisfies readonly Verdict[]

export const findingsOf = ({ findings }: ToldSuite, verdict: Verdict): readonly ToldFinding[] =>
  findings.filter((finding) => finding.verdict === verdict)

/** The worst that happened. */
export const conclusionOf = (suite: ToldSuite): Verdict =>
  VERDICTS.find((verdict) => findingsOf(suite, verdict).length > 0) ?? 'skipped'

/** Findings with something in common. */
export type FindingGroup<Common> = { readonly common: Common; readonly findings: readonly ToldFinding[] }

/** By what a careful RP does: one change of the RP mends a group. */
export const byAct = (findings: readonly ToldFinding[]): readonly FindingGroup<CarefulAct>[] =>
  grouped(findings, careOf)

/** What was not tried, by why. */
export const byReason = (findings: readonly ToldFinding[]): readonly FindingGroup<FindingReason>[] =>
  grouped(
    findings.flatMap((finding) =>
      TRIED.has(finding.verdict) || finding.reason === undefined ? [] : [{ ...finding, reason: finding.reason }],
    ),
    ({ reason }) => reason,
  )

/** The largest group first. */
const grouped = <F extends ToldFinding, Common>(
  findings: readonly F[],
  commonOf: (finding: F) => Common,
): readonly FindingGroup<Common>[] => {
  const groups = new Map<string, { readonly common: Common; readonly findings: F[] }>()
  for (const finding of findings) {
    const common = commonOf(finding)
    const key = JSON.stringify(common)
    const group = groups.get(key) ?? { common, findings: [] }
    group.findings.push(finding)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.findings.length - a.findings.length)
}
