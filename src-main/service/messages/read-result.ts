import { type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import type { RpData, RpInput } from '../../core/contract/rp/routes.ts'
import type { Answer } from '../../core/contract/schema.ts'
import { en } from '../../core/messages/en/en.ts'
import { failureText } from '../../core/messages/failure-text.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import { isReportedOnce } from '../../core/protocol/message-state.ts'
import { type Exact, err, exactly, ok, type Result } from '../../core/protocol/result.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'
import type { MessageResult } from '../store/store.ts'

type Query = RpInput<'attestation.result'>['query']

/** The documents use both names for the parameter, so both are read. */
const messageOf = ({ msg_id, id }: Query): Result<string, Refusal> => {
  if (msg_id !== undefined && id !== undefined && msg_id !== id) {
    return err(refuse('conflicting_parameters', { code: 'message_ids_differ' }))
  }
  const value = msg_id ?? id
  return value === undefined ? err(refuseField({ code: 'field_missing', params: { field: 'msg_id' } })) : ok(value)
}

const readResult =
  <D>(kind: MessageKind, dataOf: (message: MessageResult) => Exact<D>) =>
  async (context: RequestContext, { rp }: Caller, { query }: { readonly query: Query }): Answer<D> => {
    const asked = messageOf(query)
    if (!asked.ok) return asked
    const msg_id = asked.value
    // HEAD delivers nothing.
    const toDeliver = context.request.method !== 'HEAD'
    const found = await context.services.store.messages.result(context.workspace, msg_id, { toDeliver })
    if (found === undefined || found.rp !== rp.id || found.kind !== kind) return err(refuse('message_not_found'))
    context.trace.msg_id = msg_id
    const message = isOverdue(context, found) ? await upToDate(context, found) : found
    if (isReportedOnce(message.state) && !(await mayReport(context, rp.id, message))) {
      return err(refuse('result_already_read'))
    }
    return ok(dataOf(message))
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

/** The clock's alarm moves a message to timeout; a reader between the expiry and the alarm waits for it. */
const isOverdue = ({ clock }: RequestContext, { state, expires_at }: MessageResult): boolean =>
  (state === 'init' || state === 'bind') && expires_at <= clock.now()

const upToDate = async (context: RequestContext, message: MessageResult): Promise<MessageResult> => {
  await context.services.timers.expireDue(context.workspace)
  return (await context.services.store.messages.result(context.workspace, message.id)) ?? message
}

const shown = ({ svc_user, state, error }: MessageResult) => ({
  svc_user,
  status: state,
  error: error === '' ? '' : failureText(en, error),
})

export const readRegistrationResult = readResult<RpData<'attestation.result'>>('registration', (message) =>
  exactly(shown(message)),
)

export const readAuthenticationResult = readResult<RpData<'assertion.result'>>('authentication', (message) =>
  exactly({ ...shown(message), user_id: message.state === 'success' ? message.user_id : '' }),
)
