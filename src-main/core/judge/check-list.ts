import type { CheckName } from '../contract/judge/checks.ts'
import type { JudgedCheck, JudgedStep } from '../contract/judge/verdict.ts'

export type Finding = Pick<JudgedStep, 'expected' | 'received' | 'at'> & Required<Pick<JudgedStep, 'word'>>

/** The readable part of untrusted bytes, and every problem in them. */
export type Decoded<T> = { readonly value?: T; readonly findings: readonly Finding[] }

export type StepDetail = Pick<JudgedStep, 'expected' | 'received' | 'note' | 'at' | 'checks'>

export type CheckList = ReturnType<typeof createCheckList>

export const createCheckList = () => {
  const checks: JudgedCheck[] = []
  const fail = (check: CheckName, finding: Finding) => checks.push({ check, outcome: 'failed', ...finding })
  const check = (name: CheckName, passed: boolean, otherwise: Finding): boolean => {
    if (passed) checks.push({ check: name, outcome: 'passed' })
    else fail(name, otherwise)
    return passed
  }
  return {
    /** Returns `passed`. */
    check,
    /** Passes if there is a value. */
    found: <T>(name: CheckName, value: T | undefined, otherwise: Finding): value is T =>
      check(name, value !== undefined, otherwise),
    /** Passes if there are no findings; returns whether it passed. */
    settle(name: CheckName, findings: readonly Finding[]): boolean {
      if (findings.length === 0) checks.push({ check: name, outcome: 'passed' })
      for (const finding of findings) fail(name, finding)
      return findings.length === 0
    },
    checks: (): readonly JudgedCheck[] => checks,
  }
}
