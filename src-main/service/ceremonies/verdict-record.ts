import { failureText, type Verdict } from '../../explain/verdict.ts'
import type { MessageVerdict } from '../console/console.ts'
import { observeIn, type Turn } from '../services.ts'
import type { MessageRecord } from '../store/records.ts'

export type Opinion = MessageVerdict['second_opinion']

/** What is kept of a judgement beside the message. */
export const verdictRecord = (
  verdict: Pick<Verdict<unknown>, 'accepted' | 'failure' | 'steps'>,
  { response, opinion }: { readonly response: unknown; readonly opinion: Opinion },
): MessageVerdict => ({
  accepted: verdict.accepted,
  ...(verdict.failure === undefined ? {} : { failure: verdict.failure }),
  steps: verdict.steps,
  second_opinion: opinion,
  response,
})

/** The stable machine word, a colon, a sentence. */
export const errorOf = (verdict: MessageVerdict): string =>
  verdict.failure === undefined ? '' : failureText(verdict.failure as Parameters<typeof failureText>[0])

export const observeVerdict = (turn: Turn, message: MessageRecord, verdict: MessageVerdict): void => {
  const { response: _response, ...told } = verdict
  const actor = { kind: 'service' } as const
  observeIn(turn, actor, { kind: 'verdict', msg_id: message.id, ceremony: message.kind, ...told })
  const { heard, accepts, reason } = verdict.second_opinion
  if (!heard || accepts === undefined || accepts === verdict.accepted) return
  observeIn(turn, actor, {
    kind: 'disagreement',
    msg_id: message.id,
    judge_accepts: verdict.accepted,
    second_accepts: accepts,
    reason: reason ?? '',
  })
}
