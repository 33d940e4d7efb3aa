import type { AnswerData } from '../../protocol/app-json.ts'
import type { Refusal } from '../../protocol/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { answerHash } from '../app/answer-hash.ts'
import { boundMessage } from '../app/current-message.ts'
import type { SignedIn } from '../app/signed-in.ts'
import { missing } from '../fields.ts'
import { bodyOf } from '../json-command.ts'
import { observeIn, type Turn } from '../services.ts'
import { type Answering, ATTEMPTS, failAnswer, firstVerdict, observeOutcome } from './answer.ts'
import { hearAuthentication } from './hear-authentication.ts'
import { overruled } from './verdict-record.ts'

export type FinishAuthentication = { readonly response: unknown }

export const parseFinishAuthentication = (turn: Turn): Result<FinishAuthentication, Refusal> => {
  const body = bodyOf(turn)
  if (!body.ok) return body
  const { response } = body.value
  return response === undefined ? err(missing('response')) : ok({ response })
}

export const finishAuthentication = async (
  turn: Turn,
  caller: SignedIn,
  { id, response }: FinishAuthentication & { readonly id: string },
): Promise<Result<AnswerData, Refusal>> => {
  const current = await boundMessage(turn, caller, { id, kind: 'authentication' })
  if (!current.ok) return current
  const answering: Answering = { turn, caller, current: current.value, response, answer_hash: answerHash({ response }) }
  if (current.value.message.state !== 'bind') return firstVerdict(answering)
  const done = await judgeAndStore(answering)
  return done === undefined ? firstVerdict(answering) : ok(done)
}

const judgeAndStore = async (answering: Answering): Promise<AnswerData | undefined> => {
  const { turn, caller, current, answer_hash } = answering
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const heard = await hearAuthentication(answering)
    const { verdict, value, credential } = heard
    if (value === undefined || credential === undefined) return failAnswer(answering, heard)
    const outcome = await turn.services.store.messages.authenticate(turn.workspace, current.message.id, {
      device: caller.device.id,
      answer_hash,
      verdict,
      now: turn.clock.now(),
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
    observeIn(turn, { kind: 'phone', id: caller.device.id }, fact)
    return { status: 'success', error: '' }
  }
  const heard = await hearAuthentication(answering)
  return failAnswer(answering, { ...heard, verdict: overruled(heard.verdict, 'credential_busy') })
}
