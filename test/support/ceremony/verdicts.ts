import { expect } from 'vitest'
import type { FailureWord } from '../../../src-main/core/contract/judge/failure-words.ts'
import type {
  AuthenticatedCredential,
  AuthenticationCase,
  RegisteredCredential,
  RegistrationCase,
} from '../../../src-main/core/judge/ceremony-case.ts'
import { judgeAuthentication } from '../../../src-main/core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../../src-main/core/judge/judge-registration.ts'
import type { Verdict } from '../../../src-main/core/judge/verdict.ts'
import { nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'

export const judgedRegistration = (input: RegistrationCase): Promise<Verdict<RegisteredCredential>> =>
  judgeRegistration(input, nodeCrypto)

export const judgedAuthentication = (input: AuthenticationCase): Promise<Verdict<AuthenticatedCredential>> =>
  judgeAuthentication(input, nodeCrypto)

type Refusal = { readonly word: FailureWord; readonly step: string }

/** What is to be refused, under the word for it, and before that the step, where they have several. */
export type Refusals<T> = Readonly<Partial<Record<`${'' | `7.${number}.${number} `}${FailureWord}: ${string}`, T>>>

export const refusalsOf = <T>(refusals: Refusals<T>, step = ''): readonly (readonly [string, T, Refusal])[] =>
  Object.entries<T | undefined>(refusals).map(([what, changes]) => {
    const [, own, word] = /^(?:(7\S+) )?(\w+): /.exec(what) ?? []
    return [what, changes as T, { word: word as FailureWord, step: own ?? step }]
  })

/** The word and the step of a refusal, and that nothing was accepted along with it. */
export const expectRefusal = (verdict: Verdict<unknown>, refusal: Refusal): void => {
  expect({ word: verdict.failure?.word, step: verdict.failure?.step }).toEqual(refusal)
  expect(verdict.accepted).toBe(false)
  expect(verdict.value).toBeUndefined()
}

export const outcomeOf = (verdict: Verdict<unknown>, step: string): string | undefined =>
  verdict.steps.find(({ id }) => id === step)?.outcome
