import type { AnswerData } from '../../protocol/app-json.ts'
import { type Refusal, refuse } from '../../protocol/errors.ts'
import type { MessageState } from '../../protocol/message-state.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { boundMessage, type Current } from '../app/current-message.ts'
import type { SignedIn } from '../app/signed-in.ts'
import { messageFact } from '../message-fact.ts'
import { observeIn, type Turn, isOver as workspaceWasClosed } from '../services.ts'
import type { Heard } from './hear.ts'
import { errorOf, observeVerdict } from './verdict-record.ts'

/** An answer of the bound device on its way to a verdict. */
export type Answering = {
  readonly turn: Turn
  readonly caller: SignedIn
  readonly current: Current
  readonly response: unknown
  readonly answer_hash: string
}

/** The identical answer again gets the first verdict again; a different one is refused. */
export const firstVerdict = async ({
  turn,
  caller,
  current,
  answer_hash,
}: Answering): Promise<Result<AnswerData, Refusal>> => {
  const now = await boundMessage(turn, caller, { id: current.message.id })
  if (!now.ok) return now
  const { state, error } = now.value.message
  if (now.value.message.answer_hash !== answer_hash) return err(refuse('answered_differently'))
  return ok({ status: state, error })
}

/** `bind → fail` with this verdict; undefined when the message was not open any more. */
export const failAnswer = async (answering: Answering, heard: Heard): Promise<AnswerData | undefined> => {
  const { turn, caller, current, answer_hash } = answering
  const { verdict } = heard
  const error = errorOf(verdict)
  const to = { device: caller.device.id, error, answer_hash, verdict, now: turn.clock.now() }
  if (!(await turn.services.store.messages.fail(turn.workspace, current.message.id, to))) return undefined
  observeOutcome(answering, heard, { to: 'fail', error })
  return { status: 'fail', error }
}

/** After the commit: first what was judged, then how the message moved. */
export const observeOutcome = (
  { turn, caller, current }: Answering,
  { verdict, judgement }: Heard,
  move: { readonly to: MessageState; readonly error?: string; readonly credential_id?: string },
): void => {
  const { message } = current
  observeVerdict(turn, message, verdict)
  const baseUrl = turn.services.addresses.baseUrl(turn.workspace)
  observeIn(turn, { kind: 'phone', id: caller.device.id }, messageFact(message, { baseUrl, from: 'bind', ...move }))
  if (turn.profile.second_opinion !== 'record' || workspaceWasClosed(turn)) return
  turn.services.secondOpinions.later(turn.workspace, message.id, judgement)
}

/** A credential may change between judging and storing; then it is judged again, and not for ever. */
export const ATTEMPTS = 5
