import type { CheckTitle } from './check-titles.ts'
import type { Check, Finding } from './step.ts'

/** Collects the checks of one step. */
export type CheckList = {
  /** Notes a check, and says whether it passed. */
  check(title: CheckTitle, passed: boolean, otherwise: Finding): boolean
  /** A check that failed by what a decoder found, or passed when it found nothing. */
  settle(title: CheckTitle, findings: readonly Finding[]): boolean
  checks(): readonly Check[]
}

export const createCheckList = (): CheckList => {
  const checks: Check[] = []
  const fail = (title: CheckTitle, finding: Finding) => checks.push({ title, outcome: 'failed', ...finding })
  return {
    check(title, passed, otherwise) {
      if (passed) checks.push({ title, outcome: 'passed' })
      else fail(title, otherwise)
      return passed
    },
    settle(title, findings) {
      if (findings.length === 0) checks.push({ title, outcome: 'passed' })
      for (const finding of findings) fail(title, finding)
      return findings.length === 0
    },
    checks: () => checks,
  }
}
