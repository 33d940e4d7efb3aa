import type { MessageVerdict } from '../../core/contract/control/states.ts'
import type { AuthenticationCase, RegistrationCase } from '../../core/judge/ceremony-case.ts'
import type { Verdict } from '../../core/judge/verdict.ts'
import { formOpinion, type Judged } from '../second-opinion/second-opinions.ts'
import type { RequestContext } from '../services.ts'
import { verdictRecord, withSecondVote } from './verdict-record.ts'

type Judgement = {
  readonly ceremony: RegistrationCase | AuthenticationCase
  readonly verdict: Verdict<unknown>
}

/** What is kept of a ceremony, with the judgement itself for a second opinion that no request waits for. */
export type Heard = { readonly verdict: MessageVerdict; readonly judgement: Judged }

/** Only under `must-agree` the second opinion has a vote, and the answer waits for it. */
export const hear = async ({ profile, services }: RequestContext, { ceremony, verdict }: Judgement): Promise<Heard> => {
  const record = verdictRecord(verdict, ceremony.response)
  const { accepted, failure } = verdict
  // Hundreds wait for their second opinion: what was decoded and every step would wait with them.
  const judgement: Judged = { ceremony, verdict: { accepted, ...(failure && { failure }) } }
  if (profile.second_opinion !== 'must-agree') return { verdict: record, judgement }
  const second_opinion = await formOpinion(judgement, services.wall)
  return { verdict: withSecondVote({ ...record, second_opinion }), judgement }
}
