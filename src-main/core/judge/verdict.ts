import type { FailureWord } from '../contract/judge/failure-words.ts'
import type { StepId, StepNote } from '../contract/judge/steps.ts'
import type { JudgedCheck, JudgedStep } from '../contract/judge/verdict.ts'
import type { AuthenticatorData } from './authenticator-data.ts'
import type { Finding, StepDetail } from './check-list.ts'

export type Ledger<Id extends StepId> = ReturnType<typeof createLedger<Id>>

/** Keeps the outcomes of all steps of a ceremony in the order of the specification; each is set exactly once. */
export const createLedger = <Id extends StepId>(ids: readonly Id[]) => {
  const settled = new Map<StepId, JudgedStep>()
  let failed = false
  const write = (step: JudgedStep) => {
    if (settled.has(step.id)) throw new Error(`step ${step.id} is settled twice`)
    settled.set(step.id, step)
    failed ||= step.outcome === 'failed'
  }
  const pass = (id: Id, detail?: StepDetail) => write({ id, outcome: 'passed', ...detail })
  const skip = (id: Id, note: StepNote) => write({ id, outcome: 'skipped', note })
  return {
    pass,
    skip,
    /** The step passes without findings; otherwise it fails with the first finding. */
    settle(id: Id, findings: readonly Finding[], detail?: Omit<StepDetail, 'checks'>) {
      const [first, ...others] = findings
      if (first === undefined) return pass(id, detail)
      const checks = others.map((finding) => ({ outcome: 'failed', ...finding }) as const)
      write({ id, outcome: 'failed', ...detail, ...first, ...(checks.length > 0 && { checks }) })
    },
    settleChecks(id: Id, checks: readonly JudgedCheck[], detail?: StepDetail) {
      const first = checks.find((check) => check.outcome === 'failed')
      if (first === undefined) return pass(id, { ...detail, ...(checks.length > 0 && { checks }) })
      const { check: _, ...finding } = first
      write({ id, ...detail, ...finding, checks })
    },
    /** The last steps, which pass unless an earlier one failed. */
    conclude(...last: readonly Id[]): void {
      for (const id of last) {
        if (failed) skip(id, 'earlier_failure')
        else pass(id)
      }
    },
    steps: (): readonly JudgedStep[] =>
      ids.map((id) => settled.get(id) ?? { id, outcome: 'skipped', note: 'nothing_to_check' }),
  }
}

export type Verdict<T> = {
  readonly accepted: boolean
  readonly steps: readonly JudgedStep[]
  readonly failure?: { readonly word: FailureWord; readonly step: StepId }
  /** Present only if the ceremony is accepted. */
  readonly value?: T
  /** The parts of the answer that could be decoded, whatever the verdict. */
  readonly decoded: {
    readonly authenticatorData?: AuthenticatorData
    /** COSE algorithm of the key that signed or was registered. */
    readonly algorithm?: number
  }
}

export const reachVerdict = <T>(
  ledger: Pick<Ledger<StepId>, 'steps'>,
  outcome: Pick<Verdict<T>, 'decoded'> & { readonly value: T | undefined },
): Verdict<T> => {
  const steps = ledger.steps()
  const failed = steps.find((step) => step.outcome === 'failed')
  if (failed?.word !== undefined) {
    const failure = { word: failed.word, step: failed.id }
    return { accepted: false, steps, failure, decoded: outcome.decoded }
  }
  if (outcome.value === undefined) throw new Error('every step passed, yet there is nothing to accept')
  return { accepted: true, steps, value: outcome.value, decoded: outcome.decoded }
}
