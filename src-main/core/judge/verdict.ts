import type { FailureWord } from '../contract/judge/failure-words.ts'
import type { StepId } from '../contract/judge/steps.ts'
import type { JudgedStep } from '../contract/judge/verdict.ts'
import type { AttestationObject } from './attestation-object.ts'
import type { AuthenticatorData } from './authenticator-data.ts'
import type { ClientData } from './client-data.ts'
import type { Ledger } from './ledger.ts'

export type Failure = {
  readonly word: FailureWord
  /** The first failed step, in the order of the specification. */
  readonly step: StepId
}

/** The parts of the answer that could be decoded, whatever the verdict. */
export type DecodedCeremony = {
  readonly clientData?: ClientData
  readonly attestationObject?: AttestationObject
  readonly authenticatorData?: AuthenticatorData
  /** Of the key that signed or was registered. */
  readonly algorithm?: number
}

export type Verdict<T> = {
  readonly accepted: boolean
  readonly steps: readonly JudgedStep[]
  readonly failure?: Failure
  /** There exactly when the ceremony is accepted. */
  readonly value?: T
  readonly decoded: DecodedCeremony
}

export const reachVerdict = <T>(
  ledger: Pick<Ledger<StepId>, 'steps'>,
  outcome: { readonly decoded: DecodedCeremony; readonly value: T | undefined },
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
