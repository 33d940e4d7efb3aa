import { type Refusal, refuse } from '../../protocol/errors.ts'
import type { MessageKind } from '../../protocol/message-address.ts'
import { isReportedOnce } from '../../protocol/message-state.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Caller } from '../authenticate.ts'
import { given, missing } from '../fields.ts'
import { queryValue } from '../query.ts'
import { observeIn, type Turn } from '../services.ts'
import type { MessageResult } from '../store/records.ts'

export type ReadResult = { readonly msg_id: string }

/** The documents name the parameter both ways, so both are heard. */
export const parseReadResult = (turn: Turn): Result<ReadResult, Refusal> => {
  const msg_id = queryValue(turn.request.query, 'msg_id')
  if (!msg_id.ok) return msg_id
  const id = queryValue(turn.request.query, 'id')
  if (!id.ok) return id
  const empty = turn.profile.empty_optional
  const [one, other] = [given(msg_id.value, empty), given(id.value, empty)]
  if (one !== undefined && other !== undefined && one !== other) {
    return err(refuse('conflicting_parameters', 'msg_id and id name different messages.'))
  }
  const value = one ?? other
  return value === undefined ? err(missing('msg_id')) : ok({ msg_id: value })
}

/** What the result calls of docs/interface/relying-party.md answer. */
export type ResultData = {
  readonly svc_user: string
  readonly status: string
  readonly error: string
  readonly user_id?: string
}

export const readResult =
  (kind: MessageKind) =>
  async (turn: Turn, { rp }: Caller, { msg_id }: ReadResult): Promise<Result<ResultData, Refusal>> => {
    const found = await turn.services.store.messages.result(turn.workspace, msg_id)
    if (found === undefined || found.rp !== rp.id || found.kind !== kind) return err(refuse('message_not_found'))
    turn.trace.msg_id = msg_id
    const message = isOverdue(turn, found) ? await upToDate(turn, found) : found
    if (isReportedOnce(message.state) && !(await mayReport(turn, rp.id, message))) {
      return err(refuse('result_already_read'))
    }
    return ok(resultData(message))
  }

/** The first read delivers; later ones are refused, unless the profile lets a result be read again. */
const mayReport = async (turn: Turn, rp: string, message: MessageResult): Promise<boolean> => {
  const repeatable = turn.profile.final_result === 'repeatable'
  if (message.delivered_at !== undefined) return repeatable
  // HEAD never consumes.
  if (turn.request.method === 'HEAD') return true
  if (!(await turn.services.store.messages.deliver(turn.workspace, message.id, turn.clock.now()))) return repeatable
  observeIn(turn, { kind: 'rp', id: rp }, { kind: 'delivery', msg_id: message.id, state: message.state })
  return true
}

/** The clock's alarm moves a message to timeout; whoever looks in the instant between waits for that. */
const isOverdue = ({ clock }: Turn, { state, expires_at }: MessageResult): boolean =>
  (state === 'init' || state === 'bind') && expires_at <= clock.now()

const upToDate = async (turn: Turn, message: MessageResult): Promise<MessageResult> => {
  await turn.services.timers.expireDue(turn.workspace)
  return (await turn.services.store.messages.result(turn.workspace, message.id)) ?? message
}

const resultData = ({ kind, svc_user, state, error, user_id }: MessageResult): ResultData =>
  kind === 'registration'
    ? { svc_user, status: state, error }
    : { svc_user, status: state, user_id: state === 'success' ? user_id : '', error }
