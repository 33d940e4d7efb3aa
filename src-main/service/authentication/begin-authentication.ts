import { type Refusal, refuse } from '../../contract/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { type MessageAddressData, openMessage } from '../messages/open-message.ts'
import { invalid, requiredText } from '../request/fields.ts'
import { bodyOf } from '../request/json-command.ts'
import type { RequestContext } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'
import type { CredentialRecord } from '../store/records.ts'

export type BeginAuthentication = {
  readonly user_id: string
  readonly username: string
  readonly method: 'qrcode' | 'push'
}

export const parseBeginAuthentication = (context: RequestContext): Result<BeginAuthentication, Refusal> => {
  const body = bodyOf(context)
  if (!body.ok) return body
  const user_id = requiredText(body.value, 'user_id', { max: context.profile.user_id_max })
  if (!user_id.ok) return user_id
  const username = requiredText(body.value, 'username', { max: context.profile.username_max })
  if (!username.ok) return username
  const method = requiredText(body.value, 'method', { max: 64 })
  if (!method.ok) return method
  if (method.value !== 'qrcode' && method.value !== 'push') {
    return err(invalid('method', `expected "qrcode" or "push", got ${JSON.stringify(method.value)}.`))
  }
  return ok({ user_id: user_id.value, username: username.value, method: method.value })
}

export const beginAuthentication = async (
  context: RequestContext,
  caller: Caller,
  command: BeginAuthentication,
): Promise<Result<MessageAddressData, Refusal>> => {
  const { user_id, username, method } = command
  const held = await context.services.store.credentials.list(context.workspace, { rp: caller.rp.id, user_id })
  if (held.length === 0 && context.profile.unknown_user === 'refuse') return err(refuse('no_credential'))
  return openMessage(context, caller, {
    kind: 'authentication',
    method,
    user_id,
    username,
    display_name: username,
    credential_name: '',
    pushTo: method === 'push' ? await devicesOf(context, held) : [],
  })
}

/** A device-bound credential's push goes to its device, a cloud credential's to all devices of its account. */
const devicesOf = async (
  { services, workspace }: RequestContext,
  held: readonly CredentialRecord[],
): Promise<readonly string[]> => {
  const ids = new Set<string>()
  for (const { storage, device, account } of held) {
    if (storage === 'chip') ids.add(device)
    else for (const { id } of await services.store.devices.list(workspace, { account })) ids.add(id)
  }
  return [...ids]
}
