import type { MessageVerdict } from '../../core/contract/control/states.ts'
import type { Overruling } from '../../core/contract/judge/failure-words.ts'
import { algorithmName } from '../../core/judge/algorithms.ts'
import type { Verdict } from '../../core/judge/verdict.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { MessageRecord } from '../store/records.ts'

/** What is kept of a judgement beside the message. */
export const verdictRecord = (
  verdict: Pick<Verdict<unknown>, 'accepted' | 'failure' | 'steps' | 'decoded'>,
  response: unknown,
): MessageVerdict => ({
  accepted: verdict.accepted,
  ...(verdict.failure === undefined ? {} : { failure: verdict.failure }),
  ...(verdict.decoded.algorithm === undefined ? {} : { algorithm: algorithmName(verdict.decoded.algorithm) }),
  steps: verdict.steps,
  response,
})

export const overruled = (verdict: MessageVerdict, word: Overruling): MessageVerdict => ({
  ...verdict,
  accepted: false,
  failure: { word, step: 'service' },
})

/** What the judge accepts and the other does not is refused. */
export const withSecondVote = (verdict: MessageVerdict): MessageVerdict =>
  verdict.accepted && verdict.second_opinion?.disagrees === true
    ? overruled(verdict, 'second_opinion_disagrees')
    : verdict

export const observeVerdict = (context: RequestContext, message: MessageRecord, verdict: MessageVerdict): void => {
  const { response: _response, ...told } = verdict
  observeIn(context, { kind: 'service' }, { kind: 'verdict', msg_id: message.id, ceremony: message.kind, ...told })
}
