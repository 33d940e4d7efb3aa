import { hash } from 'node:crypto'
import type { AnswerData } from '../../core/contract/app/routes.ts'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import { en } from '../../core/messages/en/en.ts'
import { failureText } from '../../core/messages/failure-text.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import { boundMessage, type Current } from '../messages/current-message.ts'
import { messageFact } from '../messages/message-fact.ts'
import { observeIn, type RequestContext, workspaceWasClosed } from '../services.ts'
import { type Heard, observeVerdict } from './judgement.ts'

/** An answer of the bound device on its way to a verdict. */
export type Answering = {
  readonly context: RequestContext
  readonly caller: SignedIn
  readonly current: Current
  readonly response: unknown
  readonly answer_hash: string
}

/** The identical answer again gets the first verdict again; a different one is refused. */
export const firstVerdict = async ({
  context,
  caller,
  current,
  answer_hash,
}: Answering): Promise<Result<AnswerData, Refusal>> => {
  const now = await boundMessage(context, caller, { id: current.message.id })
  if (!now.ok) return now
  const { state, error } = now.value.message
  if (now.value.message.answer_hash !== answer_hash) return err(refuse('answered_differently'))
  return ok({ status: state, error: failureText(en, error) })
}

/** `bind → fail` with this verdict; undefined when the message was not open any more. */
export const failAnswer = async (answering: Answering, heard: Heard): Promise<AnswerData | undefined> => {
  const { context, caller, current, answer_hash } = answering
  const { verdict } = heard
  const error = verdict.failure?.word ?? ''
  const to = { device: caller.device.id, error, answer_hash, verdict, now: context.clock.now() }
  if (!(await context.services.store.messages.fail(context.workspace, current.message.id, to))) return undefined
  observeOutcome(answering, heard, { to: 'fail', error })
  return { status: 'fail', error: failureText(en, error) }
}

/** After the commit: first what was judged, then how the message moved. */
export const observeOutcome = (
  { context, caller, current }: Answering,
  { verdict, judgement }: Heard,
  move: { readonly to: MessageState; readonly error?: string; readonly credential_id?: string },
): void => {
  const { message } = current
  observeVerdict(context, message, verdict)
  const baseUrl = context.services.addresses.baseUrl(context.workspace)
  observeIn(context, { kind: 'phone', id: caller.device.id }, messageFact(message, { baseUrl, from: 'bind', ...move }))
  if (context.profile.second_opinion !== 'record' || workspaceWasClosed(context)) return
  context.services.secondOpinions.later(context.workspace, message.id, judgement)
}

/** A credential may change between judging and storing; then it is judged again, and not for ever. */
export const ATTEMPTS = 5

/** The same for the same answer, however its members are ordered and spaced. */
export const answerHash = (answer: unknown): string => hash('sha256', JSON.stringify(sorted(answer)), 'base64url')

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)])
}
