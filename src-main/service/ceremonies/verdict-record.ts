import { failureText, type Verdict } from '../../explain/verdict.ts'
import type { SecondOpinion } from '../../protocol/exchange-event.ts'
import type { Profile } from '../../protocol/profile.ts'
import type { MessageVerdict } from '../console/console.ts'
import { observeIn, type Turn } from '../services.ts'
import type { MessageRecord } from '../store/records.ts'
import { type Overruling, overrulings } from './overrulings.ts'

/** What is kept of a judgement beside the message. */
export const verdictRecord = (
  verdict: Pick<Verdict<unknown>, 'accepted' | 'failure' | 'steps'>,
  { response, opinion }: { readonly response: unknown; readonly opinion: SecondOpinion },
): MessageVerdict => ({
  accepted: verdict.accepted,
  ...(verdict.failure === undefined ? {} : { failure: verdict.failure }),
  steps: verdict.steps,
  second_opinion: opinion,
  response,
})

export const overruled = (verdict: MessageVerdict, word: Overruling): MessageVerdict => ({
  ...verdict,
  accepted: false,
  failure: { word, sentence: overrulings[word], step: 'service' },
})

/** Under `must-agree`, what the judge accepts and the other does not is refused. */
export const withSecondVote = (verdict: MessageVerdict, profile: Pick<Profile, 'second_opinion'>): MessageVerdict =>
  profile.second_opinion === 'must-agree' && verdict.accepted && verdict.second_opinion.disagrees === true
    ? overruled(verdict, 'second_opinion_disagrees')
    : verdict

/** The stable machine word, a colon, a sentence. */
export const errorOf = (verdict: MessageVerdict): string =>
  verdict.failure === undefined ? '' : failureText(verdict.failure as Parameters<typeof failureText>[0])

export const observeVerdict = (turn: Turn, message: MessageRecord, verdict: MessageVerdict): void => {
  const { response: _response, ...told } = verdict
  const actor = { kind: 'service' } as const
  observeIn(turn, actor, { kind: 'verdict', msg_id: message.id, ceremony: message.kind, ...told })
  const { disagrees, accepts, reason } = verdict.second_opinion
  if (disagrees !== true || accepts === undefined) return
  observeIn(turn, actor, {
    kind: 'disagreement',
    msg_id: message.id,
    judge_accepts: !accepts,
    second_accepts: accepts,
    reason: reason ?? '',
  })
}
