import type { FailureWord } from '../../../src-main/contract/judge/failure-words.ts'
import { type RegistrationParts, registration } from './registration.ts'
import { expectRefusal, judgedRegistration } from './verdicts.ts'

/** A statement with one thing wrong, and the word for it; without a step of its own it is the statement's. */
export type AttestationRefusal = readonly [title: string, changes: Partial<RegistrationParts>, word: FailureWord]

export const expectAttestationRefusal = async (
  changes: Partial<RegistrationParts>,
  word: FailureWord,
  step = '7.1.22',
): Promise<void> => expectRefusal(await judgedRegistration(registration(changes)), { word, step })
