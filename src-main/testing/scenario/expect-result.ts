import { wordOf } from '../../core/contract/judge/failure-words.ts'
import type { StepInput } from '../../core/contract/scenario.ts'
import { isFinal } from '../../core/protocol/message-state.ts'
import type { Data } from '../../sdk/client.ts'
import { mismatch } from './patterns/mismatch.ts'
import { messageOf, type ScenarioState } from './scenario-state.ts'
import { failure, refusal, type StepOutcome, said } from './step-outcome.ts'

/** The RP reads the result with its own signed call. */
export const expectResult = async (
  { message, until: _, ...wanted }: StepInput<'expect'>,
  state: ScenarioState,
): Promise<StepOutcome> => {
  const { msg_id, rp } = messageOf(state, message)
  const attempt = await state.client.call('simulator.poll', { params: { rp, msg_id } })
  // What was read is the last word on it, when it is final or refused; a code of 0 is a call that did not arrive.
  if (attempt.refusal !== null) {
    const { code } = attempt.refusal
    return { ...refusal(attempt.refusal), ...(code === 0 ? {} : { final: true }) }
  }
  const got: Readonly<Record<string, unknown>> = readingOf(attempt)
  const wrong = Object.entries(wanted).filter(([key, value]) => mismatch(value, got[key]) !== undefined)
  if (wrong.length === 0) return said(attempt.error === '' ? attempt.svc_user : attempt.error, attempt)
  const expected = Object.fromEntries(wrong)
  const received = Object.fromEntries(wrong.map(([key]) => [key, got[key]]))
  return {
    ...failure({ code: 'differs', params: { at: '', expected, received } }),
    ...(isFinal(attempt.status) ? { final: true } : {}),
  }
}

const readingOf = ({ status, error, verified_user_id, svc_user }: Data<'simulator.poll'>) => ({
  status,
  error: wordOf(error),
  user_id: verified_user_id,
  svc_user,
})
