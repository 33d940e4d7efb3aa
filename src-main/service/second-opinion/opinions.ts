import type { SecondOpinion } from '../../core/contract/judge/verdict.ts'
import type { AuthenticationCase, RegistrationCase } from '../../core/judge/ceremony-case.ts'
import type { Verdict } from '../../core/judge/verdict.ts'

/** A judged ceremony, with the data by which it was judged. */
export type JudgedCeremony = {
  readonly ceremony: RegistrationCase | AuthenticationCase
  readonly verdict: Pick<Verdict<unknown>, 'accepted' | 'failure'>
}

export type OpinionListener = (messageId: string, opinion: SecondOpinion) => void

/** Second opinions outside the requests: formed while the process is idle, or as soon as one is read. */
export type SecondOpinions = {
  later(workspace: string, messageId: string, judged: JudgedCeremony): void
  /** Forms a missing opinion now; undefined if the ceremony was forgotten or never existed. */
  of(workspace: string, messageId: string): Promise<SecondOpinion | undefined>
  listen(workspace: string, listener: OpinionListener): () => void
  /** Called when another process judged a ceremony: its opinion will come. */
  expect(workspace: string, messageId: string): void
  receive(workspace: string, messageId: string, opinion: SecondOpinion): void
  forget(workspace: string): void
}
