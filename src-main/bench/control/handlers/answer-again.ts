import type { Data } from '../../../core/contract/control/routes.ts'
import { UNNAMED_CALLER } from '../../../core/contract/control/simulator-routes.ts'
import { type Refusal, refuse } from '../../../core/contract/errors.ts'
import type { BenchEvent, MessageFact } from '../../../core/contract/events.ts'
import type { AnswerEdits } from '../../../core/contract/resending.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { PhoneState } from '../../../phones/phone/phone-state.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Answer, Call } from '../handler.ts'
import { exchangeOf, newExchange } from '../new-exchange.ts'

import { refusalOfPhone } from './phone-refusal.ts'
import { beginAttempt } from './simulator-handlers.ts'

/**
 * A message is answered once. So the RP asks anew, and the phone's next answer goes out edited: by its own keys, over the
 * app interface, to the same judge.
 */
export const answerAgain = async (
  parts: ControlParts,
  { workspace, params, body }: Call<'events.answer'>,
): Answer<Data<'events.answer'>> => {
  const { phones, relyingParties } = parts
  const { edits, signing = 'anew', asked_by: askedBy = UNNAMED_CALLER } = body
  const asked = answeredIn(parts, workspace, Number(params.seq))
  if (!asked.ok) return asked
  const { from, message, phone } = asked.value
  const attempt = await beginAttempt(parts, workspace, { ...message, askedBy })
  if (!attempt.ok) return attempt
  const { msg_id, url } = attempt.value
  const ref = { workspace, phone: phone.id, msg_id }
  const came = newExchange(parts, workspace)
  const resent = { from, edited: editsOf(edits), signing }
  const expectNoLonger = relyingParties.expectAnswer(workspace, msg_id, { marks: { resent }, onCame: came.onCame })
  const editNoLonger = phones.editAnswer(ref, { edits, signing })
  try {
    const scanned = await phones.scan(ref, { url })
    if (!scanned.ok) return err(refusalOfPhone(scanned.error))
    const prompt = scanned.value.prompts.find((each) => each.msg_id === msg_id)
    if (prompt !== undefined) {
      const approved = await phones.approve({ ...ref, prompt: prompt.id })
      if (!approved.ok && approved.error.code === undefined) return err(refusalOfPhone(approved.error))
    }
    const answered = await came.recorded()
    if (answered === undefined) return err(refuse('phone_refused', whyNot(phones.get(ref), msg_id)))
    const verdict = verdictOf(parts, workspace, msg_id)
    return ok({
      ...{ msg_id, seq: answered.seq, code: answered.response.code },
      ...(verdict === undefined ? {} : { accepted: verdict.accepted }),
      ...(verdict?.failure === undefined ? {} : { failure: verdict.failure }),
    })
  } finally {
    editNoLonger?.()
    expectNoLonger()
  }
}

type Asked = { readonly from: number; readonly message: MessageFact; readonly phone: PhoneState }

/** The phone's answer in this exchange, what it was asked, and the phone. */
const answeredIn = (parts: ControlParts, workspace: string, seq: number): Result<Asked, Refusal> => {
  const original = exchangeOf(parts, workspace, seq)
  if (!original.ok) return original
  const { interface: side, request, msg_id, device_id } = original.value
  if (side !== 'app' || msg_id === undefined || !/\/(attestation|assertion)$/.test(request.route ?? '')) {
    return err(refuse('wrong_state', { code: 'no_phone_answer' }))
  }
  const matches = (event: BenchEvent): boolean => event.kind === 'message' && event.msg_id === msg_id
  const [message] = parts.recorder.read(workspace, { limit: 1, kinds: ['message'], mentions: [msg_id], matches }).events
  if (message?.kind !== 'message') return err(refuse('wrong_state', { code: 'message_not_kept' }))
  const phone = parts.phones.list(workspace).find((each) => each.device_id === device_id)
  if (phone === undefined) return err(refuse('wrong_state', { code: 'answering_phone_gone' }))
  return ok({ from: seq, message, phone })
}

const verdictOf = ({ recorder }: ControlParts, workspace: string, msgId: string) => {
  const matches = (event: BenchEvent): boolean => event.kind === 'verdict' && event.msg_id === msgId
  const all = { limit: 1, latest: true, kinds: ['verdict'], mentions: [msgId], matches } as const
  const [verdict] = recorder.read(workspace, all).events
  return verdict?.kind === 'verdict' ? verdict : undefined
}

/** Its screen says it, else it waits for something. */
const whyNot = (phone: PhoneState | undefined, msgId: string) => {
  const screen = phone?.screen
  if (screen?.kind === 'refused' && screen.prompt.msg_id === msgId && screen.reason !== undefined) {
    return screen.reason as Refusal['reason']
  }
  return { code: 'not_answered_by_phone' } as const
}

const editsOf = ({ client_data: members = [], ...edits }: AnswerEdits): readonly string[] => [
  ...members.map(({ name }) => `client_data.${name}`),
  ...Object.keys(edits),
]
