import type { AppInput, BindData } from '../../core/contract/app/routes.ts'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { unixSeconds } from '../../core/protocol/time.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { creationOptions, requestOptions } from '../ceremony/phone-options.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { MessageRecord, RpRecord } from '../store/records.ts'
import { currentMessage } from './current-message.ts'
import { messageFact } from './message-fact.ts'

/** The first device that scans or opens the push has the message; the same one again is harmless. */
export const bind = async (
  context: RequestContext,
  caller: SignedIn,
  { params: { msg_id: msgId } }: AppInput<'messages.bind'>,
): Promise<Result<BindData, Refusal>> => {
  const current = await currentMessage(context, msgId)
  if (!current.ok) return current
  const { message, rp } = current.value
  if (message.state === 'init') {
    const public_key = await optionsOf(context, rp, message)
    if (await move(context, caller, message, public_key)) return ok(bindData(rp, message, public_key))
  }
  const now = message.state === 'init' ? await currentMessage(context, msgId) : current
  if (!now.ok) return now
  const { device, state, public_key } = now.value.message
  if (device !== undefined && device !== caller.device.id) return err(refuse('bound_elsewhere'))
  if (state === 'timeout') return err(refuse('message_expired'))
  if (state !== 'bind') return err(refuse('wrong_state', { code: 'message_is', params: { state } }))
  return ok(bindData(rp, message, public_key as Options))
}

type Options = CreationOptionsJson | RequestOptionsJson

const optionsOf = (context: RequestContext, rp: RpRecord, message: MessageRecord): Promise<Options> =>
  message.kind === 'registration' ? creationOptions(context, rp, message) : requestOptions(context, rp, message)

const move = async (
  context: RequestContext,
  { device, account }: SignedIn,
  message: MessageRecord,
  public_key: Options,
): Promise<boolean> => {
  const { services, workspace, clock } = context
  const svc_user = svcUser(account)
  const to = { device: device.id, account: account.id, svc_user, public_key, now: clock.now() }
  if (!(await services.store.messages.bind(workspace, message.id, to))) return false
  const baseUrl = services.addresses.baseUrl(workspace)
  const fact = messageFact(message, { baseUrl, from: 'init', to: 'bind', svc_user, device: device.id })
  observeIn(context, { kind: 'phone', id: device.id }, fact)
  return true
}

const bindData = (rp: RpRecord, message: MessageRecord, public_key: Options): BindData => ({
  kind: message.kind,
  rp: { id: rp.rp_id, name: rp.name, origins: rp.origins },
  user: { username: message.username, display_name: message.display_name },
  credential_name: message.credential_name,
  expires_at: unixSeconds(message.expires_at),
  public_key,
})

/** The account, for display: `Li Wei (138****5678)`. */
const svcUser = (account: { readonly name: string; readonly phone: string }): string =>
  `${account.name} (${maskPhone(account.phone)})`

/** Three digits in front and four behind; of short numbers less, so that at least three stay hidden. */
const maskPhone = (phone: string): string => {
  if (phone.length >= 10) return `${phone.slice(0, 3)}****${phone.slice(-4)}`
  return phone.length >= 5 ? `****${phone.slice(-2)}` : '****'
}
