import { it } from 'vitest'
import { type RegistrationParts, registration } from './registration.ts'
import { expectRefusal, judgedRegistration, type Refusals, refusalsOf } from './verdicts.ts'

/** Statements with one thing wrong. */
export type AttestationRefusals = Refusals<Partial<RegistrationParts>>

export const itRefusesEach = (refusals: AttestationRefusals): void =>
  it.each(refusalsOf(refusals, '7.1.22'))('%s', async (_what, changes, refusal) =>
    expectRefusal(await judgedRegistration(registration(changes)), refusal),
  )
