import { type Refusal, refuse } from '../../contract/errors.ts'
import type { MessageKind } from '../../protocol/message-address.ts'
import { isReportedOnce } from '../../protocol/message-state.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { given, missing } from '../request/fields.ts'
import { queryValue } from '../request/query.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'
import type { MessageResult } from '../store/records.ts'

export type ReadResult = { readonly msg_id: string }

/** The documents name the parameter both ways, so both are heard. */
export const parseReadResult = (context: RequestContext): Result<ReadResult, Refusal> => {
  const msg_id = queryValue(context.request.query, 'msg_id')
  if (!msg_id.ok) return msg_id
  const id = queryValue(context.request.query, 'id')
  if (!id.ok) return id
  const empty = context.profile.empty_optional
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
  async (context: RequestContext, { rp }: Caller, { msg_id }: ReadResult): Promise<Result<ResultData, Refusal>> => {
    const found = await context.services.store.messages.result(context.workspace, msg_id)
    if (found === undefined || found.rp !== rp.id || found.kind !== kind) return err(refuse('message_not_found'))
    context.trace.msg_id = msg_id
    const message = isOverdue(context, found) ? await upToDate(context, found) : found
    if (isReportedOnce(message.state) && !(await mayReport(context, rp.id, message))) {
      return err(refuse('result_already_read'))
    }
    return ok(resultData(message))
  }

/** The first read delivers; later ones are refused, unless the profile lets a result be read again. */
const mayReport = async (context: RequestContext, rp: string, message: MessageResult): Promise<boolean> => {
  const repeatable = context.profile.final_result === 'repeatable'
  if (message.delivered_at !== undefined) return repeatable
  // HEAD never consumes.
  if (context.request.method === 'HEAD') return true
  if (!(await context.services.store.messages.deliver(context.workspace, message.id, context.clock.now())))
    return repeatable
  observeIn(context, { kind: 'rp', id: rp }, { kind: 'delivery', msg_id: message.id, state: message.state })
  return true
}

/** The clock's alarm moves a message to timeout; whoever looks in the instant between waits for that. */
const isOverdue = ({ clock }: RequestContext, { state, expires_at }: MessageResult): boolean =>
  (state === 'init' || state === 'bind') && expires_at <= clock.now()

const upToDate = async (context: RequestContext, message: MessageResult): Promise<MessageResult> => {
  await context.services.timers.expireDue(context.workspace)
  return (await context.services.store.messages.result(context.workspace, message.id)) ?? message
}

const resultData = ({ kind, svc_user, state, error, user_id }: MessageResult): ResultData =>
  kind === 'registration'
    ? { svc_user, status: state, error }
    : { svc_user, status: state, user_id: state === 'success' ? user_id : '', error }
