import type { AnswerData, AppInput } from '../../core/contract/app/routes.ts'
import type { Refusal } from '../../core/contract/errors.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import { type Answering, ATTEMPTS, failAnswer, firstVerdict, observeOutcome } from '../ceremony/answer.ts'
import { answerHash } from '../ceremony/answer-hash.ts'
import { overruled } from '../ceremony/verdict-record.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import { boundMessage } from '../messages/current-message.ts'
import { observeIn, type RequestContext } from '../services.ts'
import { judgeAuthenticationAnswer } from './judge-authentication-answer.ts'

export const finishAuthentication = async (
  context: RequestContext,
  caller: SignedIn,
  { params, body: { response } }: AppInput<'messages.assertion'>,
): Promise<Result<AnswerData, Refusal>> => {
  const current = await boundMessage(context, caller, { id: params.msg_id, kind: 'authentication' })
  if (!current.ok) return current
  const answering: Answering = {
    context,
    caller,
    current: current.value,
    response,
    answer_hash: answerHash({ response }),
  }
  if (current.value.message.state !== 'bind') return firstVerdict(answering)
  const done = await judgeAndStore(answering)
  return done === undefined ? firstVerdict(answering) : ok(done)
}

const judgeAndStore = async (answering: Answering): Promise<AnswerData | undefined> => {
  const { context, caller, current, answer_hash } = answering
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const heard = await judgeAuthenticationAnswer(answering)
    const { verdict, value, credential } = heard
    if (value === undefined || credential === undefined) return failAnswer(answering, heard)
    const outcome = await context.services.store.messages.authenticate(context.workspace, current.message.id, {
      device: caller.device.id,
      answer_hash,
      verdict,
      now: context.clock.now(),
      credential_id: credential.id,
      rp: credential.rp,
      counter_was: credential.counter,
      counter: value.signCount,
      backup_state: value.backupState,
      user_verified: value.userVerified,
    })
    if (outcome === 'lost') return undefined
    if (outcome === 'changed') continue
    observeOutcome(answering, heard, { to: 'success', credential_id: credential.id })
    const { rp, user_id, id } = credential
    const fact = { kind: 'credential', change: 'used', rp_id: rp, user_id, credential_id: id } as const
    observeIn(context, { kind: 'phone', id: caller.device.id }, fact)
    return { status: 'success', error: '' }
  }
  const heard = await judgeAuthenticationAnswer(answering)
  return failAnswer(answering, { ...heard, verdict: overruled(heard.verdict, 'credential_busy') })
}
