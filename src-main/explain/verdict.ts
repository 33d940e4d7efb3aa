import type { AttestationObject } from './attestation-object.ts'
import type { AuthenticatorData } from './authenticator-data.ts'
import type { ClientData } from './client-data.ts'
import { type FailureWord, failureSentences } from './failure-words.ts'
import type { Ledger } from './ledger.ts'
import type { Step } from './step.ts'

export type Failure = {
  readonly word: FailureWord
  readonly sentence: string
  /** The first failed step, in the order of the specification. */
  readonly step: string
}

/** What could be read of the answer, however the verdict went. */
export type DecodedCeremony = {
  readonly clientData?: ClientData
  readonly attestationObject?: AttestationObject
  readonly authenticatorData?: AuthenticatorData
}

export type Verdict<T> = {
  readonly accepted: boolean
  readonly steps: readonly Step[]
  readonly failure?: Failure
  /** There exactly when the ceremony is accepted. */
  readonly value?: T
  readonly decoded: DecodedCeremony
}

/** `challenge_mismatch: The signed challenge is not the one that was asked.` */
export const failureText = (failure: Pick<Failure, 'word' | 'sentence'>): string =>
  `${failure.word}: ${failure.sentence}`

export const reachVerdict = <T>(
  ledger: Pick<Ledger<string>, 'steps'>,
  outcome: { readonly decoded: DecodedCeremony; readonly value: T | undefined },
): Verdict<T> => {
  const steps = ledger.steps()
  const failed = steps.find((step) => step.outcome === 'failed')
  if (failed?.word !== undefined) {
    const failure = { word: failed.word, sentence: failureSentences[failed.word], step: failed.id }
    return { accepted: false, steps, failure, decoded: outcome.decoded }
  }
  if (outcome.value === undefined) throw new Error('every step passed, yet there is nothing to accept')
  return { accepted: true, steps, value: outcome.value, decoded: outcome.decoded }
}
